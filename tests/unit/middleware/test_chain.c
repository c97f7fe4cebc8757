#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/middleware/fixture.h"

static char trace[64]; /* what ran, in order */

static void note(const char *what)
{
    assert_true(strlen(trace) + strlen(what) < sizeof(trace));
    memcpy(trace + strlen(trace), what, strlen(what) + 1);
}

static void admit_a(struct tr_exchange *exchange)
{
    (void)exchange;
    note("A");
}

static void leave_a(struct tr_exchange *exchange)
{
    (void)exchange;
    note("a");
}

static void admit_b(struct tr_exchange *exchange)
{
    (void)exchange;
    note("B");
}

static void enter_b(struct tr_exchange *exchange)
{
    (void)exchange;
    note("+");
}

static void leave_b(struct tr_exchange *exchange)
{
    (void)exchange;
    note("b");
}

static void refuse(struct tr_exchange *exchange)
{
    note("!");
    tr_answer_problem(exchange, TR_FORBIDDEN, NULL);
}

static void leave_refuser(struct tr_exchange *exchange)
{
    (void)exchange;
    note("r");
}

static void leave_always(struct tr_exchange *exchange)
{
    (void)exchange;
    note("z");
}

static const struct tr_middleware link_a = { .name = "a", .admit = admit_a, .leave = leave_a };
static const struct tr_middleware link_b = {
    .name = "b", .admit = admit_b, .enter = enter_b, .leave = leave_b
};
static const struct tr_middleware refuser = { .name = "refuser",
                                              .admit = refuse,
                                              .leave = leave_refuser };
static const struct tr_middleware enter_refuser = { .name = "enter refuser",
                                                    .enter = refuse,
                                                    .leave = leave_refuser };
static const struct tr_middleware empty = { .name = "empty" };
static const struct tr_middleware describer = { .name = "describer",
                                                .leave = leave_always,
                                                .leaves_always = true };

struct walk_case {
    const struct tr_middleware *links[5];
    size_t count;
    const char *trace;
    bool is_admitted, is_entered;
};

static void run_walk(const struct walk_case *expected)
{
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    struct tr_exchange *exchange = &fixture.exchange;
    trace[0] = '\0';

    const bool is_admitted = tr_links_admit(expected->links, expected->count, exchange);
    const bool is_entered =
        is_admitted && tr_links_enter(expected->links, expected->count, exchange);
    tr_links_leave(expected->links, expected->count, exchange);
    tr_links_leave(expected->links, expected->count, exchange);

    assert_int_equal(is_admitted, expected->is_admitted);
    assert_int_equal(is_entered, expected->is_entered);
    assert_string_equal(trace, expected->trace);
}

static void links_leave_in_reverse_once_when_they_admitted(void **state)
{
    (void)state;
    static const struct walk_case cases[] = {
        { { &link_a, &link_b }, 2, "AB+ba", true, true },
        { { &link_b, &empty, &link_a }, 3, "BA+ab", true, true },
        { { &link_a, &refuser, &link_b }, 3, "A!a", false, false },
        { { &refuser, &link_a }, 2, "!", false, false },
        { { &link_a, &link_b, &refuser }, 3, "AB!ba", false, false },
        { { &link_a, &enter_refuser, &link_b }, 3, "AB!bra", true, false },
        { { &link_b, &enter_refuser, &link_a }, 3, "BA+!arb", true, false },
        { { &link_a, &refuser, &describer, &link_b }, 4, "A!za", false, false },
        { { &describer, &refuser, &describer }, 3, "!zz", false, false },
        { { NULL }, 0, "", true, true },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        run_walk(&cases[i]);
    }
}

static void only_describing_links_leave_when_the_chain_was_never_entered(void **state)
{
    (void)state;
    const struct tr_middleware *links[] = { &link_a, &describer, &link_b };
    tr_auto(fixture) struct fixture fixture;
    fixture_init(&fixture);
    trace[0] = '\0';

    tr_answer_problem(&fixture.exchange, TR_BAD_REQUEST, NULL);
    tr_links_leave(links, 3, &fixture.exchange);

    assert_string_equal(trace, "z");
}

static void the_order_is_the_one_that_is_documented(void **state)
{
    (void)state;
    static const char *const names[] = {
        "request id", "access log", "forwarded", "header sanitizer", "security headers",
        "cors",       "body limit", "auth",      "deadline",
    };
    size_t count = 0;
    const struct tr_middleware *const *links = tr_chain_links(&count);

    assert_int_equal(count, sizeof(names) / sizeof(names[0]));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(links[i]->name, names[i]);
    }
}

static void every_answer_is_described_whoever_gives_it(void **state)
{
    (void)state;
    static const char *const described[] = {
        "X-Request-Id",  "Server-Timing", "X-Content-Type-Options", "Content-Security-Policy",
        "Cache-Control",
    };
    for (int refusal = 0; refusal < 3; refusal++) {
        tr_auto(fixture) struct fixture fixture;
        fixture_init(&fixture);
        fixture_header(&fixture, "Expect", refusal == 1 ? "a miracle" : NULL);
        if (refusal == 2) {
            tr_answer_problem(&fixture.exchange, TR_BAD_REQUEST, "before the chain");
        } else if (tr_chain_admit(&fixture.exchange) && tr_chain_enter(&fixture.exchange)) {
            tr_answer_ready(&fixture.exchange, TR_OK, "text/plain");
        }

        tr_chain_leave(&fixture.exchange);

        const int expected[] = { 200, 417, 400 };
        assert_int_equal(fixture.exchange.answer.http_status, expected[refusal]);
        for (size_t i = 0; i < sizeof(described) / sizeof(described[0]); i++) {
            assert_non_null(fixture_answer(&fixture, described[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_leave_in_reverse_once_when_they_admitted),
        cmocka_unit_test(only_describing_links_leave_when_the_chain_was_never_entered),
        cmocka_unit_test(the_order_is_the_one_that_is_documented),
        cmocka_unit_test(every_answer_is_described_whoever_gives_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
