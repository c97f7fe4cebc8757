#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tests/support/tool_call.h"
#include "tools/core/descriptor.h"
#include "tools/core/pipeline.h"
#include "tools/suites/text/text.h"

static struct tr_registry *registry;

static int load(void **state)
{
    (void)state;
    registry = tool_registry(&text_suite);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    return 0;
}

/* Everything the cases look for. */
#define DOCUMENT                                                                                  \
    "{\"a\":{\"b\":[{\"c\":1.5},{\"c\":null}],\"e\":\"text\"},\"n\":7,\"t\":true,\"\":\"empty\"," \
    "\"a.b\":\"dotted\",\"m~n\":\"tilde\",\"x/y\":\"slash\",\"0\":\"zero\",\"o\":{}}"

static void write_body(char *body, size_t room, const char *document, const char *query)
{
    (void)snprintf(body, room, "{\"document\":%s,\"query\":\"%s\"}", document, query);
}

static void json_query_finds_values_by_path_and_by_pointer(void **state)
{
    (void)state;
    static const struct {
        const char *query, *value, *type, *pointer;
    } cases[] = {
        { "", DOCUMENT, "object", "" },
        { "$", DOCUMENT, "object", "" },
        { "n", "7", "integer", "/n" },
        { "$.n", "7", "integer", "/n" },
        { "a.b[0].c", "1.5", "number", "/a/b/0/c" },
        { "a.b.0.c", "1.5", "number", "/a/b/0/c" },
        { "$.a.b[1].c", "null", "null", "/a/b/1/c" },
        { "/a/b/1", "{\"c\":null}", "object", "/a/b/1" },
        { "a.b", "[{\"c\":1.5},{\"c\":null}]", "array", "/a/b" },
        { "a.e", "\"text\"", "string", "/a/e" },
        { "t", "true", "boolean", "/t" },
        { "0", "\"zero\"", "string", "/0" },
        { "/", "\"empty\"", "string", "/" },
        { "/a.b", "\"dotted\"", "string", "/a.b" },
        { "/m~0n", "\"tilde\"", "string", "/m~0n" },
        { "m~n", "\"tilde\"", "string", "/m~0n" },
        { "/x~1y", "\"slash\"", "string", "/x~1y" },
        { "x/y", "\"slash\"", "string", "/x~1y" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1024];
        char wanted[1024];
        write_body(body, sizeof(body), DOCUMENT, cases[i].query);
        (void)snprintf(wanted, sizeof(wanted), "{\"value\":%s,\"type\":\"%s\",\"pointer\":\"%s\"}",
                       cases[i].value, cases[i].type, cases[i].pointer);

        assert_tool_gives(registry, "json_query", body, wanted);
    }
}

static void json_query_names_the_step_that_leads_nowhere(void **state)
{
    (void)state;
    static const struct {
        const char *document, *query, *error;
    } cases[] = {
        { "{\"y\":1,\"z\":2}", "x", "No member 'x' at the root of the document (it has: y, z)" },
        { DOCUMENT, "a.b[0].x", "No member 'x' at 'a.b[0]' (it has: c)" },
        { DOCUMENT, "/a/b/0/x", "No member 'x' at '/a/b/0' (it has: c)" },
        { DOCUMENT, "o.x", "No member 'x' at 'o' (it is empty)" },
        { DOCUMENT, "a.b[2]",
          "No item '2' at 'a.b' (it is an array with 2 items, counted from 0)" },
        { DOCUMENT, "a.b.first",
          "No item 'first' at 'a.b' (it is an array with 2 items, counted from 0)" },
        { DOCUMENT, "/a/b/01",
          "No item '01' at '/a/b' (it is an array with 2 items, counted from 0)" },
        { DOCUMENT, "/a/b/-",
          "No item '-' at '/a/b' (it is an array with 2 items, counted from 0)" },
        { DOCUMENT, "a.b[99999999999999999999]",
          "No item '99999999999999999999' at 'a.b' (it is an array with 2 items, counted from 0)" },
        { DOCUMENT, "a[0]", "No item '0' at 'a' (it is an object, which has names)" },
        { DOCUMENT, "a.e.x",
          "No member 'x' at 'a.e' (it is of type string and has nothing below it)" },
        { DOCUMENT, "a.b[1].c.x",
          "No member 'x' at 'a.b[1].c' (it is null and has nothing below it)" },
        { "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":"
          "1,"
          "\"l\":1}",
          "x",
          "No member 'x' at the root of the document (it has: a, b, c, d, e, f, g, h, i, j and 2 "
          "more)" },
        { DOCUMENT, "t.x",
          "No member 'x' at 't' (it is of type boolean and has nothing below it)" },
        { "{\"a234567890123456789012345678901234567\u00e9\u00e9\u00e9\":1}", "x",
          "No member 'x' at the root of the document (it has: "
          "a234567890123456789012345678901234567\xc3\xa9...)" },
        { "7", "x",
          "No member 'x' at the root of the document (it is of type integer and has nothing below "
          "it)" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1024];
        write_body(body, sizeof(body), cases[i].document, cases[i].query);

        assert_tool_refuses(registry, "json_query", body, TR_TOOL_FAILED, cases[i].error);
    }
}

static void json_query_reads_a_document_that_is_json_text(void **state)
{
    (void)state;
    assert_tool_gives(registry, "json_query",
                      "{\"document\":\"{\\\"a\\\":[1,2]}\",\"query\":\"a[1]\"}",
                      "{\"value\":2,\"type\":\"integer\",\"pointer\":\"/a/1\"}");
    assert_tool_gives(registry, "json_query", "{\"document\":\"no JSON\",\"query\":\"\"}",
                      "{\"value\":\"no JSON\",\"type\":\"string\",\"pointer\":\"\"}");
}

static void json_query_says_that_a_text_is_no_json(void **state)
{
    (void)state;
    static const char wanted[] =
        "The document is a string that holds no JSON text: Invalid JSON at ";
    enum tr_status status = TR_OK;

    json_auto_t *answer =
        tool_call(registry, "json_query", "{\"document\":\"no JSON\",\"query\":\"x\"}", &status);

    assert_int_equal(status, TR_TOOL_FAILED);
    const char *error = json_string_value(json_object_get(answer, "error"));
    assert_non_null(error);
    assert_memory_equal(error, wanted, strlen(wanted));
}

static void json_query_takes_null_for_a_document(void **state)
{
    (void)state;
    assert_tool_gives(registry, "json_query", "{\"document\":null,\"query\":\"\"}",
                      "{\"value\":null,\"type\":\"null\",\"pointer\":\"\"}");
}

static void json_query_refuses_what_is_no_path(void **state)
{
    (void)state;
    static const struct {
        const char *query, *error;
    } cases[] = {
        { ".a", "A path begins with a name, as in a.b, and a JSON Pointer with '/'" },
        { "a..b", "The path has an empty step; an empty name needs a JSON Pointer, as in /a//b" },
        { "a.", "The path has an empty step; an empty name needs a JSON Pointer, as in /a//b" },
        { "a[0]b", "Behind ']' a path goes on with '.' or '['" },
        { "a[x]", "In a path '[' is followed by an index and ']', as in a[0]; a name with dots or "
                  "brackets needs a JSON Pointer, as in /a.b/c" },
        { "a[", "In a path '[' is followed by an index and ']', as in a[0]; a name with dots or "
                "brackets needs a JSON Pointer, as in /a.b/c" },
        { "a[1", "In a path '[' is followed by an index and ']', as in a[0]; a name with dots or "
                 "brackets needs a JSON Pointer, as in /a.b/c" },
        { "/a~2", "In a JSON Pointer '~' must be written ~0 and a '/' inside of a name ~1" },
        { "/a~", "In a JSON Pointer '~' must be written ~0 and a '/' inside of a name ~1" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[1024];
        write_body(body, sizeof(body), "{}", cases[i].query);

        assert_tool_refuses(registry, "json_query", body, TR_INVALID_PARAMETERS, cases[i].error);
    }
}

static void json_query_takes_64_steps_and_no_more(void **state)
{
    (void)state;
    for (size_t steps = 63; steps <= 65; steps++) {
        char query[256] = "";
        for (size_t i = 0; i < steps; i++) {
            memcpy(query + 2 * i, "/a", 3);
        }
        char body[1024];
        write_body(body, sizeof(body), "{}", query);
        enum tr_status status = TR_OK;

        json_t *answer = tool_call(registry, "json_query", body, &status);

        assert_int_equal(status, steps <= 64 ? TR_TOOL_FAILED : TR_INVALID_PARAMETERS);
        json_decref(answer);
    }
}

static bool query_once(void *context)
{
    const char *body = context;
    struct tr_call call;
    tr_call_init(&call);
    struct tr_text out;
    tr_text_init(&out, 1000);
    struct tr_run run;
    tr_run_init(&run, tr_registry_find(registry, "json_query"), &call, body, strlen(body));
    const bool is_fine = tr_run_all(&run, &out) == TR_OK;
    tr_text_done(&out);
    tr_run_done(&run);
    tr_call_done(&call);
    return is_fine;
}

static void json_query_survives_every_failing_allocation(void **state)
{
    (void)state;
    char body[] = "{\"document\":\"{\\\"a\\\":[1,2]}\",\"query\":\"/a/1\"}";
    alloc_fail_each(query_once, body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_query_finds_values_by_path_and_by_pointer),
        cmocka_unit_test(json_query_names_the_step_that_leads_nowhere),
        cmocka_unit_test(json_query_reads_a_document_that_is_json_text),
        cmocka_unit_test(json_query_says_that_a_text_is_no_json),
        cmocka_unit_test(json_query_takes_null_for_a_document),
        cmocka_unit_test(json_query_refuses_what_is_no_path),
        cmocka_unit_test(json_query_takes_64_steps_and_no_more),
        cmocka_unit_test(json_query_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
