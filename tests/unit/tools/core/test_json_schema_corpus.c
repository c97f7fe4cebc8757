/* Every row of tests/data/json_schema.jsonl, and of tests/data/json_schema_more.jsonl, which speaks
 * of what the first one leaves out: the checker judges as the standard does, and what the parser
 * took is emitted as it was written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

enum { MAX_LINE_BYTES = 64 * 1024 };

static const char *const files[] = {
    TR_TEST_DATA_DIR "/json_schema.jsonl",
    TR_TEST_DATA_DIR "/json_schema_more.jsonl",
};

/* Give every row of both files to `judge`, which says whether it is content; gives how many it was
 * not content with, and names them. */
static size_t judge_rows(bool (*judge)(const json_t *row))
{
    size_t failed = 0;
    size_t rows = 0;
    char *line = malloc(MAX_LINE_BYTES);
    assert_non_null(line);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        FILE *file = fopen(files[i], "r");
        assert_non_null(file);
        while (fgets(line, MAX_LINE_BYTES, file) != NULL) {
            json_auto_t *row = json_loads(line, JSON_ALLOW_NUL, NULL);
            assert_non_null(row);
            rows++;
            if (!judge(row)) {
                failed++;
                print_error("%s: %s\n", json_string_value(json_object_get(row, "id")),
                            json_string_value(json_object_get(row, "why")));
            }
        }
        fclose(file);
    }
    free(line);
    assert_true(rows > 400);
    return failed;
}

static bool parse(const json_t *row, struct tr_schema_document *document)
{
    struct tr_fault fault = { .what = "" };
    const json_t *descriptor = json_object_get(row, "descriptor");
    if (tr_schema_parse(descriptor, document, &fault) == TR_OK) {
        return true;
    }
    print_error("%s: %s\n", fault.where, fault.what);
    return false;
}

static json_t *input_of(const json_t *row)
{
    json_t *input = json_loads(json_string_value(json_object_get(row, "input")),
                               JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    assert_non_null(input);
    return input;
}

/* The plain question and the list of violations give the same answer, the right one. */
static bool is_judged_right(const json_t *row)
{
    const bool is_valid = strcmp(json_string_value(json_object_get(row, "expect")), "valid") == 0;
    struct tr_schema_document document;
    if (!parse(row, &document)) {
        return false;
    }
    json_auto_t *input = input_of(row);
    struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };
    tr_check(document.root, input, NULL, &found);
    const bool fits = tr_check_fits(document.root, input);
    const bool is_right = fits == is_valid && tr_violations_any(&found) == !is_valid;
    tr_arena_done(&arena);
    tr_schema_document_done(&document);
    return is_right;
}

static void every_row_is_judged_right(void **state)
{
    (void)state;

    const size_t failed = judge_rows(is_judged_right);

    assert_int_equal(failed, 0);
}

/* ---- there and back ---- */

/* `true` is `{}` wherever a schema can stand. */
static void normalise_true(json_t *json)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;
    json_array_foreach (json, index, value) {
        if (json_is_true(value)) {
            json_array_set_new(json, index, json_object());
        }
    }
    json_object_foreach (json, key, value) {
        if (json_is_true(value)) {
            json_object_set_new(json, key, json_object());
        }
    }
}

/* A list of types has no order, and may be one. */
static void normalise_types(json_t *json)
{
    static const char *const order[] = {
        "array", "boolean", "integer", "null", "number", "object", "string",
    };
    json_t *sorted = json_array();
    const json_t *types = json_object_get(json, "type");
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        for (size_t j = 0; j < json_array_size(types); j++) {
            if (strcmp(json_string_value(json_array_get(types, j)), order[i]) == 0) {
                json_array_append(sorted, json_array_get(types, j));
            }
        }
    }
    if (json_is_array(types)) {
        json_object_set(json, "type",
                        json_array_size(sorted) == 1 ? json_array_get(sorted, 0) : sorted);
    }
    json_decref(sorted);
}

/* What a schema may say in two ways becomes one of them; what the tree does not keep goes. */
static void normalise(json_t *json)
{
    static const char *const dropped[] = { "$schema", "$id", "$comment" };
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;
    json_array_foreach (json, index, value) {
        normalise(value);
    }
    json_object_foreach (json, key, value) {
        normalise(value);
    }
    for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
        if (json_is_string(json_object_get(json, dropped[i]))) {
            json_object_del(json, dropped[i]);
        }
    }
    if (json_is_false(json_object_get(json, "uniqueItems"))) {
        json_object_del(json, "uniqueItems");
    }
    if (json_is_array(json_object_get(json, "required"))
        && json_array_size(json_object_get(json, "required")) == 0) {
        json_object_del(json, "required");
    }
    normalise_types(json);
    normalise_true(json);
}

/* Without the `items` and `properties` that the emitter always writes. */
static void drop_additions(json_t *emitted, const json_t *written)
{
    static const char *const added[] = { "items", "properties" };
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;
    for (size_t i = 0; i < 2 && json_is_object(written); i++) {
        const json_t *addition = json_object_get(emitted, added[i]);
        if (json_object_get(written, added[i]) == NULL && json_is_object(addition)
            && json_object_size(addition) == 0) {
            json_object_del(emitted, added[i]);
        }
    }
    json_object_foreach (emitted, key, value) {
        drop_additions(value, json_object_get(written, key));
    }
    json_array_foreach (emitted, index, value) {
        drop_additions(value, json_array_get(written, index));
    }
}

static bool comes_back_equal(const json_t *row)
{
    struct tr_schema_document document;
    if (!parse(row, &document)) {
        return false;
    }
    json_auto_t *emitted = tr_schema_emit(&document);
    json_auto_t *emitted_again = tr_schema_emit(&document);
    json_auto_t *written = json_pack("[O]", json_object_get(row, "descriptor"));
    json_auto_t *compared = json_pack("[O]", emitted);
    tr_schema_document_done(&document);
    const bool is_same = json_equal(emitted, emitted_again);
    normalise(written);
    normalise(compared);
    drop_additions(compared, written);
    const bool is_equal = is_same && tr_json_equal(compared, written);
    if (!is_equal) {
        char *text = json_dumps(emitted, JSON_ENCODE_ANY);
        print_error("emitted %s\n", text);
        free(text);
    }
    return is_equal;
}

static void every_schema_comes_back_equal(void **state)
{
    (void)state;

    const size_t failed = judge_rows(comes_back_equal);

    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_judged_right),
        cmocka_unit_test(every_schema_comes_back_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
