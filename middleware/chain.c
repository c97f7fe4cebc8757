#include "middleware/chain.h"

#include "tools/core/clock.h"

/* THE order. Request id first, for everything behind it names the request; the access log before
 * all that may refuse; the caller's address before what depends on it; the size of the body before
 * the costlier look at the credential. */
static const struct tr_middleware *const chain[] = {
    &tr_request_id, &tr_access_log, &tr_forwarded, &tr_header_sanitizer, &tr_security_headers,
    &tr_cors,       &tr_body_limit, &tr_auth,      &tr_deadline,
};

enum { CHAIN_COUNT = sizeof(chain) / sizeof(chain[0]) };

const struct tr_middleware *const *tr_chain_links(size_t *ret_count)
{
    *ret_count = CHAIN_COUNT;
    return chain;
}

bool tr_links_admit(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange)
{
    for (; exchange->links_passed < count; exchange->links_passed++) {
        const struct tr_middleware *link = links[exchange->links_passed];
        if (link->admit != NULL) {
            link->admit(exchange);
        }
        if (exchange->answer.is_ready) {
            return false;
        }
    }
    return true;
}

bool tr_links_enter(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange)
{
    for (size_t i = 0; i < count; i++) {
        if (links[i]->enter != NULL) {
            links[i]->enter(exchange);
        }
        if (exchange->answer.is_ready) {
            return false;
        }
    }
    return true;
}

void tr_links_leave(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange)
{
    if (exchange->left_ns != 0) {
        return;
    }
    exchange->left_ns = tr_clock_ns();
    for (size_t i = count; i-- > 0;) {
        const bool is_due = links[i]->leaves_always || i < exchange->links_passed;
        if (is_due && links[i]->leave != NULL) {
            links[i]->leave(exchange);
        }
    }
}

bool tr_chain_admit(struct tr_exchange *exchange)
{
    tr_exchange_index(exchange);
    return tr_links_admit(chain, CHAIN_COUNT, exchange);
}

bool tr_chain_enter(struct tr_exchange *exchange)
{
    return tr_links_enter(chain, CHAIN_COUNT, exchange);
}

void tr_chain_leave(struct tr_exchange *exchange)
{
    tr_links_leave(chain, CHAIN_COUNT, exchange);
}
