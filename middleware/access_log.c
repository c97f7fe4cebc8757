/* One line of JSON for each answer. Neither the query nor any header is logged: that is where
 * secrets are. */
#include <string.h>
#include <time.h>

#include "middleware/chain.h"
#include "middleware/decimal.h"
#include "middleware/json_line.h"
#include "middleware/keyring.h"
#include "middleware/log.h"
#include "middleware/policy.h"
#include "middleware/request_id.h"

enum { NS_PER_US = 1000, MS_PER_S = 1000 };

/* "2027-01-01T00:00:00" of the last second that this thread logged. */
struct second_text {
    int64_t second;
    char bytes[sizeof("2027-01-01T00:00:00") - 1];
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

static void add_time(struct tr_json_line *line, int64_t real_ms)
{
    static _Thread_local struct second_text text = { .second = -1 };
    if (text.second != real_ms / MS_PER_S) {
        write_second(&text, real_ms / MS_PER_S);
    }
    char time[sizeof(text.bytes) + sizeof(".000Z") - 1];
    memcpy(time, text.bytes, sizeof(text.bytes));
    char *out = time + sizeof(text.bytes);
    *out++ = '.';
    out = tr_write_decimal_padded(out, (unsigned)(real_ms % MS_PER_S), 3);
    *out = 'Z';
    tr_json_line_string(line, "time", time, sizeof(time));
}

static void add_text(struct tr_json_line *line, const char *key, const char *value)
{
    tr_json_line_string(line, key, value, value != NULL ? strlen(value) : 0);
}

static size_t sent_bytes(const struct tr_exchange *exchange)
{
    size_t length = 0;
    (void)tr_answer_bytes(&exchange->answer, &length);
    return exchange->request.method == TR_METHOD_HEAD ? 0 : length;
}

static void leave(struct tr_exchange *exchange)
{
    struct tr_log *log = exchange->policy->log;
    if (log == NULL) {
        return;
    }
    tr_request_id_ensure(exchange);
    const struct tr_answer *answer = &exchange->answer;
    const struct tr_principal *principal = exchange->principal;
    const int64_t duration_ns = exchange->left_ns - exchange->started_ns;

    struct tr_json_line line;
    tr_json_line_start(&line);
    add_time(&line, exchange->started_real_ms);
    add_text(&line, "id", exchange->request_id);
    add_text(&line, "client", exchange->client_address);
    add_text(&line, "method", exchange->request.method_text);
    add_text(&line, "path", exchange->request.path);
    tr_json_line_integer(&line, "status", (uint64_t)answer->http_status);
    add_text(&line, "code", tr_status_info(answer->status)->code);
    add_text(&line, "tool", exchange->tool_name);
    add_text(&line, "principal", principal != NULL ? principal->name : NULL);
    tr_json_line_integer(&line, "bytes", sent_bytes(exchange));
    tr_json_line_milli(&line, "ms", (uint64_t)duration_ns / NS_PER_US);
    tr_json_line_end(&line);
    tr_log_line(log, line.bytes, line.length);
}

const struct tr_middleware tr_access_log = {
    .name = "access log",
    .leave = leave,
    .leaves_always = true,
};
