#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"
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

#define CITIES "\"text\":\"name,city,age\\nAda,London,36\\nBlaise,Paris,39\\nAlan,London,41\\n\""

/* The answer when no row is ragged and all are there. */
#define WHOLE(columns, rows, total)                                   \
    "{\"columns\":[" columns "],\"rows\":[" rows "],\"total\":" total \
    ",\"truncated\":false,\"ragged_count\":0,\"ragged\":[]}"

static void csv_read_answers_rows(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *result;
    } cases[] = {
        { "\"text\":\"\"", WHOLE("", "", "0") },
        { "\"text\":\"a,b\"", WHOLE("\"a\",\"b\"", "", "0") },
        { "\"text\":\"a,b\\r\\n1,\\\"x\\r\\ny\\\"\\r\\n\"",
          WHOLE("\"a\",\"b\"", "{\"a\":\"1\",\"b\":\"x\\r\\ny\"}", "1") },
        { "\"text\":\"a;b\\n1;2,5\",\"delimiter\":\";\"",
          WHOLE("\"a\",\"b\"", "{\"a\":\"1\",\"b\":\"2,5\"}", "1") },
        { "\"text\":\"1,2\\n3,4\",\"header\":false",
          WHOLE("\"column_1\",\"column_2\"",
                "{\"column_1\":\"1\",\"column_2\":\"2\"},{\"column_1\":\"3\",\"column_2\":\"4\"}",
                "2") },
        { "\"text\":\"\",\"header\":false", WHOLE("", "", "0") },
        { "\"text\":\"1,2\",\"header\":[\"x\",\"y\"]",
          WHOLE("\"x\",\"y\"", "{\"x\":\"1\",\"y\":\"2\"}", "1") },
        { "\"text\":\"\",\"header\":[\"x\"],\"columns\":[\"x\"]", WHOLE("\"x\"", "", "0") },
        { CITIES ",\"shape\":\"arrays\",\"columns\":[\"age\",\"name\"]",
          WHOLE("\"age\",\"name\"", "[\"36\",\"Ada\"],[\"39\",\"Blaise\"],[\"41\",\"Alan\"]",
                "3") },
        { CITIES ",\"columns\":[\"name\"],\"filter\":[{\"column\":\"city\",\"equals\":\"London\"}]",
          WHOLE("\"name\"", "{\"name\":\"Ada\"},{\"name\":\"Alan\"}", "2") },
        { CITIES ",\"columns\":[\"name\"],\"filter\":[{\"column\":\"city\",\"equals\":\"London\"},"
                 "{\"column\":\"age\",\"equals\":\"41\"}]",
          WHOLE("\"name\"", "{\"name\":\"Alan\"}", "1") },
        { CITIES ",\"filter\":[{\"column\":\"city\",\"equals\":\"Londo\"}]",
          WHOLE("\"name\",\"city\",\"age\"", "", "0") },
        { "\"text\":\"a,b,c\\n1,,\\\"\\\"\\n\",\"types\":true",
          WHOLE("\"a\",\"b\",\"c\"", "{\"a\":1,\"b\":null,\"c\":\"\"}", "1") },
        { "\"text\":\"a,b\\n1,\\n\"", WHOLE("\"a\",\"b\"", "{\"a\":\"1\",\"b\":\"\"}", "1") },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].parameters);

        assert_tool_gives(registry, "csv_read", body, cases[i].result);
    }
}

static void csv_read_pages(void **state)
{
    (void)state;
    static const struct {
        const char *page, *rows, *rest;
    } cases[] = {
        { "\"offset\":0,\"limit\":1", "[\"Ada\"]", "\"truncated\":true,\"next_offset\":1" },
        { "\"offset\":0,\"limit\":2", "[\"Ada\"],[\"Blaise\"]",
          "\"truncated\":true,\"next_offset\":2" },
        { "\"offset\":0,\"limit\":3", "[\"Ada\"],[\"Blaise\"],[\"Alan\"]", "\"truncated\":false" },
        { "\"offset\":1,\"limit\":1", "[\"Blaise\"]", "\"truncated\":true,\"next_offset\":2" },
        { "\"offset\":2,\"limit\":1", "[\"Alan\"]", "\"truncated\":false" },
        { "\"offset\":3,\"limit\":1", "", "\"truncated\":false" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        char wanted[1000];
        (void)snprintf(body, sizeof(body),
                       "{" CITIES ",\"shape\":\"arrays\",\"columns\":[\"name\"],%s}",
                       cases[i].page);
        (void)snprintf(wanted, sizeof(wanted),
                       "{\"columns\":[\"name\"],\"rows\":[%s],\"total\":3,%s,\"ragged_count\":0,"
                       "\"ragged\":[]}",
                       cases[i].rows, cases[i].rest);

        assert_tool_gives(registry, "csv_read", body, wanted);
    }
}

static void csv_read_reports_ragged_rows_by_their_lines(void **state)
{
    (void)state;
    assert_tool_gives(registry, "csv_read", "{\"text\":\"a,b\\n1\\n\\\"2\\n\\\",3\\n4,5,6\\n\"}",
                      "{\"columns\":[\"a\",\"b\"],\"rows\":[{\"a\":\"1\",\"b\":null},"
                      "{\"a\":\"2\\n\",\"b\":\"3\"},{\"a\":\"4\",\"b\":\"5\"}],\"total\":3,"
                      "\"truncated\":false,\"ragged_count\":2,"
                      "\"ragged\":[{\"line\":2,\"fields\":1},{\"line\":5,\"fields\":3}]}");
}

static void csv_read_gives_every_column_a_name_of_its_own(void **state)
{
    (void)state;
    enum tr_status status = TR_INTERNAL;
    json_t *answer =
        tool_call(registry, "csv_read",
                  "{\"text\":\"a,,a,a_2,a\\n1,2,3,4,5\",\"shape\":\"arrays\"}", &status);

    json_auto_t *wanted = json_loads("[\"a\",\"column_2\",\"a_2\",\"a_2_2\",\"a_3\"]", 0, NULL);
    assert_int_equal(status, TR_OK);
    assert_true(json_equal(json_object_get(json_object_get(answer, "result"), "columns"), wanted));
    const json_t *warnings = json_object_get(json_object_get(answer, "metadata"), "warnings");
    assert_int_equal(json_array_size(warnings), 3);
    assert_string_equal(json_string_value(json_array_get(warnings, 0)),
                        "The name of column 3, 'a', is taken; it is 'a_2' here");
    json_decref(answer);
}

static void csv_read_says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *error;
    } cases[] = {
        { "\"text\":\"a\\n\\\"b\"",
          "Line 2: the quoted field that begins here has no closing quote; a quote inside of a "
          "field is written as two" },
        { "\"text\":\"a\\n\\\"b\\\"c\"",
          "Line 2: text follows a closing quote; write a quote inside of a field as two, and check "
          "the delimiter ','" },
        { CITIES ",\"columns\":[\"nmae\"]", "There is no column 'nmae'; did you mean 'name'?" },
        { CITIES ",\"columns\":[\"zip code\"]",
          "There is no column 'zip code' (there are: name, city, age)" },
        { CITIES ",\"filter\":[{\"column\":\"country\",\"equals\":\"\"}]",
          "There is no column 'country' (there are: name, city, age)" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1000];
        (void)snprintf(body, sizeof(body), "{%s}", cases[i].parameters);

        assert_tool_refuses(registry, "csv_read", body, TR_TOOL_FAILED, cases[i].error);
    }
}

static void csv_read_refuses_what_can_be_no_delimiter(void **state)
{
    (void)state;
    static const char *const delimiters[] = { "", ",,", "\\\"", "\\n", "\\r", "\\u00e9" };
    for (size_t i = 0; i < TR_COUNT_OF(delimiters); i++) {
        char body[100];
        (void)snprintf(body, sizeof(body), "{\"text\":\"\",\"delimiter\":\"%s\"}", delimiters[i]);
        enum tr_status status = TR_OK;

        json_decref(tool_call(registry, "csv_read", body, &status));

        assert_int_equal(status, TR_INVALID_PARAMETERS);
    }
}

/* `count` rows of one field with `length` bytes each. */
static char *long_body(size_t count, size_t length, const char *rest)
{
    struct tr_text body;
    tr_text_init(&body, (size_t)16 * 1024 * 1024);
    tr_text_add_string(&body, "{\"text\":\"a\\n");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < length; j++) {
            tr_text_add_char(&body, 'x');
        }
        tr_text_add_string(&body, "\\n");
    }
    tr_text_printf(&body, "\"%s}", rest);
    char *taken = tr_text_take(&body, NULL);
    assert_non_null(taken);
    return taken;
}

static void csv_read_stops_at_a_whole_row_when_the_answer_is_large(void **state)
{
    (void)state;
    char *body = long_body(1000, 1000, ",\"limit\":1000");
    enum tr_status status = TR_INTERNAL;

    json_t *answer = tool_call(registry, "csv_read", body, &status);

    const json_t *result = json_object_get(answer, "result");
    const size_t rows = json_array_size(json_object_get(result, "rows"));
    assert_int_equal(status, TR_OK);
    assert_in_range(rows, 600, 700);
    assert_int_equal(json_integer_value(json_object_get(result, "next_offset")), rows);
    assert_int_equal(json_integer_value(json_object_get(result, "total")), 1000);
    assert_null(json_object_get(answer, "metadata")); /* nothing was cut */
    json_decref(answer);
    free(body);
}

static void csv_read_answers_a_row_that_is_too_large_cut(void **state)
{
    (void)state;
    char *body = long_body(2, 900 * 1000, "");
    enum tr_status status = TR_INTERNAL;

    json_t *answer = tool_call(registry, "csv_read", body, &status);

    const json_t *result = json_object_get(answer, "result");
    assert_int_equal(status, TR_OK);
    assert_int_equal(json_array_size(json_object_get(result, "rows")), 1);
    assert_int_equal(json_integer_value(json_object_get(result, "next_offset")), 1);
    json_decref(answer);
    free(body);
}

static void csv_read_names_20_ragged_rows_and_counts_the_rest(void **state)
{
    (void)state;
    char *body = long_body(21, 1, ",\"header\":[\"a\",\"b\"]");
    enum tr_status status = TR_INTERNAL;

    json_t *answer = tool_call(registry, "csv_read", body, &status);

    const json_t *result = json_object_get(answer, "result");
    assert_int_equal(json_integer_value(json_object_get(result, "ragged_count")), 22);
    assert_int_equal(json_array_size(json_object_get(result, "ragged")), 20);
    json_decref(answer);
    free(body);
}

static void csv_read_survives_failing_allocations(void **state)
{
    (void)state;
    assert_tool_survives_failing_allocations(registry, "csv_read",
                                             "{" CITIES ",\"types\":true,\"columns\":[\"name\"]}");
    assert_tool_survives_failing_allocations(
        registry, "csv_read", "{\"text\":\"a,a\\n1,2\",\"shape\":\"arrays\",\"header\":false}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_read_answers_rows),
        cmocka_unit_test(csv_read_pages),
        cmocka_unit_test(csv_read_reports_ragged_rows_by_their_lines),
        cmocka_unit_test(csv_read_gives_every_column_a_name_of_its_own),
        cmocka_unit_test(csv_read_says_what_is_wrong),
        cmocka_unit_test(csv_read_refuses_what_can_be_no_delimiter),
        cmocka_unit_test(csv_read_stops_at_a_whole_row_when_the_answer_is_large),
        cmocka_unit_test(csv_read_answers_a_row_that_is_too_large_cut),
        cmocka_unit_test(csv_read_names_20_ragged_rows_and_counts_the_rest),
        cmocka_unit_test(csv_read_survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
