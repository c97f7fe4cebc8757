/* One line of JSON for each answer, built on the stack without printf. Neither the query nor any
 * header is logged: that is where secrets are. What comes from the caller is escaped and bounded.
 */
#include <string.h>
#include <time.h>

#include "middleware/chain.h"
#include "middleware/decimal.h"
#include "middleware/json_escape.h"
#include "middleware/keyring.h"
#include "middleware/log.h"
#include "middleware/network.h"
#include "middleware/policy.h"
#include "middleware/request_id.h"
#include "tools/core/limits.h"

enum {
    NS_PER_US = 1000,
    MS_PER_S = 1000,

    /* The longest values, written out. */
    TIME_BYTES = sizeof("2027-01-01T00:00:00.000Z") - 1,
    METHOD_BYTES = 32,
    PATH_BYTES = 256,
    CODE_BYTES = 32,
    TOOL_BYTES = 2 * TR_MAX_TOOL_NAME_BYTES,
    PRINCIPAL_BYTES = 128,
    NAMES_BYTES = 160, /* names of members, quotes, commas */
    LINE_BYTES = 1024,
};

_Static_assert(TIME_BYTES + TR_REQUEST_ID_BYTES + TR_ADDRESS_TEXT_BYTES + METHOD_BYTES + PATH_BYTES
                       + CODE_BYTES + TOOL_BYTES + PRINCIPAL_BYTES + 2 * TR_DECIMAL_BYTES
                       + TR_DECIMAL_MILLI_BYTES + NAMES_BYTES
                   <= LINE_BYTES,
               "the longest line fits");

/* "2027-01-01T00:00:00" of the second that this thread logged last. */
struct second_text {
    int64_t second;
    char bytes[TIME_BYTES - (sizeof(".000Z") - 1)];
};

static void write_second(struct second_text *text, int64_t second)
{
    const time_t time = (time_t)second;
    struct tm date = { .tm_year = 0 };
    (void)gmtime_r(&time, &date);
    char *out = text->bytes;
    out = tr_write_decimal_padded(out, (unsigned)(date.tm_year + 1900), 4);
    *out++ = '-';
    out = tr_write_decimal_padded(out, (unsigned)(date.tm_mon + 1), 2);
    *out++ = '-';
    out = tr_write_decimal_padded(out, (unsigned)date.tm_mday, 2);
    *out++ = 'T';
    out = tr_write_decimal_padded(out, (unsigned)date.tm_hour, 2);
    *out++ = ':';
    out = tr_write_decimal_padded(out, (unsigned)date.tm_min, 2);
    *out++ = ':';
    (void)tr_write_decimal_padded(out, (unsigned)date.tm_sec, 2);
    text->second = second;
}

static char *write_time(char *out, int64_t real_ms)
{
    static _Thread_local struct second_text text = { .second = -1 };
    if (text.second != real_ms / MS_PER_S) {
        write_second(&text, real_ms / MS_PER_S);
    }
    memcpy(out, text.bytes, sizeof(text.bytes));
    out += sizeof(text.bytes);
    *out++ = '.';
    out = tr_write_decimal_padded(out, (unsigned)(real_ms % MS_PER_S), 3);
    *out++ = 'Z';
    return out;
}

/* A text of our own, which needs no escaping, with its NUL, which the next one overwrites. */
static inline char *write_plain(char *out, const char *text)
{
    const size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return out + length;
}

static char *write_address(char *out, const char *address)
{
    if (address == NULL) {
        return write_plain(out, "null");
    }
    *out++ = '"';
    out = write_plain(out, address);
    *out++ = '"';
    return out;
}

/* In quotes, at most `room` bytes between them; NULL is null. */
static char *write_string(char *out, size_t room, const char *value)
{
    if (value == NULL) {
        return write_plain(out, "null");
    }
    *out++ = '"';
    out = tr_write_json_escaped(out, room, value, strlen(value));
    *out++ = '"';
    return out;
}

static size_t sent_bytes(const struct tr_exchange *exchange)
{
    size_t length = 0;
    (void)tr_answer_bytes(&exchange->answer, &length);
    return exchange->request.method == TR_METHOD_HEAD ? 0 : length;
}

static char *write_request(char *out, const struct tr_exchange *exchange)
{
    out = write_plain(out, "{\"time\":\"");
    out = write_time(out, exchange->started_real_ms);
    out = write_plain(out, "\",\"id\":\"");
    out = write_plain(out, exchange->request_id);
    out = write_plain(out, "\",\"client\":");
    out = write_address(out, exchange->client_address);
    out = write_plain(out, ",\"method\":");
    out = write_string(out, METHOD_BYTES, exchange->request.method_text);
    out = write_plain(out, ",\"path\":");
    return write_string(out, PATH_BYTES, exchange->request.path);
}

static char *write_answer(char *out, const struct tr_exchange *exchange)
{
    const struct tr_answer *answer = &exchange->answer;
    const struct tr_principal *principal = exchange->principal;
    const int64_t duration_ns = exchange->left_ns - exchange->started_ns;
    out = write_plain(out, ",\"status\":");
    out = tr_write_decimal(out, (uint64_t)answer->http_status);
    out = write_plain(out, ",\"code\":\"");
    out = write_plain(out, tr_status_info(answer->status)->code);
    out = write_plain(out, "\",\"tool\":");
    out = write_string(out, TOOL_BYTES, exchange->tool_name);
    out = write_plain(out, ",\"principal\":");
    out = write_string(out, PRINCIPAL_BYTES, principal != NULL ? principal->name : NULL);
    out = write_plain(out, ",\"bytes\":");
    out = tr_write_decimal(out, sent_bytes(exchange));
    out = write_plain(out, ",\"ms\":");
    out = tr_write_decimal_milli(out, (uint64_t)duration_ns / NS_PER_US);
    return write_plain(out, "}\n");
}

/* What was refused before the chain could look for proxies came from the peer. */
static void ensure_address(struct tr_exchange *exchange)
{
    const struct sockaddr *peer = exchange->request.peer;
    struct tr_address address;
    if (exchange->client_address == NULL && peer != NULL && tr_address_of_socket(peer, &address)) {
        tr_address_write(&address, exchange->address_text);
        exchange->client_address = exchange->address_text;
    }
}

static void leave(struct tr_exchange *exchange)
{
    struct tr_log *log = exchange->policy->log;
    if (log == NULL) {
        return;
    }
    tr_request_id_ensure(exchange);
    ensure_address(exchange);
    char line[LINE_BYTES];
    char *end = write_answer(write_request(line, exchange), exchange);
    tr_log_line(log, line, (size_t)(end - line));
}

const struct tr_middleware tr_access_log = {
    .name = "access log",
    .leave = leave,
    .leaves_always = true,
};
