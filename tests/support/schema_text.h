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

#endif
