/* One of the files of the listener (see listener_parts.h): the connection. */
#include <stdlib.h>
#include <sys/socket.h>

#include "middleware/chain.h"
#include "server/listener_parts.h"
#include "server/peer_table.h"
#include "tools/core/clock.h"

struct tr_connection *tr_connection_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static int descriptor_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

static const struct sockaddr *peer_of(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info != NULL ? info->client_addr : NULL;
}

static bool may_have_another(struct tr_connection *connection)
{
    struct tr_peer_table *peers = connection->thread->listener->peers;
    if (peers == NULL || connection->peer == NULL) {
        return true;
    }
    connection->is_counted = tr_peer_table_take(peers, connection->peer);
    return connection->is_counted;
}

/* NULL: the connection cannot be served. */
static struct tr_connection *open_connection(struct tr_event_thread *thread,
                                             struct MHD_Connection *mhd)
{
    struct tr_connection *connection = calloc(1, sizeof(*connection));
    if (connection == NULL) {
        return NULL;
    }
    const int64_t due_ms = tr_clock_ms() + thread->listener->options.header_timeout_ms;
    connection->thread = thread;
    connection->mhd = mhd;
    connection->peer = peer_of(mhd);
    if (may_have_another(connection)
        && tr_watch_add(thread->watch, &connection->item, descriptor_of(mhd), due_ms)) {
        return connection;
    }
    if (connection->is_counted) {
        tr_peer_table_give(thread->listener->peers, connection->peer);
    }
    free(connection);
    return NULL;
}

static void close_connection(struct tr_connection *connection)
{
    if (connection->pending != NULL) {
        tr_request_abandon(connection->pending);
    }
    tr_watch_remove(connection->thread->watch, &connection->item);
    if (connection->is_counted) {
        tr_peer_table_give(connection->thread->listener->peers, connection->peer);
    }
    free(connection);
}

void tr_connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *socket_context = open_connection(context, mhd);
        if (*socket_context == NULL) {
            /* The library has no way to refuse here, but it sees the end of the stream. */
            (void)shutdown(descriptor_of(mhd), SHUT_RDWR);
        }
    } else if (*socket_context != NULL) {
        close_connection(*socket_context);
        *socket_context = NULL;
    }
}

void tr_connection_resume(struct tr_watch_item *item)
{
    MHD_resume_connection(((struct tr_connection *)item)->mhd);
}

void tr_pending_suspend(struct tr_pending *pending, int64_t deadline_ms,
                        void (*cancel)(void *owner, enum tr_status reason), void *owner)
{
    struct tr_connection *connection = pending->connection;
    struct tr_watch *watch = connection->thread->watch;
    if (pending->is_suspended) {
        tr_watch_hand_over(watch, &connection->item, deadline_ms, cancel, owner);
        return;
    }
    pending->is_suspended = true;
    MHD_suspend_connection(connection->mhd);
    tr_watch_pend(watch, &connection->item, deadline_ms, cancel, owner);
}

void tr_pending_rearm(struct tr_pending *pending, int64_t deadline_ms)
{
    struct tr_connection *connection = pending->connection;
    tr_watch_rearm(connection->thread->watch, &connection->item, deadline_ms);
}

void tr_pending_complete(struct tr_pending *pending)
{
    struct tr_connection *connection = pending->connection;
    if (!pending->exchange.answer.is_ready) {
        tr_answer_problem(&pending->exchange, TR_INTERNAL, NULL);
    }
    tr_chain_leave(&pending->exchange);
    tr_watch_release(connection->thread->watch, &connection->item);
    tr_watch_resume(connection->thread->watch, &connection->item);
}
