/* Any text as a JSON Schema; behind a NUL byte any text as a value to check against it. */
#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/arena.h"
#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

static inline void tr_schema_document_drop(struct tr_schema_document *document)
{
    tr_schema_document_done(document);
}

/* The list of violations and the plain question agree. */
static bool fits(const struct tr_schema_document *document, const json_t *value)
{
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_CALL_ARENA_BYTES);
    struct tr_violations found = { .arena = &arena };
    tr_check(document->root, value, NULL, &found);
    const bool answer = tr_check_fits(document->root, value);
    FUZZ_REQUIRE(answer != tr_violations_any(&found));
    return answer;
}

/* What the emitter writes is a schema that the parser takes, that is emitted the same, and that
 * judges the same. */
static void check_emitted(const struct tr_schema_document *document, const json_t *value)
{
    json_auto_t *emitted = tr_schema_emit(document);
    FUZZ_REQUIRE(emitted != NULL);
    tr_auto(schema_document) struct tr_schema_document again = { 0 };
    struct tr_fault fault;
    FUZZ_REQUIRE(tr_schema_parse(emitted, &again, &fault) == TR_OK);
    json_auto_t *emitted_again = tr_schema_emit(&again);
    FUZZ_REQUIRE(json_equal(emitted, emitted_again));
    FUZZ_REQUIRE(fits(document, value) == fits(&again, value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *separator = memchr(data, 0, size);
    const size_t schema_length = separator == NULL ? size : (size_t)(separator - data);
    json_auto_t *json = NULL;
    if (tr_json_parse((const char *)data, schema_length, &json, NULL) != TR_OK) {
        return 0;
    }
    json_auto_t *value = json_object();
    if (separator != NULL) {
        json_auto_t *given = NULL;
        if (tr_json_parse((const char *)separator + 1, size - schema_length - 1, &given, NULL)
            == TR_OK) {
            json_decref(value);
            value = tr_json_take(&given);
        }
    }
    tr_auto(schema_document) struct tr_schema_document document = { 0 };
    struct tr_fault fault = { 0 };
    if (tr_schema_parse(json, &document, &fault) != TR_OK) {
        FUZZ_REQUIRE(fault.what[0] != '\0');
        return 0;
    }
    check_emitted(&document, value);
    return 0;
}
