#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/clock.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/data.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&data_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* The identifiers of one call; `ret_answer` owns them. */
static json_t *made(const char *body, json_t **ret_answer)
{
    enum tr_status status = TR_INTERNAL;
    *ret_answer = tool_call(registry, "uuid_new", body, &status);
    assert_int_equal(status, TR_OK);
    return json_object_get(json_object_get(*ret_answer, "result"), "uuids");
}

static void uuid_new_gives_one_random_uuid_unless_asked_for_more(void **state)
{
    (void)state;
    json_t *answer = NULL;
    json_t *uuids = made("{}", &answer);

    assert_int_equal(json_array_size(uuids), 1);
    const char *uuid = json_string_value(json_array_get(uuids, 0));
    assert_int_equal(strlen(uuid), 36);
    assert_int_equal(uuid[14], '4');
    json_decref(answer);
}

static void uuid_new_sets_version_and_variant(void **state)
{
    (void)state;
    for (int version = 4; version <= 7; version += 3) {
        char body[64];
        (void)snprintf(body, sizeof(body), "{\"version\":\"v%d\",\"count\":100}", version);
        json_t *answer = NULL;
        json_t *uuids = made(body, &answer);
        size_t i = 0;
        json_t *item = NULL;
        json_array_foreach (uuids, i, item) {
            const char *uuid = json_string_value(item);

            assert_int_equal(strspn(uuid, "0123456789abcdef-"), 36);
            assert_int_equal(uuid[14], '0' + version);
            assert_non_null(strchr("89ab", uuid[19]));
        }
        assert_int_equal(i, 100);
        json_decref(answer);
    }
}

static void uuid_new_makes_no_uuid_twice(void **state)
{
    (void)state;
    json_t *answer = NULL;
    json_t *uuids = made("{\"count\":100}", &answer);
    for (size_t i = 0; i < 100; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_false(json_equal(json_array_get(uuids, i), json_array_get(uuids, j)));
        }
    }
    json_decref(answer);
}

/* Repeated, because the counter starts anywhere. */
static void uuid_new_orders_version_7_by_time_and_within_a_call(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        const int64_t before_ms = tr_clock_real_ms();
        json_t *answer = NULL;
        json_t *uuids = made("{\"version\":\"v7\",\"count\":100}", &answer);
        const int64_t after_ms = tr_clock_real_ms();
        const char *previous = "";
        size_t i = 0;
        json_t *item = NULL;
        json_array_foreach (uuids, i, item) {
            const char *uuid = json_string_value(item);
            unsigned long long high = 0;
            unsigned low = 0;

            assert_int_equal(sscanf(uuid, "%8llx-%4x-", &high, &low), 2);
            const int64_t made_ms = (int64_t)(high << 16 | low);
            assert_in_range(made_ms, before_ms, after_ms);
            assert_true(strcmp(previous, uuid) < 0);
            previous = uuid;
        }
        json_decref(answer);
    }
}

static void uuid_new_takes_a_count_from_1_to_100(void **state)
{
    (void)state;
    static const struct {
        int count;
        enum tr_status status;
    } cases[] = {
        { 0, TR_INVALID_PARAMETERS },
        { 1, TR_OK },
        { 100, TR_OK },
        { 101, TR_INVALID_PARAMETERS },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[64];
        (void)snprintf(body, sizeof(body), "{\"count\":%d}", cases[i].count);
        enum tr_status status = TR_INTERNAL;

        json_decref(tool_call(registry, "uuid_new", body, &status));

        assert_int_equal(status, cases[i].status);
    }
    assert_tool_refuses(registry, "uuid_new", "{\"version\":\"v1\"}", TR_INVALID_PARAMETERS,
                        "Parameter 'version' must be one of: v4, v7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uuid_new_gives_one_random_uuid_unless_asked_for_more),
        cmocka_unit_test(uuid_new_sets_version_and_variant),
        cmocka_unit_test(uuid_new_makes_no_uuid_twice),
        cmocka_unit_test(uuid_new_orders_version_7_by_time_and_within_a_call),
        cmocka_unit_test(uuid_new_takes_a_count_from_1_to_100),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
