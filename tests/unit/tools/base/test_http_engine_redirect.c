#include <jansson.h>

#include "tests/peer/peer.h"
#include "tests/unit/tools/base/engine_fixture.h"

static struct peer *peer, *other;
static struct tr_http_engine *engine;

static int start_all(void **state)
{
    (void)state;
    peer = peer_start(&(struct peer_options){ .port = 0 });
    other = peer_start(&(struct peer_options){ .port = 0 });
    engine = engine_new(&(struct tr_http_engine_options){ .queue_limit = 100 });
    return 0;
}

static int stop_all(void **state)
{
    (void)state;
    tr_http_engine_free(engine);
    peer_stop(other);
    peer_stop(peer);
    return 0;
}

/* ---- following ---- */

static void the_method_changes_as_the_status_says(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *method, *wanted;
        bool keeps_body;
    } rows[] = {
        { 301, "GET", "GET", false },      { 301, "POST", "GET", false },
        { 301, "PUT", "PUT", true },       { 302, "POST", "GET", false },
        { 302, "DELETE", "DELETE", true }, { 303, "POST", "GET", false },
        { 303, "PUT", "GET", false },      { 307, "POST", "POST", true },
        { 308, "PATCH", "PATCH", true },   { 308, "GET", "GET", false },
    };
    static const struct tr_out_header headers[] = {
        { .name = "Content-Type", .value = "text/plain" },
        { .name = "X-Stays", .value = "yes" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ask ask = { .outbound = {
                               .method = rows[i].method, .headers = headers, .header_count = 2 } };
        if (strcmp(rows[i].method, "GET") != 0) {
            ask.outbound.body = "body";
            ask.outbound.body_length = 4;
        }
        ask_redirect(&ask, peer, rows[i].status, "/echo");

        assert_int_equal(ask_now(engine, &ask), TR_OK);

        json_t *echo = json_loads(tr_text_string(&ask.answer.body), 0, NULL);
        const json_t *sent = json_object_get(echo, "headers");
        assert_string_equal(json_string_value(json_object_get(echo, "method")), rows[i].wanted);
        assert_string_equal(json_string_value(json_object_get(echo, "body")),
                            rows[i].keeps_body ? "body" : "");
        assert_non_null(json_object_get(sent, "x-stays"));
        if (!rows[i].keeps_body && ask.outbound.body != NULL) {
            assert_null(json_object_get(sent, "content-type"));
        }
        assert_non_null(strstr(ask.answer.url, "/echo"));
        json_decref(echo);
        tr_http_answer_done(&ask.answer);
    }
}

static void a_redirect_is_an_answer_for_who_does_not_follow(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    ask_redirect(&ask, peer, 302, "http://169.254.169.254/");
    ask.outbound.follows_redirects = false;

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    assert_int_equal(ask.answer.status, 302);
    tr_http_answer_done(&ask.answer);
}

static void other_statuses_with_a_location_are_answers(void **state)
{
    (void)state;
    static const int statuses[] = { 201, 300, 304, 305, 306 };
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        struct ask ask = { .outbound = { .method = NULL } };
        ask_redirect(&ask, peer, statuses[i], "/echo");
        assert_int_equal(ask_now(engine, &ask), TR_OK);
        assert_int_equal(ask.answer.status, statuses[i]);
        tr_http_answer_done(&ask.answer);
    }
}

/* Does the named header of `ask` arrive behind a redirect to `target`? */
static bool arrives(struct ask *ask, const char *name)
{
    assert_int_equal(ask_now(engine, ask), TR_OK);
    json_t *echo = json_loads(tr_text_string(&ask->answer.body), 0, NULL);
    assert_non_null(echo);
    const bool is_there = json_object_get(json_object_get(echo, "headers"), name) != NULL;
    json_decref(echo);
    tr_http_answer_done(&ask->answer);
    return is_there;
}

static void credentials_stay_with_their_origin(void **state)
{
    (void)state;
    static const struct tr_out_header headers[] = {
        { .name = "Authorization", .value = "Bearer abc" },
        { .name = "X-Odd", .value = "token=hush-hush" },
        { .name = "X-Plain", .value = "plain" },
    };
    char elsewhere[64];
    (void)snprintf(elsewhere, sizeof(elsewhere), "http://127.0.0.1:%u/echo",
                   (unsigned)peer_port(other));
    const struct {
        const char *target, *header;
        bool arrives;
    } rows[] = {
        { "/echo", "authorization", true },    { "/echo", "x-odd", true },
        { elsewhere, "authorization", false }, { elsewhere, "x-odd", false },
        { elsewhere, "x-plain", true },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct ask ask = { .outbound = {
                               .headers = headers, .header_count = 3, .secret = "hush-hush" } };
        ask_redirect(&ask, peer, 302, rows[i].target);
        assert_int_equal(arrives(&ask, rows[i].header), rows[i].arrives);
    }
}

static void credentials_do_not_come_back_on_the_way_home(void **state)
{
    (void)state;
    static const struct tr_out_header headers[] = {
        { .name = "Authorization", .value = "Bearer abc" },
    };
    char there[URL_BYTES];
    struct ask back = { .outbound = { .method = NULL } };
    char home[64];
    (void)snprintf(home, sizeof(home), "http://127.0.0.1:%u/echo", (unsigned)peer_port(peer));
    ask_redirect(&back, other, 302, home);
    (void)snprintf(there, sizeof(there), "%s", back.url);
    struct ask ask = { .outbound = { .headers = headers, .header_count = 1 } };
    ask_redirect(&ask, peer, 302, there);

    assert_false(arrives(&ask, "authorization"));
}

/* A redirect to itself through `count` hops is made of nested locations. */
static void nest(struct ask *ask, unsigned count)
{
    char target[URL_BYTES] = "/echo";
    for (unsigned i = 0; i < count; i++) {
        ask_redirect(ask, peer, 302, target);
        (void)snprintf(target, sizeof(target), "%s", strstr(ask->url, "/redirect"));
    }
}

static void two_hops_are_followed(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    nest(&ask, 3);
    assert_int_equal(ask_now(engine, &ask), TR_OK);
    assert_int_equal(ask.answer.status, 200);
    tr_http_answer_done(&ask.answer);
}

static void a_circle_ends_after_ten_redirects(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .follows_redirects = true } };
    ask_url(&ask, "http://127.0.0.1:%u/circle", (unsigned)peer_port(peer));
    const size_t before = peer_requests(peer);

    assert_int_equal(ask_now(engine, &ask), TR_TOOL_FAILED);

    assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_REDIRECTS);
    assert_int_equal(peer_requests(peer), before + 1 + TR_MAX_REDIRECTS);
    tr_http_answer_done(&ask.answer);
}

static void an_empty_location_leads_nowhere(void **state)
{
    (void)state;
    struct ask ask = { .outbound = { .method = NULL } };
    ask_redirect(&ask, peer, 302, "");

    assert_int_equal(ask_now(engine, &ask), TR_OK);

    assert_int_equal(ask.answer.status, 302);
    tr_http_answer_done(&ask.answer);
}

static void a_redirect_with_a_large_body_is_followed(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 100, 64 * 1024, 64 * 1024 + 1, 1000 * 1000 };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct ask ask = { .outbound = { .follows_redirects = true, .max_bytes = 1000 } };
        ask_url(&ask, "http://127.0.0.1:%u/redirect?to=/status/200&body=%u",
                (unsigned)peer_port(peer), sizes[i]);
        assert_int_equal(ask_now(engine, &ask), TR_OK);
        assert_int_equal(ask.answer.status, 200);
        assert_string_equal(tr_text_string(&ask.answer.body), "status");
        tr_http_answer_done(&ask.answer);
    }
}

/* ---- what must not be reached ---- */

static void redirects_to_blocked_targets_end(void **state)
{
    (void)state;
    static const char *const targets[] = {
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://[fe80::1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://224.0.0.1/",
        "http://0xa9fea9fe/",
        "http://2852039166/",
        "http://user:pass@example.com/",
        "http://example.com:22/",
        "//169.254.169.254/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "ftp://example.com/",
        "javascript:alert(1)",
        "http://example.com\\@169.254.169.254/",
        "http://%31%36%39.254.169.254/",
    };
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        struct ask ask = { .outbound = { .method = NULL } };
        ask_redirect(&ask, peer, 302, targets[i]);
        if (ask_now(engine, &ask) != TR_URL_BLOCKED) {
            fail_msg("%s: status %d", targets[i], (int)ask.status);
        }
        assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_BLOCKED);
        assert_string_not_equal(ask.answer.detail, "");
        tr_http_answer_done(&ask.answer);
    }
}

/* What names mean to the hook, look-up after look-up. */
struct names {
    const char *const *answers; /* NULL: there is none; the last one stays */
    size_t count, asked;
};

static const char *resolve(void *context, const char *host)
{
    struct names *names = context;
    (void)host;
    const size_t at = names->asked < names->count ? names->asked : names->count - 1;
    names->asked++;
    return names->answers[at];
}

static struct tr_http_engine *engine_with(struct names *names)
{
    return engine_new(&(struct tr_http_engine_options){
        .queue_limit = 10,
        .resolve = resolve,
        .resolve_context = names,
    });
}

static void a_name_for_a_private_address_is_never_dialled(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "127.0.0.1", "10.0.0.1,127.0.0.1", "127.0.0.1,93.184.216.34", "[::1],127.0.0.1",
        "0.0.0.0",   "[::ffff:127.0.0.1]", "169.254.169.254",
    };
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct names names = { .answers = &answers[i], .count = 1 };
        struct tr_http_engine *own = engine_with(&names);
        struct trap trap = trap_set();
        struct ask ask = { .policy = &strict };
        ask_url(&ask, "http://a.test:%u/", trap.port);

        assert_int_equal(ask_now(own, &ask), TR_URL_BLOCKED);

        assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_BLOCKED);
        trap_was_not_touched(&trap);
        tr_http_answer_done(&ask.answer);
        tr_http_engine_free(own);
    }
}

/* The first look-up gives an address that may be dialled, the second one does not: the second
 * hop of the same request. */
static void a_name_that_changes_its_mind_is_judged_again(void **state)
{
    (void)state;
    static const char *const answers[] = { "127.0.0.1", "169.254.169.254" };
    struct names names = { .answers = answers, .count = 2 };
    struct tr_http_engine *own = engine_with(&names);
    struct ask ask = { .outbound = { .follows_redirects = true } };
    ask_url(&ask, "http://a.test:%u/redirect?to=http://a.test:%u/", (unsigned)peer_port(peer),
            (unsigned)peer_port(other));
    const size_t before = peer_connections(other);

    assert_int_equal(ask_now(own, &ask), TR_URL_BLOCKED);

    assert_int_equal(names.asked, 2);
    assert_int_equal(peer_connections(other), before);
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(own);
}

static void a_public_name_that_becomes_private_is_never_dialled(void **state)
{
    (void)state;
    /* Nothing is behind the first address, and a test must not depend on that: it is cancelled. */
    static const char *const answers[] = { "192.0.2.1,127.0.0.1", "127.0.0.1" };
    struct names names = { .answers = answers, .count = 2 };
    struct tr_http_engine *own = engine_with(&names);
    struct trap trap = trap_set();
    for (int i = 0; i < 2; i++) {
        struct ask ask = { .policy = &strict };
        ask_url(&ask, "http://a.test:%u/", trap.port);
        assert_int_equal(ask_now(own, &ask), TR_URL_BLOCKED);
        tr_http_answer_done(&ask.answer);
    }
    trap_was_not_touched(&trap);
    tr_http_engine_free(own);
}

/* A kept connection is as good as a dialled one: the policy of who wants to use it decides. */
static void a_connection_of_another_policy_is_not_used(void **state)
{
    (void)state;
    static const char *const answers[] = { "127.0.0.1" };
    struct names names = { .answers = answers, .count = 1 };
    struct tr_http_engine *own = engine_with(&names);
    struct ask ask = { .outbound = { .method = NULL } };
    ask_url(&ask, "http://a.test:%u/status/200", (unsigned)peer_port(peer));
    assert_int_equal(ask_now(own, &ask), TR_OK);
    const size_t before = peer_requests(peer);
    ask_reset(&ask);
    ask.policy = &strict;

    assert_int_equal(ask_now(own, &ask), TR_URL_BLOCKED);

    assert_int_equal(peer_requests(peer), before);
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(own);
}

static void a_name_without_address_is_a_failure(void **state)
{
    (void)state;
    static const char *const answers[] = { NULL };
    struct names names = { .answers = answers, .count = 1 };
    struct tr_http_engine *own = engine_with(&names);
    struct ask ask = { .policy = &strict };
    ask_url(&ask, "http://a.test/");

    assert_int_equal(ask_now(own, &ask), TR_TOOL_FAILED);

    assert_int_equal(ask.answer.failure, TR_HTTP_FAILURE_DNS);
    tr_http_answer_done(&ask.answer);
    tr_http_engine_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_method_changes_as_the_status_says),
        cmocka_unit_test(a_redirect_is_an_answer_for_who_does_not_follow),
        cmocka_unit_test(other_statuses_with_a_location_are_answers),
        cmocka_unit_test(credentials_stay_with_their_origin),
        cmocka_unit_test(credentials_do_not_come_back_on_the_way_home),
        cmocka_unit_test(two_hops_are_followed),
        cmocka_unit_test(a_circle_ends_after_ten_redirects),
        cmocka_unit_test(an_empty_location_leads_nowhere),
        cmocka_unit_test(a_redirect_with_a_large_body_is_followed),
        cmocka_unit_test(redirects_to_blocked_targets_end),
        cmocka_unit_test(a_name_for_a_private_address_is_never_dialled),
        cmocka_unit_test(a_name_that_changes_its_mind_is_judged_again),
        cmocka_unit_test(a_public_name_that_becomes_private_is_never_dialled),
        cmocka_unit_test(a_connection_of_another_policy_is_not_used),
        cmocka_unit_test(a_name_without_address_is_a_failure),
    };
    return cmocka_run_group_tests(tests, start_all, stop_all);
}
