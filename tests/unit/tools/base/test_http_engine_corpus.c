/* The corpus of attack URLs against the engine itself: what must be blocked is never dialled. */
#include <jansson.h>

#include "tests/peer/peer.h"
#include "tests/unit/tools/base/engine_fixture.h"
#include "tools/core/json.h"

enum { LINE_BYTES = 64 * 1024, ADDRESSES_BYTES = 512 };

struct row {
    const json_t *dns;
    char addresses[ADDRESSES_BYTES];
};

static bool is_global(const char *address)
{
    return strcmp(address, "93.184.216.34") == 0;
}

/* As the row says; a name that it does not mention does not resolve. */
static const char *resolve(void *context, const char *host)
{
    struct row *row = context;
    const json_t *addresses = json_object_get(row->dns, host);
    size_t length = 0;
    for (size_t i = 0; i < json_array_size(addresses); i++) {
        const char *text = json_string_value(json_array_get(addresses, i));
        const bool is_v6 = strchr(text, ':') != NULL;
        length += (size_t)snprintf(row->addresses + length, sizeof(row->addresses) - length,
                                   is_v6 ? "%s[%s]" : "%s%s", i == 0 ? "" : ",", text);
    }
    return length != 0 ? row->addresses : NULL;
}

/* Tests open no connection to the outside, which a row would that begins with a public address. */
static bool dials_the_internet(const json_t *dns)
{
    for (void *at = tr_json_first(dns); at != NULL; at = tr_json_next(dns, at)) {
        const char *first = json_string_value(json_array_get(json_object_iter_value(at), 0));
        if (first != NULL && is_global(first)) {
            return true;
        }
    }
    return false;
}

static void assert_blocked(const json_t *line)
{
    struct row row = { .dns = json_object_get(line, "dns") };
    const char *url = json_string_value(json_object_get(line, "url"));
    struct tr_http_engine *engine = engine_new(&(struct tr_http_engine_options){
        .resolve = resolve,
        .resolve_context = &row,
    });
    struct ask ask = { .policy = &strict, .outbound = { .follows_redirects = true } };
    ask_url(&ask, "%s", url);
    const enum tr_status status = ask_now(engine, &ask);
    const bool has_no_address =
        status == TR_TOOL_FAILED && ask.answer.failure == TR_HTTP_FAILURE_DNS;
    if (status != TR_URL_BLOCKED && !has_no_address) {
        fail_msg("%s: status %d, %s", url, (int)status, tr_http_failure_name(ask.answer.failure));
    }
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(engine);
}

static void what_must_be_blocked_is_never_dialled(void **state)
{
    (void)state;
    static char text[LINE_BYTES];
    size_t count = 0;
    FILE *file = fopen(TR_TEST_DATA_DIR "/ssrf.jsonl", "r");
    assert_non_null(file);
    while (fgets(text, sizeof(text), file) != NULL) {
        json_auto_t *line = json_loads(text, JSON_ALLOW_NUL, NULL);
        assert_non_null(line);
        const char *expect = json_string_value(json_object_get(line, "expect"));
        const json_t *url = json_object_get(line, "url");
        /* The other kinds are tested with a peer: test_http_engine_redirect.c. */
        const bool is_plain = json_object_get(line, "redirects") == NULL
                              && json_object_get(line, "dns_seq") == NULL && json_is_string(url)
                              && strlen(json_string_value(url)) == json_string_length(url);
        if (strcmp(expect, "block") == 0 && is_plain
            && !dials_the_internet(json_object_get(line, "dns"))) {
            assert_blocked(line);
            count++;
        }
    }
    assert_int_equal(fclose(file), 0);
    assert_true(count > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_be_blocked_is_never_dialled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
