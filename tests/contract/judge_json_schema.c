#include <string.h>

#include "tests/contract/judge.h"
#include "tools/core/check.h"
#include "tools/core/schema.h"

/* Rows of json_schema.jsonl: is the document `input` valid against the schema `descriptor`? */

enum { MAX_INPUT_BYTES = 64 * 1024 * 1024 };

static const char *verdict(const struct tr_schema *schema, const json_t *row)
{
    tr_auto(text) struct tr_text input;
    tr_text_init(&input, MAX_INPUT_BYTES);
    if (!judge_read_text(json_object_get(row, "input"), &input)) {
        return "no input";
    }
    /* The checker is judged, not the parser of requests, which refuses the character NUL. */
    json_t *value =
        json_loadb(tr_text_string(&input), input.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (value == NULL) {
        return "invalid"; /* what is no JSON fits no schema */
    }
    const bool fits = tr_check_fits(schema, value);
    json_decref(value);
    return fits ? "valid" : "invalid";
}

void judge_json_schema(const json_t *row, struct judgement *judgement)
{
    const char *expected = json_string_value(json_object_get(row, "expect"));
    struct tr_schema_document document = { 0 };
    struct tr_fault fault = { 0 };
    if (expected == NULL) {
        judge_fail(judgement, "a row without a verdict in 'expect'");
        return;
    }
    tr_text_add_string(&judgement->wanted, expected);
    if (tr_schema_parse(json_object_get(row, "descriptor"), &document, &fault) != TR_OK) {
        judge_fail(judgement, "a refusal of the schema at '%s': %s", fault.where, fault.what);
        return;
    }
    const char *came = verdict(document.root, row);
    tr_text_add_string(&judgement->came, came);
    judgement->has_passed = strcmp(came, expected) == 0;
    tr_schema_document_done(&document);
}
