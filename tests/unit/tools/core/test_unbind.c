#include <math.h>
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
#include "tools/core/text.h"

enum { ARENA_BYTES = 64 * 1024, TEXT_BYTES = 64 * 1024 };

static void assert_written(const struct tr_type *type, const void *in, const char *wanted)
{
    struct tr_text out;
    tr_text_init(&out, TEXT_BYTES);
    struct tr_fault fault = { .what = "" };

    const enum tr_status status = tr_unbind(type, in, &out, &fault);

    assert_string_equal(fault.what, "");
    assert_int_equal(status, TR_OK);
    assert_string_equal(tr_text_string(&out), wanted);
    tr_text_done(&out);
}

static void assert_refused(const struct tr_type *type, const void *in, const char *where)
{
    struct tr_text out;
    tr_text_init(&out, TEXT_BYTES);
    struct tr_fault fault = { .what = "" };

    const enum tr_status status = tr_unbind(type, in, &out, &fault);

    assert_int_equal(status, TR_INTERNAL);
    assert_string_equal(fault.where, where);
    assert_string_not_equal(fault.what, "");
    tr_text_done(&out);
}

static void unbind_writes_the_weather_response(void **state)
{
    (void)state;
    const struct weather_day days[] = {
        { .date = "2026-01-02", .high = 12.5, .low = 3 },
        { .date = "2026-01-03", .high = 11, .low = -0.5, .rain = { .has = true, .value = 4.2 } },
    };
    const struct weather_response response = {
        .place = "Lisbon",
        .forecast = { .items = days, .count = TR_COUNT_OF(days) },
        .upstream_calls = 3,
    };

    assert_written(&weather_response_type, &response,
                   "{\"place\":\"Lisbon\",\"forecast\":["
                   "{\"date\":\"2026-01-02\",\"high\":12.5,\"low\":3.0,\"rain\":null},"
                   "{\"date\":\"2026-01-03\",\"high\":11.0,\"low\":-0.5,\"rain\":4.2}]}");
}

static void unbind_takes_a_required_list_without_items_for_an_empty_one(void **state)
{
    (void)state;
    const struct weather_response response = { .place = "Atlantis" };

    assert_written(&weather_response_type, &response, "{\"place\":\"Atlantis\",\"forecast\":[]}");
}

static void unbind_writes_nothing_as_an_empty_object(void **state)
{
    (void)state;
    const struct tr_empty nothing = { 0 };

    assert_written(&tr_empty_type, &nothing, "{}");
}

static void unbind_leaves_out_what_is_absent(void **state)
{
    (void)state;
    const struct kinds kinds = { .text = "", .number = 0.5, .point = { .x = 1.5, .y = -2.5 } };

    assert_written(&kinds_type, &kinds, kinds_small_json);
}

static void unbind_never_writes_a_declared_name_from_the_rest(void **state)
{
    (void)state;
    json_auto_t *rest = json_pack("{s:s, s:i, s:s}", "text", "again", "more", 1, "\"", "quoted");
    const struct kinds kinds = { .text = "", .number = 0.5, .rest = rest };

    assert_written(&kinds_type, &kinds,
                   "{\"text\":\"\",\"integer\":0,\"number\":0.5,\"flag\":false,"
                   "\"point\":{\"x\":0.0,\"y\":0.0},\"more\":1,\"\\\"\":\"quoted\"}");
}

static void unbind_replaces_bytes_that_are_no_utf8(void **state)
{
    (void)state;
    const struct weather_response response = { .place = "Lis\xff"
                                                        "bon" };

    assert_written(&weather_response_type, &response,
                   "{\"place\":\"Lis\xef\xbf\xbd"
                   "bon\",\"forecast\":[]}");
}

static void bind_and_unbind_give_the_document_back(void **state)
{
    (void)state;
    const char *const texts[] = { kinds_small_json, kinds_full_json };
    for (size_t i = 0; i < TR_COUNT_OF(texts); i++) {
        json_auto_t *json = json_loads(texts[i], 0, NULL);
        struct tr_arena arena;
        tr_arena_init(&arena, ARENA_BYTES);
        struct kinds first;
        assert_int_equal(tr_bind(&kinds_type, json, &arena, &first, NULL), TR_OK);
        assert_written(&kinds_type, &first, texts[i]);

        /* The other way round: what was written binds to the same, and is written the same. */
        struct tr_text out;
        tr_text_init(&out, TEXT_BYTES);
        assert_int_equal(tr_unbind(&kinds_type, &first, &out, NULL), TR_OK);
        json_auto_t *again = json_loads(tr_text_string(&out), 0, NULL);
        struct kinds second;
        assert_int_equal(tr_bind(&kinds_type, again, &arena, &second, NULL), TR_OK);
        assert_written(&kinds_type, &second, texts[i]);
        tr_text_done(&out);
        tr_arena_done(&arena);
    }
}

/* ---- what a tool can get wrong ---- */

static const char *const no_text[] = { "a", NULL };
static const enum kinds_color no_color[] = { KINDS_RED, KINDS_COLOR_ABSENT };
static const enum kinds_color bad_color[] = { (enum kinds_color)3 };
static const double no_number[] = { 1, 2, (double)NAN };
static const struct kinds_point no_point[] = { { 1, 2 }, { 1, -(double)INFINITY } };
static const struct kinds_choice no_choice[] = { { .choice = 0 } };
static json_t *const no_value[] = { NULL };

static void set_no_required_text(struct kinds *kinds)
{
    kinds->text = NULL;
}
static void set_nan(struct kinds *kinds)
{
    kinds->number = (double)NAN;
}
static void set_infinity(struct kinds *kinds)
{
    kinds->maybe_number = (struct tr_opt_num){ .has = true, .value = (double)INFINITY };
}
static void set_nan_below(struct kinds *kinds)
{
    kinds->point.y = (double)NAN;
}
static void set_enum_above(struct kinds *kinds)
{
    kinds->color = (enum kinds_color)3;
}
static void set_enum_far_above(struct kinds *kinds)
{
    kinds->color = (enum kinds_color)0x7fffffff;
}
static void set_choice_above(struct kinds *kinds)
{
    kinds->choice.choice = KINDS_INTEGERS + 1;
}
static void set_choice_below(struct kinds *kinds)
{
    kinds->choice.choice = -1;
}
static void set_chosen_text_missing(struct kinds *kinds)
{
    kinds->choice.choice = KINDS_TEXT;
}
static void set_text_item_missing(struct kinds *kinds)
{
    kinds->texts.items = no_text;
    kinds->texts.count = TR_COUNT_OF(no_text);
}
static void set_color_item_absent(struct kinds *kinds)
{
    kinds->colors.items = no_color;
    kinds->colors.count = TR_COUNT_OF(no_color);
}
static void set_color_item_unnamed(struct kinds *kinds)
{
    kinds->colors.items = bad_color;
    kinds->colors.count = TR_COUNT_OF(bad_color);
}
static void set_number_item_nan(struct kinds *kinds)
{
    kinds->numbers.items = no_number;
    kinds->numbers.count = TR_COUNT_OF(no_number);
}
static void set_point_item_infinite(struct kinds *kinds)
{
    kinds->points.items = no_point;
    kinds->points.count = TR_COUNT_OF(no_point);
}
static void set_choice_item_absent(struct kinds *kinds)
{
    kinds->choices.items = no_choice;
    kinds->choices.count = TR_COUNT_OF(no_choice);
}
static void set_value_item_missing(struct kinds *kinds)
{
    kinds->values.items = no_value;
    kinds->values.count = TR_COUNT_OF(no_value);
}
static void set_rest_array(struct kinds *kinds)
{
    kinds->rest = json_array();
}

static void unbind_names_what_the_tool_got_wrong(void **state)
{
    (void)state;
    static const struct {
        void (*set)(struct kinds *kinds);
        const char *where;
    } cases[] = {
        { set_no_required_text, "/text" },
        { set_nan, "/number" },
        { set_infinity, "/maybe_number" },
        { set_nan_below, "/point/y" },
        { set_enum_above, "/color" },
        { set_enum_far_above, "/color" },
        { set_choice_above, "/choice" },
        { set_choice_below, "/choice" },
        { set_chosen_text_missing, "/choice" },
        { set_text_item_missing, "/texts/1" },
        { set_color_item_absent, "/colors/1" },
        { set_color_item_unnamed, "/colors/0" },
        { set_number_item_nan, "/numbers/2" },
        { set_point_item_infinite, "/points/1/y" },
        { set_choice_item_absent, "/choices/0" },
        { set_value_item_missing, "/values/0" },
        { set_rest_array, "/rest" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct kinds kinds = { .text = "" };
        cases[i].set(&kinds);

        assert_refused(&kinds_type, &kinds, cases[i].where);

        json_decref(kinds.rest);
    }
}

static void unbind_refuses_a_count_without_items(void **state)
{
    (void)state;
    const struct weather_response response = { .place = "Lisbon", .forecast = { .count = 1 } };

    assert_refused(&weather_response_type, &response, "/forecast");
}

static void unbind_stops_at_the_limit_of_the_text(void **state)
{
    (void)state;
    static const char wanted[] = "{\"place\":\"Lisbon\",\"forecast\":[]}";
    const struct weather_response response = { .place = "Lisbon" };
    for (size_t limit = sizeof(wanted) - 2; limit <= sizeof(wanted); limit++) {
        struct tr_text out;
        tr_text_init(&out, limit);

        const enum tr_status status = tr_unbind(&weather_response_type, &response, &out, NULL);

        assert_int_equal(status, limit < sizeof(wanted) - 1 ? TR_BODY_TOO_LARGE : TR_OK);
        tr_text_done(&out);
    }
}

static bool unbind_everything(void *context)
{
    const struct kinds *kinds = context;
    struct tr_text out;
    tr_text_init(&out, TEXT_BYTES);
    const enum tr_status status = tr_unbind(&kinds_type, kinds, &out, NULL);
    if (status == TR_OK) {
        assert_string_equal(tr_text_string(&out), kinds_full_json);
    } else {
        assert_int_equal(status, TR_NO_MEMORY);
    }
    tr_text_done(&out);
    return status == TR_OK;
}

static void unbind_survives_every_failing_allocation(void **state)
{
    (void)state;
    json_auto_t *json = json_loads(kinds_full_json, 0, NULL);
    struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);
    struct kinds kinds;
    assert_int_equal(tr_bind(&kinds_type, json, &arena, &kinds, NULL), TR_OK);

    alloc_fail_each(unbind_everything, &kinds);

    tr_arena_done(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unbind_writes_the_weather_response),
        cmocka_unit_test(unbind_takes_a_required_list_without_items_for_an_empty_one),
        cmocka_unit_test(unbind_writes_nothing_as_an_empty_object),
        cmocka_unit_test(unbind_leaves_out_what_is_absent),
        cmocka_unit_test(unbind_never_writes_a_declared_name_from_the_rest),
        cmocka_unit_test(unbind_replaces_bytes_that_are_no_utf8),
        cmocka_unit_test(bind_and_unbind_give_the_document_back),
        cmocka_unit_test(unbind_names_what_the_tool_got_wrong),
        cmocka_unit_test(unbind_refuses_a_count_without_items),
        cmocka_unit_test(unbind_stops_at_the_limit_of_the_text),
        cmocka_unit_test(unbind_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
