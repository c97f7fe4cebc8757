#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/framing.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_HEADERS = 8, HEADER_LIMIT = 8192 };

/* A name and a value; both with their lengths where they hold a NUL. */
#define HEADER(name_text, value_text)                                                     \
    {                                                                                     \
        .name = (name_text), .value = (value_text), .name_length = sizeof(name_text) - 1, \
        .value_length = sizeof(value_text) - 1,                                           \
    }
#define HOST HEADER("Host", "127.0.0.1")

struct head {
    const char *method, *version; /* NULL: POST, HTTP/1.1 */
    struct tr_header headers[MAX_HEADERS];
    enum tr_status status;
    const char *what; /* a part of the fault's text; NULL: any */
};

/* The request of `head`, indexed. */
static void make_request(const struct head *head, struct tr_exchange *exchange)
{
    *exchange = (struct tr_exchange){ .policy = NULL };
    struct tr_request *request = &exchange->request;
    request->method_text = head->method != NULL ? head->method : "POST";
    request->version = head->version != NULL ? head->version : "HTTP/1.1";
    request->headers = head->headers;
    while (request->header_count < MAX_HEADERS
           && head->headers[request->header_count].name != NULL) {
        request->header_count++;
    }
    tr_exchange_index(exchange);
}

static void head_is_judged(const struct head *heads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tr_exchange exchange;
        struct tr_framing framing = { .content_length = 77 };
        struct tr_fault fault = { .what = "" };
        make_request(&heads[i], &exchange);

        const enum tr_status status =
            tr_framing_check(&exchange.request, HEADER_LIMIT, &framing, &fault);

        if (status != heads[i].status) {
            fail_msg("row %zu: %d (%s) instead of %d", i, (int)status, fault.what,
                     (int)heads[i].status);
        }
        if (heads[i].what != NULL && strstr(fault.what, heads[i].what) == NULL) {
            fail_msg("row %zu: '%s' does not say '%s'", i, fault.what, heads[i].what);
        }
        assert_true(status == TR_OK || framing.content_length == 77);
    }
}

static void ordinary_heads_pass(void **state)
{
    (void)state;
    static const struct head heads[] = {
        { .headers = { HOST } },
        { .headers = { HEADER("hOsT", "example.com:8080") } },
        { .version = "HTTP/1.0" },
        { .version = "HTTP/1.0", .headers = { HOST, HEADER("Content-Length", "12") } },
        { .headers = { HOST, HEADER("X-Empty", ""), HEADER("X-Tab", "a\tb") } },
        { .headers = { HOST, HEADER("X-Latin", "gr\xFC\xDF\x65 \x80") } },
        { .headers = { HOST, HEADER("!#$%&'*+-.^_`|~09azAZ", "any token is a name") } },
        { .headers = { HOST, HEADER("Accept", "a/b"), HEADER("Accept", "c/d") } },
        { .headers = { HOST, HEADER("X-Forwarded-For", "a"), HEADER("X-Forwarded-For", "b") } },
        { .headers = { HOST, HEADER("Expect", "100-Continue") } },
        { .method = "get!", .headers = { HOST } },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void body_is_delimited_as_the_headers_say(void **state)
{
    (void)state;
    static const struct {
        struct head head;
        int64_t content_length;
        bool is_chunked;
    } cases[] = {
        { .head = { .headers = { HOST } }, .content_length = -1 },
        { .head = { .headers = { HOST, HEADER("Content-Length", "0") } }, .content_length = 0 },
        { .head = { .headers = { HOST, HEADER("content-length", "12") } }, .content_length = 12 },
        { .head = { .headers = { HOST, HEADER("Content-Length", "0000000000000000000007") } },
          .content_length = 7 },
        { .head = { .headers = { HOST, HEADER("Content-Length", "999999999999999999") } },
          .content_length = 999999999999999999 },
        { .head = { .headers = { HOST, HEADER("Transfer-Encoding", "CHUNKED") } },
          .content_length = -1,
          .is_chunked = true },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tr_exchange exchange;
        struct tr_framing framing;
        make_request(&cases[i].head, &exchange);

        assert_int_equal(tr_framing_check(&exchange.request, HEADER_LIMIT, &framing, NULL), TR_OK);

        assert_int_equal(framing.content_length, cases[i].content_length);
        assert_int_equal(framing.is_chunked, cases[i].is_chunked);
    }
}

static void request_line_is_refused(void **state)
{
    (void)state;
    static const struct head heads[] = {
        { .version = "HTTP/1.2",
          .headers = { HOST },
          .status = TR_BAD_REQUEST,
          .what = "HTTP/1.1" },
        { .version = "HTTP/2.0", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .version = "HTTP/0.9", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .version = "http/1.1", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .version = "HTTP/1.1 ", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .version = "", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .method = "", .headers = { HOST }, .status = TR_BAD_REQUEST, .what = "method" },
        { .method = "GE:T", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .method = "GE T", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .method = "G\xCBT", .headers = { HOST }, .status = TR_BAD_REQUEST },
        { .method = "\x16\x03\x01", .headers = { HOST }, .status = TR_BAD_REQUEST },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void malformed_fields_are_refused(void **state)
{
    (void)state;
    static const struct head heads[] = {
        { .headers = { HOST, HEADER("", "a") }, .status = TR_BAD_REQUEST, .what = "no token" },
        { .headers = { HOST, HEADER("X A", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A ", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A\t", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X(A)", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X/A", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X\0A", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-\xE9", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A\x7F", "a") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A", "a\0b") }, .status = TR_BAD_REQUEST, .what = "'X-A'" },
        { .headers = { HOST, HEADER("X-A", "a\r") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A", "a\nb") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A", "\x01") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A", "\x1F") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-A", "\x7F") }, .status = TR_BAD_REQUEST },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void host_must_be_there_once_and_be_an_authority(void **state)
{
    (void)state;
    static const struct head heads[] = {
        { .headers = { HEADER("X", "y") }, .status = TR_BAD_REQUEST, .what = "missing" },
        { .headers = { HEADER("Host", "") }, .status = TR_BAD_REQUEST, .what = "'Host' must" },
        { .headers = { HEADER("Host", "127.0.0.1, evil") }, .status = TR_BAD_REQUEST },
        { .headers = { HEADER("Host", "127.0.0.1:80a") }, .status = TR_BAD_REQUEST },
        { .headers = { HEADER("Host", "user@127.0.0.1") }, .status = TR_BAD_REQUEST },
        { .headers = { HEADER("Host", "[::1") }, .status = TR_BAD_REQUEST },
        { .version = "HTTP/1.0", .headers = { HEADER("Host", "a/b") }, .status = TR_BAD_REQUEST },
        { .headers = { HOST, HOST }, .status = TR_BAD_REQUEST, .what = "given twice" },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void headers_that_must_not_repeat_are_refused(void **state)
{
    (void)state;
    static const struct head heads[] = {
        { .headers = { HOST, HEADER("Content-Length", "1"), HEADER("content-length", "1") },
          .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("Transfer-Encoding", "chunked"),
                       HEADER("Transfer-Encoding", "chunked") },
          .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("Authorization", "Bearer a"), HEADER("AUTHORIZATION", "b") },
          .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("X-API-Key", "a"), HEADER("x-api-key", "a") },
          .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("Content-Type", "a/b"), HEADER("X", ""),
                       HEADER("Content-Type", "") },
          .status = TR_BAD_REQUEST },
        { .headers = { HOST, HEADER("Expect", "100-continue"), HEADER("Expect", "100-continue") },
          .status = TR_BAD_REQUEST },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void length_must_be_a_number_that_can_be_meant(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",    "+1",    "-1",  "1 2", "12, 12", "12, 13",
        "0xc", "12abc", "abc", "1.0", "1e3",    "\xEF\xBC\x91",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const struct head head = {
            .headers = { HOST, { "Content-Length", bad[i], 14, strlen(bad[i]) } },
            .status = TR_BAD_REQUEST,
        };
        head_is_judged(&head, 1);
    }
    static const struct head large[] = {
        { .headers = { HOST, HEADER("Content-Length", "1000000000000000000") },
          .status = TR_BODY_TOO_LARGE },
        { .headers = { HOST, HEADER("Content-Length", "18446744073709551628") },
          .status = TR_BODY_TOO_LARGE },
        { .headers = { HOST, HEADER("Content-Length", "99999999999999999999999999999999999999") },
          .status = TR_BODY_TOO_LARGE },
    };
    head_is_judged(large, COUNT_OF(large));
}

static void coding_must_be_chunked_alone(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",         "cow",      "gzip",        "chunked, gzip", "gzip, chunked",
        "chunked,", ",chunked", "\"chunked\"", "chunked;q=1",   "chunked-",
        "xchunked", "chunked ", "chunked\t",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        const struct head head = {
            .headers = { HOST, { "Transfer-Encoding", bad[i], 17, strlen(bad[i]) } },
            .status = TR_BAD_REQUEST,
        };
        head_is_judged(&head, 1);
    }
    static const struct head heads[] = {
        { .headers = { HOST, HEADER("Transfer-Encoding", "chunked"),
                       HEADER("Content-Length", "3") },
          .status = TR_BAD_REQUEST,
          .what = "exclude" },
        { .headers = { HOST, HEADER("Content-Length", "0"),
                       HEADER("Transfer-Encoding", "chunked") },
          .status = TR_BAD_REQUEST },
        { .version = "HTTP/1.0",
          .headers = { HOST, HEADER("Transfer-Encoding", "chunked") },
          .status = TR_BAD_REQUEST,
          .what = "HTTP/1.0" },
    };
    head_is_judged(heads, COUNT_OF(heads));
}

static void head_may_have_its_limit_and_no_more(void **state)
{
    (void)state;
    static const struct head head = { .headers = { HOST } };
    static const struct {
        size_t bytes;
        enum tr_status status;
    } cases[] = {
        { HEADER_LIMIT - 1, TR_OK },
        { HEADER_LIMIT, TR_OK },
        { HEADER_LIMIT + 1, TR_HEADERS_TOO_LARGE },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct tr_exchange exchange;
        struct tr_framing framing;
        make_request(&head, &exchange);
        exchange.request.header_bytes = cases[i].bytes;

        const enum tr_status status =
            tr_framing_check(&exchange.request, HEADER_LIMIT, &framing, NULL);

        assert_int_equal(status, cases[i].status);
    }
}

/* ---- the layout ---- */

/* A head as libmicrohttpd leaves it: the first blank after the method, the one before the version,
 * the colons and the line ends are NUL. The pointers are found the way it finds them. */
struct taken_apart {
    char text[256];
    struct tr_header headers[MAX_HEADERS];
    struct tr_head_layout layout;
};

/* `head` holds the NULs already; `lines` is how many headers it has. */
static void take_apart(struct taken_apart *parts, const char *head, size_t length, size_t lines)
{
    assert_true(length < sizeof(parts->text));
    *parts = (struct taken_apart){ .text = "" };
    memcpy(parts->text, head, length);
    struct tr_head_layout *layout = &parts->layout;
    layout->method = parts->text;
    layout->target = layout->method + strlen(layout->method) + 1;
    layout->target_length = strlen(layout->target);
    layout->version = layout->target + layout->target_length + 1;
    const char *at = layout->version + strlen(layout->version) + 2;
    for (size_t i = 0; i < lines; i++) {
        struct tr_header *header = &parts->headers[i];
        header->name = at;
        header->name_length = strlen(at);
        header->value = at + header->name_length + 1;
        header->value += strspn(header->value, " \t");
        header->value_length = strlen(header->value);
        at = header->value + header->value_length + 2;
    }
    layout->headers = parts->headers;
    layout->header_count = lines;
    layout->head_bytes = length;
}

#define PLAIN "POST\0/a\0HTTP/1.1\0\0Host\0 x\0\0X\0\0\0Y\0 z \t\0\0\0\0"

static void plain_head_lies_in_one_piece(void **state)
{
    (void)state;
    struct taken_apart parts;

    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    assert_true(tr_head_is_plain(&parts.layout));

    take_apart(&parts, "GET\0/\0HTTP/1.0\0\0\0\0", 18, 0);
    assert_true(tr_head_is_plain(&parts.layout));

    /* A value is given without the blanks behind it, or with them. */
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    parts.headers[2].value_length = 1;
    assert_true(tr_head_is_plain(&parts.layout));
}

static void head_in_several_pieces_is_noticed(void **state)
{
    (void)state;
    struct taken_apart parts;

    /* Two blanks in the request line. */
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    parts.layout.target++;
    assert_false(tr_head_is_plain(&parts.layout));
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    parts.layout.target_length--; /* a NUL in the target */
    assert_false(tr_head_is_plain(&parts.layout));

    /* A bare LF: the next name comes one byte early. */
    for (size_t i = 0; i < 3; i++) {
        take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
        parts.headers[i].name--;
        assert_false(tr_head_is_plain(&parts.layout));
    }

    /* A NUL inside a value: the value is shorter than its line. */
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    parts.text[21] = 'y';
    parts.headers[0].value_length = 0;
    assert_false(tr_head_is_plain(&parts.layout));

    /* A folded line: the name was copied elsewhere. */
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    char elsewhere[] = "X";
    parts.headers[1].name = elsewhere;
    assert_false(tr_head_is_plain(&parts.layout));

    /* The last line, or the empty one, is not what it seems. */
    take_apart(&parts, PLAIN, sizeof(PLAIN) - 1, 3);
    parts.layout.head_bytes--;
    assert_false(tr_head_is_plain(&parts.layout));
    parts.layout.head_bytes += 2;
    assert_false(tr_head_is_plain(&parts.layout));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_heads_pass),
        cmocka_unit_test(body_is_delimited_as_the_headers_say),
        cmocka_unit_test(request_line_is_refused),
        cmocka_unit_test(malformed_fields_are_refused),
        cmocka_unit_test(host_must_be_there_once_and_be_an_authority),
        cmocka_unit_test(headers_that_must_not_repeat_are_refused),
        cmocka_unit_test(length_must_be_a_number_that_can_be_meant),
        cmocka_unit_test(coding_must_be_chunked_alone),
        cmocka_unit_test(head_may_have_its_limit_and_no_more),
        cmocka_unit_test(plain_head_lies_in_one_piece),
        cmocka_unit_test(head_in_several_pieces_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
