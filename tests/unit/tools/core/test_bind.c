#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/kinds.h"
#include "tests/support/weather.h"
#include "tools/core/arena.h"
#include "tools/core/descriptor.h"

enum { ARENA_BYTES = 64 * 1024 };

/* A bound struct and what it borrows from. */
struct bound {
    json_t *json;
    struct tr_arena arena;
    enum tr_status status;
    struct tr_fault fault;
    union {
        struct kinds kinds;
        struct weather_request weather;
    };
};

static json_t *parsed(const char *text)
{
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    return json;
}

static void bind_json(struct bound *bound, const struct tr_type *type, json_t *json)
{
    *bound = (struct bound){ .json = json };
    tr_arena_init(&bound->arena, ARENA_BYTES);
    memset(&bound->kinds, 0xff, sizeof(bound->kinds));
    bound->status = tr_bind(type, bound->json, &bound->arena, &bound->kinds, &bound->fault);
}

static void bind_text(struct bound *bound, const struct tr_type *type, const char *text)
{
    bind_json(bound, type, parsed(text));
}

static void done(struct bound *bound)
{
    tr_arena_done(&bound->arena);
    json_decref(bound->json);
}

static void assert_zeroed(const void *memory, size_t size)
{
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(bytes[i], 0);
    }
}

static void bind_fills_the_weather_request(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &weather_request_type,
              "{\"place\": {\"latitude\": 38.7, \"longitude\": -9}, \"days\": 2, "
              "\"units\": \"imperial\", \"include\": [\"wind\"], \"alerts\": true, "
              "\"hints\": {\"a\": [1]}}");

    const struct weather_request *weather = &bound.weather;
    assert_int_equal(bound.status, TR_OK);
    assert_int_equal(weather->place.choice, WEATHER_PLACE_POINT);
    assert_true(weather->place.point.latitude == 38.7);
    assert_true(weather->place.point.longitude == -9.0);
    assert_int_equal(weather->days, 2);
    assert_int_equal(weather->units, WEATHER_IMPERIAL);
    assert_int_equal(weather->include.count, 1);
    assert_string_equal(weather->include.items[0], "wind");
    assert_true(weather->alerts.has);
    assert_true(weather->alerts.value);
    assert_ptr_equal(weather->hints, json_object_get(bound.json, "hints"));
    done(&bound);
}

static void bind_fills_in_defaults_that_nobody_filled_in_before(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &weather_request_type, "{\"place\": \"Lisbon\"}");

    assert_int_equal(bound.status, TR_OK);
    assert_int_equal(bound.weather.place.choice, WEATHER_PLACE_CITY);
    assert_string_equal(bound.weather.place.city, "Lisbon");
    assert_int_equal(bound.weather.days, 3);
    assert_int_equal(bound.weather.units, WEATHER_METRIC);
    assert_null(bound.weather.include.items);
    assert_false(bound.weather.alerts.has);
    assert_null(bound.weather.hints);
    done(&bound);
}

static void bind_leaves_absent_what_is_not_there(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &kinds_type, kinds_small_json);

    const size_t first = offsetof(struct kinds, maybe_text);
    assert_int_equal(bound.status, TR_OK);
    assert_string_equal(bound.kinds.text, "");
    assert_zeroed((const unsigned char *)&bound.kinds + first, sizeof(bound.kinds) - first);
    done(&bound);
}

static void bind_fills_every_form_of_member(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &kinds_type, kinds_full_json);

    const struct kinds *kinds = &bound.kinds;
    assert_int_equal(bound.status, TR_OK);
    assert_true(kinds->maybe_integer.has);
    assert_true(kinds->maybe_integer.value == INT64_MIN);
    assert_true(kinds->maybe_number.has);
    assert_true(kinds->maybe_number.value == 1e300);
    assert_true(kinds->nothing.has);
    assert_int_equal(kinds->color, KINDS_DARK_GREEN);
    assert_true(kinds->maybe_point->y == 0.125);
    assert_int_equal(kinds->choice.choice, KINDS_ZOOMED);
    assert_int_equal(kinds->choice.zoomed.zoom, 3);
    assert_int_equal(kinds->numbers.count, 1);
    assert_true(kinds->flags.items[0]);
    assert_false(kinds->flags.items[1]);
    assert_int_equal(kinds->colors.items[1], KINDS_DARK_GREEN);
    assert_true(kinds->points.items[0].y == 2.5);
    assert_int_equal(kinds->choices.count, 6);
    assert_int_equal(kinds->choices.items[3].choice, KINDS_NOTHING);
    assert_int_equal(kinds->choices.items[4].choice, KINDS_POINT);
    assert_int_equal(kinds->choices.items[5].integers.items[0], 3);
    assert_true(json_is_null(kinds->values.items[0]));
    done(&bound);
}

static void bind_collects_undeclared_members_in_the_rest(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &kinds_type, kinds_full_json);

    assert_int_equal(json_object_size(bound.kinds.rest), 2);
    assert_int_equal(json_integer_value(json_object_get(bound.kinds.rest, "members")), 2);
    done(&bound);
}

static void bind_takes_null_for_absent_where_it_may_be_null(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &weather_request_type, "{\"place\": \"Lisbon\", \"alerts\": null}");

    assert_int_equal(bound.status, TR_OK);
    assert_false(bound.weather.alerts.has);
    done(&bound);
}

static void bind_keeps_null_of_a_free_form_member(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &weather_request_type, "{\"place\": \"Lisbon\", \"hints\": null}");

    assert_int_equal(bound.status, TR_OK);
    assert_true(json_is_null(bound.weather.hints));
    done(&bound);
}

static void bind_tells_an_empty_list_from_an_absent_one(void **state)
{
    (void)state;
    struct bound bound;

    bind_text(&bound, &weather_request_type, "{\"place\": \"Lisbon\", \"include\": []}");

    assert_int_equal(bound.status, TR_OK);
    assert_non_null(bound.weather.include.items);
    assert_int_equal(bound.weather.include.count, 0);
    done(&bound);
}

static void bind_fills_in_a_default_inside_an_alternative(void **state)
{
    (void)state;
    struct bound bound;
    json_t *json = parsed(kinds_small_json);
    json_object_set_new(json, "choice", parsed("{\"center\": {\"x\": 1, \"y\": 2}}"));

    bind_json(&bound, &kinds_type, json);

    assert_int_equal(bound.status, TR_OK);
    assert_int_equal(bound.kinds.choice.choice, KINDS_ZOOMED);
    assert_int_equal(bound.kinds.choice.zoomed.zoom, 7);
    done(&bound);
}

static void bind_takes_a_real_without_fraction_for_an_integer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum tr_status status;
        int64_t value;
    } cases[] = {
        { "2.0", TR_OK, 2 },
        { "-3e0", TR_OK, -3 },
        { "-9223372036854775808.0", TR_OK, INT64_MIN },
        { "9223372036854775807.0", TR_INTERNAL, 0 },
        { "2.5", TR_INTERNAL, 0 },
        { "1e300", TR_INTERNAL, 0 },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct bound bound;
        json_t *json = parsed(kinds_small_json);
        json_object_set_new(json, "integer", parsed(cases[i].text));

        bind_json(&bound, &kinds_type, json);

        assert_int_equal(bound.status, cases[i].status);
        assert_true(bound.kinds.integer == cases[i].value);
        done(&bound);
    }
}

static void bind_names_the_member_that_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *member, *value, *where;
    } cases[] = {
        { "text", "1", "/text" },
        { "integer", "\"1\"", "/integer" },
        { "number", "true", "/number" },
        { "flag", "0", "/flag" },
        { "point", "{\"x\": 1}", "/point/y" },
        { "point", "{\"x\": 1, \"y\": null}", "/point/y" },
        { "maybe_integer", "null", "/maybe_integer" },
        { "nothing", "false", "/nothing" },
        { "color", "\"green\"", "/color" },
        { "color", "1", "/color" },
        { "maybe_point", "[]", "/maybe_point" },
        { "choice", "{\"x\": \"1\"}", "/choice" },
        { "texts", "\"a\"", "/texts" },
        { "texts", "[\"a\", 1]", "/texts/1" },
        { "colors", "[\"red\", null]", "/colors/1" },
        { "points", "[{\"x\": 1, \"y\": \"2\"}]", "/points/0/y" },
        { "choices", "[1, {}]", "/choices/1" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct bound bound;
        json_t *json = parsed(kinds_small_json);
        json_object_set_new(json, cases[i].member, parsed(cases[i].value));

        bind_json(&bound, &kinds_type, json);

        assert_int_equal(bound.status, TR_INTERNAL);
        assert_string_equal(bound.fault.where, cases[i].where);
        assert_string_not_equal(bound.fault.what, "");
        assert_zeroed(&bound.kinds, sizeof(bound.kinds));
        done(&bound);
    }
}

static void bind_refuses_a_string_that_c_would_cut_short(void **state)
{
    (void)state;
    struct bound bound;
    json_t *json = parsed(kinds_small_json);
    json_object_set_new(json, "text", json_stringn("a\0b", 3));

    bind_json(&bound, &kinds_type, json);

    assert_int_equal(bound.status, TR_INTERNAL);
    assert_string_equal(bound.fault.where, "/text");
    done(&bound);
}

static void bind_refuses_a_document_that_is_no_object(void **state)
{
    (void)state;
    static const char *const texts[] = { "null", "1", "\"{}\"", "[]" };
    for (size_t i = 0; i < TR_COUNT_OF(texts); i++) {
        struct bound bound;

        bind_text(&bound, &kinds_type, texts[i]);

        assert_int_equal(bound.status, TR_INTERNAL);
        assert_string_equal(bound.fault.where, "");
        done(&bound);
    }
}

static void bind_never_fills_an_internal_member(void **state)
{
    (void)state;
    struct weather_response weather;
    json_t *json = parsed("{\"place\": \"Lisbon\", \"forecast\": [], \"upstream_calls\": 7}");
    struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);

    const enum tr_status status = tr_bind(&weather_response_type, json, &arena, &weather, NULL);

    assert_int_equal(status, TR_OK);
    assert_int_equal(weather.upstream_calls, 0);
    tr_arena_done(&arena);
    json_decref(json);
}

/* Three integers take 24 bytes, which the arena rounds up to 32. */
static void bind_stops_at_the_limit_of_the_arena(void **state)
{
    (void)state;
    static const struct {
        size_t limit;
        enum tr_status status;
    } cases[] = {
        { 31, TR_BODY_TOO_LARGE },
        { 32, TR_OK },
        { 33, TR_OK },
    };
    json_t *json = parsed(kinds_small_json);
    json_object_set_new(json, "maybe_text", json_null()); /* or its default would take memory */
    json_object_set_new(json, "integers", parsed("[1, 2, 3]"));
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_arena arena;
        struct kinds kinds;
        struct tr_fault fault = { .what = "" };
        tr_arena_init(&arena, cases[i].limit);

        const enum tr_status status = tr_bind(&kinds_type, json, &arena, &kinds, &fault);

        assert_int_equal(status, cases[i].status);
        assert_string_equal(fault.where, status == TR_OK ? "" : "/integers");
        tr_arena_done(&arena);
    }
    json_decref(json);
}

static bool bind_everything(void *context)
{
    json_t *json = context;
    struct tr_arena arena;
    struct kinds kinds;
    tr_arena_init(&arena, ARENA_BYTES);
    const enum tr_status status = tr_bind(&kinds_type, json, &arena, &kinds, NULL);
    if (status != TR_OK) {
        assert_int_equal(status, TR_NO_MEMORY);
        assert_zeroed(&kinds, sizeof(kinds));
    }
    tr_arena_done(&arena);
    return status == TR_OK;
}

static void bind_survives_every_failing_allocation(void **state)
{
    (void)state;
    json_t *json = parsed(kinds_full_json);
    json_object_set_new(json, "choice", parsed("{\"center\": {\"x\": 1, \"y\": 2}}"));

    alloc_fail_each(bind_everything, json);

    json_decref(json);
}

/* ---- random documents ---- */

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static json_t *random_scalar(uint32_t *seed)
{
    switch (next_random(seed) % 9) {
    case 0: return json_null();
    case 1: return json_true();
    case 2: return json_false();
    case 3: return json_integer((json_int_t)next_random(seed) * (1 << 30));
    case 4: return json_real((double)next_random(seed) * 1e30);
    case 5: return json_real((double)(next_random(seed) % 8));
    case 6: return json_string("red");
    case 7: return json_stringn("a\0b", 3);
    default: return json_string("");
    }
}

static json_t *random_json(uint32_t *seed, int depth);

static json_t *random_array(uint32_t *seed, int depth)
{
    json_t *array = json_array();
    for (uint32_t i = next_random(seed) % 4; i > 0; i--) {
        json_array_append_new(array, random_json(seed, depth - 1));
    }
    return array;
}

/* Mostly names that some table declares. */
static json_t *random_object(uint32_t *seed, int depth)
{
    json_t *object = json_object();
    for (uint32_t i = next_random(seed) % 4; i > 0; i--) {
        static const char *const keys[] = { "x", "y", "center", "zoom", "other" };
        const char *key = keys[next_random(seed) % TR_COUNT_OF(keys)];
        json_object_set_new(object, key, random_json(seed, depth - 1));
    }
    return object;
}

static json_t *random_json(uint32_t *seed, int depth)
{
    const uint32_t form = depth > 0 ? next_random(seed) % 4 : 0;
    if (form == 1) {
        return random_array(seed, depth);
    }
    return form == 2 ? random_object(seed, depth) : random_scalar(seed);
}

static void bind_survives_random_documents(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    uint32_t seed = 2463534242u;
    json_t *full = parsed(kinds_full_json);
    size_t fitting = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct bound bound;
        json_t *json = json_copy(full);
        const struct tr_field *field =
            &kinds_type.fields[next_random(&seed) % kinds_type.field_count];
        json_object_set_new(json, field->name, random_json(&seed, 3));

        bind_json(&bound, &kinds_type, json);

        assert_true(bound.status == TR_OK || bound.status == TR_INTERNAL);
        if (bound.status == TR_INTERNAL) {
            assert_memory_equal(bound.fault.where + 1, field->name, strlen(field->name));
        }
        fitting += bound.status == TR_OK;
        done(&bound);
    }
    /* Both outcomes were met often, or the documents were not random enough to show anything. */
    assert_true(fitting > ROUNDS / 20 && fitting < ROUNDS - ROUNDS / 20);
    json_decref(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bind_fills_the_weather_request),
        cmocka_unit_test(bind_fills_in_defaults_that_nobody_filled_in_before),
        cmocka_unit_test(bind_leaves_absent_what_is_not_there),
        cmocka_unit_test(bind_fills_every_form_of_member),
        cmocka_unit_test(bind_collects_undeclared_members_in_the_rest),
        cmocka_unit_test(bind_takes_null_for_absent_where_it_may_be_null),
        cmocka_unit_test(bind_keeps_null_of_a_free_form_member),
        cmocka_unit_test(bind_tells_an_empty_list_from_an_absent_one),
        cmocka_unit_test(bind_fills_in_a_default_inside_an_alternative),
        cmocka_unit_test(bind_takes_a_real_without_fraction_for_an_integer),
        cmocka_unit_test(bind_names_the_member_that_does_not_fit),
        cmocka_unit_test(bind_refuses_a_string_that_c_would_cut_short),
        cmocka_unit_test(bind_refuses_a_document_that_is_no_object),
        cmocka_unit_test(bind_never_fills_an_internal_member),
        cmocka_unit_test(bind_stops_at_the_limit_of_the_arena),
        cmocka_unit_test(bind_survives_every_failing_allocation),
        cmocka_unit_test(bind_survives_random_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
