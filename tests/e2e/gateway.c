#include "tests/e2e/gateway.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <curl/curl.h>

#include "server/suites.h"

enum { SEND_TIMEOUT_S = 60 };

/* SHA-256 of the three keys. */
const char gateway_keys[] =
    "  keys:\n"
    "    - name: all\n"
    "      sha256: 62af8704764faf8ea82fc61ce9c4c3908b6cb97d463a634e9e587d7c885db0ef\n"
    "    - name: some\n"
    "      sha256: 4b71296158f3a8d5ff67bbf9907e555d2658b51a846e749ef58b0926370fc251\n"
    "      tools: [echo, reflect]\n"
    "    - name: old\n"
    "      sha256: 762c08fc17a1cc5f00d248f8b50f2f2f4d17ff2934ac31e64deacb3f5bb3f2ec\n"
    "      expires: 2020-01-01\n";

static pthread_mutex_t record_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- starting ---- */

static void write_config(char *path, const char *server, const char *more)
{
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    (void)fprintf(file, "server:\n  listen: 127.0.0.1:0\n  access_log: false\n%s", server);
    (void)fprintf(file, "auth:\n%splugins: [%s/fixtures.so]\n%s", gateway_keys, TR_TEST_PLUGIN_DIR,
                  more);
    assert_int_equal(fclose(file), 0);
}

static void assert_started(enum tr_status status, const struct tr_fault *fault)
{
    if (status != TR_OK) {
        print_error("the gateway does not start: %s: %s\n", fault->where, fault->what);
        fail();
    }
}

void gateway_start(struct gateway *gateway, const char *server, const char *more)
{
    char path[] = "/tmp/toolrest-e2e-XXXXXX";
    struct tr_fault fault = { 0 };
    struct tr_registry *registry = NULL;
    write_config(path, server, more);
    const struct tr_config_source source = { .path = path };
    assert_started(tr_config_load(&source, &gateway->config, &fault), &fault);
    assert_int_equal(unlink(path), 0);
    assert_started(tr_suites_load(&gateway->config, &registry, &fault), &fault);
    assert_started(tr_app_start(&gateway->config, registry, &gateway->app, &fault), &fault);
    gateway->port = tr_app_port(gateway->app);
}

void gateway_stop(struct gateway *gateway)
{
    tr_app_quiesce(gateway->app);
    assert_true(tr_app_drain(gateway->app, 10 * 1000));
    tr_app_stop(gateway->app);
    tr_config_done(&gateway->config);
}

/* ---- recording ---- */

static json_t *headers_of(const char *head)
{
    json_t *headers = json_object();
    for (const char *line = strchr(head, '\n'); line != NULL; line = strchr(line, '\n')) {
        line++;
        const char *colon = strchr(line, ':');
        const char *end = strchr(line, '\r');
        if (colon == NULL || end == NULL || colon > end) {
            continue;
        }
        char name[128];
        (void)snprintf(name, sizeof(name), "%.*s", (int)(colon - line), line);
        const char *value = colon + 1 + strspn(colon + 1, " ");
        (void)json_object_set_new(headers, name, json_stringn(value, (size_t)(end - value)));
    }
    return headers;
}

static void record(const char *method, const char *path, const struct reply *reply)
{
    const char *file_name = getenv("TR_E2E_RECORD");
    if (file_name == NULL || reply->status == 0) {
        return;
    }
    json_auto_t *line = json_pack("{s:s, s:s, s:i, s:o, s:s%}", "method", method, "path", path,
                                  "status", (int)reply->status, "headers", headers_of(reply->head),
                                  "body", reply->body, reply->body_length);
    char *text = line != NULL ? json_dumps(line, JSON_COMPACT) : NULL;
    /* The mutex holds back other threads, the lock on the file other test programs, until it is
     * closed: a long line takes more than one write. */
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    (void)pthread_mutex_lock(&record_lock);
    FILE *file = fopen(file_name, "a");
    if (text != NULL && file != NULL && fcntl(fileno(file), F_SETLKW, &whole) == 0) {
        (void)fprintf(file, "%s\n", text);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    (void)pthread_mutex_unlock(&record_lock);
    free(text);
}

/* ---- sending ---- */

struct buffer {
    char *bytes;
    size_t length;
};

static size_t collect(char *bytes, size_t size, size_t count, void *context)
{
    struct buffer *buffer = context;
    char *grown = realloc(buffer->bytes, buffer->length + size * count + 1);
    if (grown == NULL) {
        return 0;
    }
    memcpy(grown + buffer->length, bytes, size * count);
    buffer->bytes = grown;
    buffer->length += size * count;
    grown[buffer->length] = '\0';
    return size * count;
}

static struct curl_slist *headers_for(const struct sent *sent)
{
    char authorization[256];
    const char *key = sent->key != NULL ? sent->key : KEY_ALL;
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    if (*key != '\0') {
        (void)snprintf(authorization, sizeof(authorization), "Authorization: Bearer %s", key);
        list = curl_slist_append(list, authorization);
    }
    if (sent->body != NULL) {
        list = curl_slist_append(list, "Content-Type: application/json");
    }
    for (size_t i = 0; sent->headers != NULL && sent->headers[i] != NULL; i++) {
        list = curl_slist_append(list, sent->headers[i]);
    }
    return list;
}

static const char *method_of(const struct sent *sent)
{
    if (sent->method != NULL) {
        return sent->method;
    }
    return sent->body != NULL ? "POST" : "GET";
}

static char *owned(char *bytes)
{
    return bytes != NULL ? bytes : calloc(1, 1);
}

struct reply gateway_send(const struct gateway *gateway, struct sent sent)
{
    char url[9000];
    struct buffer head = { 0 };
    struct buffer body = { 0 };
    struct reply reply = { 0 };
    const char *method = method_of(&sent);
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", (unsigned)gateway->port, sent.path);
    CURL *easy = curl_easy_init();
    assert_non_null(easy);
    struct curl_slist *headers = headers_for(&sent);
    (void)curl_easy_setopt(easy, CURLOPT_URL, url);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_TIMEOUT, (long)SEND_TIMEOUT_S);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, &body);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, collect);
    (void)curl_easy_setopt(easy, CURLOPT_HEADERDATA, &head);
    if (sent.body != NULL) {
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(sent.body));
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, sent.body);
    }
    if (strcmp(method, "HEAD") == 0) {
        (void)curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else {
        (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
    }
    if (curl_easy_perform(easy) == CURLE_OK) {
        (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &reply.status);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
    reply.head = owned(head.bytes);
    reply.body = owned(body.bytes);
    reply.body_length = body.length;
    reply.json = json_loadb(reply.body, reply.body_length, JSON_DECODE_ANY, NULL);
    if (!sent.is_unrecorded) {
        record(method, sent.path, &reply);
    }
    return reply;
}

void reply_done(struct reply *reply)
{
    free(reply->head);
    free(reply->body);
    json_decref(reply->json);
    *reply = (struct reply){ 0 };
}

const char *reply_header(const struct reply *reply, const char *name, char *room, size_t room_bytes)
{
    const size_t length = strlen(name);
    room[0] = '\0';
    for (const char *line = reply->head; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            const char *value = line + length + 1 + strspn(line + length + 1, " ");
            (void)snprintf(room, room_bytes, "%.*s", (int)strcspn(value, "\r\n"), value);
            break;
        }
    }
    return room;
}

const char *reply_text(const struct reply *reply, const char *name)
{
    const char *text = json_string_value(json_object_get(reply->json, name));
    return text != NULL ? text : "";
}

/* ---- raw bytes ---- */

int gateway_connect(const struct gateway *gateway)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(gateway->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(
        connect(descriptor, (const struct sockaddr *)(const void *)&address, sizeof(address)), 0);
    return descriptor;
}

size_t gateway_talk(int socket, const char *bytes, size_t length, char *out, size_t room,
                    int wait_ms)
{
    size_t received = 0;
    for (size_t at = 0; at < length;) {
        const ssize_t sent = send(socket, bytes + at, length - at, MSG_NOSIGNAL);
        if (sent <= 0) {
            break;
        }
        at += (size_t)sent;
    }
    struct pollfd readable = { .fd = socket, .events = POLLIN };
    while (received + 1 < room && poll(&readable, 1, wait_ms) == 1) {
        const ssize_t got = recv(socket, out + received, room - 1 - received, 0);
        if (got <= 0) {
            break;
        }
        received += (size_t)got;
    }
    out[received] = '\0';
    return received;
}
