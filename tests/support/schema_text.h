/* schema_text.h - schemas and values for tests, written as JSON where they are used. */
#ifndef TR_TESTS_SUPPORT_SCHEMA_TEXT_H
#define TR_TESTS_SUPPORT_SCHEMA_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/schema.h"

/* The value of a JSON text, which must be one. Gives a new reference. */
static inline json_t *json_of(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (value == NULL) {
        fail_msg("%s: %s", text, error.text);
    }
    return value;
}

/* The document of a schema text, which must be accepted. */
static inline struct tr_schema_document schema_of(const char *text)
{
    struct tr_schema_document document;
    struct tr_fault fault = { .what = "" };
    json_auto_t *json = json_of(text);
    if (tr_schema_parse(json, &document, &fault) != TR_OK) {
        fail_msg("%s: at '%s': %s", text, fault.where, fault.what);
    }
    return document;
}

/* Fails the test unless `value` is the same JSON as the text `expected`, where 1 and 1.0 differ. */
static inline void assert_json(const json_t *value, const char *expected)
{
    json_auto_t *wanted = json_of(expected);
    if (value == NULL || !json_equal(value, wanted)) {
        char *came = json_dumps(value, JSON_ENCODE_ANY);
        fail_msg("wanted %s, came %s", expected, came != NULL ? came : "nothing");
    }
}

#endif
