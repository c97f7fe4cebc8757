/* Any bytes as the head of a request: the target's decoding, the framing rules, and the whole chain
 * of middleware, whose answers must stay well-formed whatever came in. */
#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

#include "middleware/chain.h"
#include "middleware/exchange.h"
#include "middleware/network.h"
#include "middleware/policy.h"
#include "server/framing.h"
#include "server/request_target.h"
#include "tests/fuzz/fuzz.h"
#include "tools/core/arena.h"
#include "tools/core/utf8.h"

enum { MAX_HEADERS = 128, POOL_BYTES = 16 * 1024 };

/* ---- from bytes to a request, as leniently as a server library may be ---- */

struct head {
    char *line; /* the request line, then its parts, NUL-terminated */
    const char *target, *version;
    struct tr_header headers[MAX_HEADERS];
    size_t header_count;
};

/* Up to the next line end, which is left out; NULL at the end. */
static char *next_line(char **rest, size_t *ret_length)
{
    char *line = *rest;
    if (*line == '\0') {
        return NULL;
    }
    const size_t length = strcspn(line, "\n");
    *rest = line + length + (line[length] == '\n' ? 1 : 0);
    line[length] = '\0';
    *ret_length = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    line[*ret_length] = '\0';
    return line;
}

static char *cut_at_space(char *text)
{
    char *space = strchr(text, ' ');
    if (space == NULL) {
        return text + strlen(text);
    }
    *space = '\0';
    return space + 1;
}

static bool take_head(char *bytes, struct head *head)
{
    char *rest = bytes;
    size_t length = 0;
    head->line = next_line(&rest, &length);
    if (head->line == NULL) {
        return false;
    }
    char *target = cut_at_space(head->line);
    head->version = cut_at_space(target);
    head->target = target;
    for (char *line = next_line(&rest, &length); line != NULL && head->header_count < MAX_HEADERS;
         line = next_line(&rest, &length)) {
        const size_t name_length = strcspn(line, ":");
        const size_t skip = name_length < length ? name_length + 1 : name_length;
        head->headers[head->header_count++] = (struct tr_header){
            .name = line,
            .name_length = name_length,
            .value = line + skip,
            .value_length = length - skip,
        };
    }
    return true;
}

/* ---- what must hold ---- */

static void require_clean_path(const char *path)
{
    const size_t length = strlen(path);
    FUZZ_REQUIRE(length > 0 && (path[0] == '/' || strcmp(path, "*") == 0));
    FUZZ_REQUIRE(length == 1 || path[length - 1] != '/');
    FUZZ_REQUIRE(strstr(path, "//") == NULL);
    FUZZ_REQUIRE(strstr(path, "/../") == NULL && strstr(path, "/./") == NULL);
    FUZZ_REQUIRE(length < 3 || strcmp(path + length - 3, "/..") != 0);
    for (size_t at = 0; at < length;) {
        const size_t step = tr_utf8_next(path + at, length - at, NULL);
        FUZZ_REQUIRE(step > 0 && (unsigned char)path[at] >= ' ');
        at += step;
    }
}

/* No header that we send can be split by what was received. */
static void require_clean_answer(const struct tr_answer *answer)
{
    for (size_t i = 0; i < answer->header_count; i++) {
        const char *value = answer->headers[i].value;
        for (size_t at = 0; value[at] != '\0'; at++) {
            FUZZ_REQUIRE((unsigned char)value[at] >= ' ' && value[at] != 0x7f);
        }
    }
}

static void check_target(struct tr_exchange *exchange)
{
    struct tr_target target = { 0 };
    struct tr_fault fault = { 0 };
    if (tr_target_parse(&exchange->arena, exchange->request.target, true, &target, &fault)
        == TR_OK) {
        require_clean_path(target.path);
        exchange->request.path = target.path;
        exchange->request.query = target.query;
        (void)tr_exchange_query(exchange, "format");
    } else {
        FUZZ_REQUIRE(fault.what[0] != '\0');
    }
}

static void check_framing(struct tr_exchange *exchange)
{
    struct tr_framing framing = { .content_length = -1 };
    struct tr_fault fault = { 0 };
    tr_exchange_index(exchange);
    if (tr_framing_check(&exchange->request, POOL_BYTES / 2, &framing, &fault) == TR_OK) {
        FUZZ_REQUIRE(!framing.is_chunked || framing.content_length == -1);
        exchange->request.content_length = framing.content_length;
        exchange->request.is_chunked = framing.is_chunked;
    } else {
        FUZZ_REQUIRE(fault.what[0] != '\0');
    }
}

static void check_chain(struct tr_exchange *exchange)
{
    bool has_passed = tr_chain_admit(exchange);
    FUZZ_REQUIRE(has_passed || exchange->answer.is_ready);
    if (has_passed) {
        has_passed = tr_chain_enter(exchange);
        FUZZ_REQUIRE(has_passed || exchange->answer.is_ready);
    }
    if (has_passed && !exchange->answer.is_ready) {
        tr_answer_problem(exchange, TR_NOT_FOUND, NULL);
    }
    tr_chain_leave(exchange);
    require_clean_answer(&exchange->answer);
}

static const struct tr_policy *policy(void)
{
    static const char *const proxies[] = { "127.0.0.0/8", "10.0.0.0/8" };
    static const char *const origins[] = { "https://app.example.com" };
    static struct tr_policy policy = {
        .body_limit_bytes = 1024,
        .header_limit_bytes = POOL_BYTES / 2,
        .body_timeout_ms = 1000,
        .cors_origins = origins,
        .cors_origin_count = 1,
    };
    static struct tr_network_list *list;
    if (list == NULL) {
        struct tr_fault fault;
        FUZZ_REQUIRE(tr_network_list_new(proxies, 2, &list, &fault) == TR_OK);
        policy.trusted_proxies = list;
    }
    return &policy;
}

static void check(const struct head *head, size_t size)
{
    const struct sockaddr_in peer = {
        .sin_family = AF_INET,
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) },
    };
    struct tr_exchange exchange;
    tr_exchange_init(&exchange, policy());
    exchange.request = (struct tr_request){
        .method = strcmp(head->line, "POST") == 0 ? TR_METHOD_POST : TR_METHOD_GET,
        .method_text = head->line,
        .target = head->target,
        .path = "/",
        .query = "",
        .version = head->version,
        .headers = head->headers,
        .header_count = head->header_count,
        .header_bytes = size,
        .peer = (const struct sockaddr *)&peer,
        .body = "",
        .content_length = -1,
    };
    check_target(&exchange);
    check_framing(&exchange);
    check_chain(&exchange);
    tr_exchange_done(&exchange);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    FUZZ_REQUIRE(bytes != NULL);
    if (size > 0) {
        memcpy(bytes, data, size);
    }
    bytes[size] = '\0';
    struct head head = { 0 };
    if (take_head(bytes, &head)) {
        check(&head, size);
    }
    free(bytes);
    return 0;
}
