#include <stdio.h>
#include <string.h>

#include "server/yaml.h"
#include "tests/contract/judge.h"
#include "tools/core/deployment.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

/* Rows of coerce.jsonl: what becomes of `input` under the schema `descriptor`, once with coercion
 * (`tolerant`) and once without (`strict`). `yaml_defaults` are the deployment's defaults, which
 * may themselves have to be refused. */

enum { MAX_INPUT_BYTES = 64 * 1024 * 1024 };

/* What one row is judged with. */
struct trial {
    const json_t *row;
    struct tr_schema_document document;
    json_t *defaults;
};

/* What came of one mode. */
struct outcome {
    enum tr_status status;
    json_t *value; /* owned; of TR_OK */
    struct tr_arena arena;
    struct tr_violations found;
};

static void outcome_done(struct outcome *outcome)
{
    json_decref(outcome->value);
    tr_arena_done(&outcome->arena);
}

static void run(const struct trial *trial, bool is_exact, struct outcome *outcome)
{
    *outcome = (struct outcome){ 0 };
    tr_arena_init(&outcome->arena, TR_CALL_ARENA_BYTES);
    outcome->found.arena = &outcome->arena;
    struct tr_report report = { .arena = &outcome->arena };
    tr_auto(text) struct tr_text input;
    tr_text_init(&input, MAX_INPUT_BYTES);
    outcome->status = TR_INTERNAL;
    if (!judge_read_text(json_object_get(trial->row, "input"), &input)) {
        return;
    }
    outcome->status = tr_json_parse(tr_text_string(&input), input.length, &outcome->value, NULL);
    if (outcome->status == TR_OK) {
        const struct tr_params_rules rules = { .defaults = trial->defaults, .is_exact = is_exact };
        outcome->status = tr_params_prepare(trial->document.root, &rules, &outcome->value, &report,
                                            &outcome->found);
    }
}

static bool is_refusal(enum tr_status status)
{
    return status == TR_INVALID_PARAMETERS || status == TR_MALFORMED_JSON;
}

/* Does `violation` stand at `pointer`? A validator names the object that lacks a member or has one
 * too many; our answers name the member. */
static bool is_at(const struct tr_violation *violation, const char *pointer)
{
    static const char *const of_the_object[] = { "required", "additionalProperties",
                                                 "dependentRequired", "propertyNames" };
    if (strcmp(violation->pointer, pointer) == 0) {
        return true;
    }
    const size_t length = strlen(pointer);
    const char *last = strrchr(violation->pointer, '/');
    if (last == NULL || (size_t)(last - violation->pointer) != length
        || strncmp(violation->pointer, pointer, length) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof(of_the_object) / sizeof(of_the_object[0]); i++) {
        if (strcmp(violation->code, of_the_object[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_refused_at(const struct outcome *outcome, const char *pointer)
{
    if (pointer == NULL || outcome->status == TR_MALFORMED_JSON) {
        return true;
    }
    for (size_t i = 0; i < outcome->found.count; i++) {
        if (is_at(&outcome->found.items[i], pointer)) {
            return true;
        }
    }
    return false;
}

static bool is_one_of(const json_t *values, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(values); i++) {
        if (tr_json_equal(json_array_get(values, i), value)) {
            return true;
        }
    }
    return false;
}

/* "error", {"value": v}, or {"may": [v, ...]}: an error or one of these. */
static bool is_expected(const json_t *expected, const struct outcome *outcome, const char *pointer)
{
    const json_t *may = json_object_get(expected, "may");
    const bool may_be_refused = json_is_string(expected) || may != NULL;
    if (is_refusal(outcome->status)) {
        return may_be_refused && is_refused_at(outcome, pointer);
    }
    if (outcome->status != TR_OK) {
        return false;
    }
    const json_t *value = json_object_get(expected, "value");
    return (value != NULL && tr_json_equal(value, outcome->value))
           || is_one_of(may, outcome->value);
}

static void describe(const struct outcome *outcome, struct tr_text *out)
{
    if (outcome->status == TR_OK) {
        tr_json_write(out, outcome->value);
        return;
    }
    tr_text_add_string(out, tr_status_info(outcome->status)->code);
    for (size_t i = 0; i < outcome->found.count; i++) {
        const struct tr_violation *violation = &outcome->found.items[i];
        tr_text_printf(out, " ['%s' %s: %s]", violation->pointer, violation->code,
                       violation->message);
    }
}

static void judge_mode(const struct trial *trial, bool is_exact, struct judgement *judgement)
{
    const char *mode = is_exact ? "strict" : "tolerant";
    const char *pointer = json_string_value(json_object_get(trial->row, "error_pointer"));
    const json_t *expected = json_object_get(json_object_get(trial->row, "expect"), mode);
    struct outcome outcome;
    run(trial, is_exact, &outcome);
    if (expected == NULL || !is_expected(expected, &outcome, pointer)) {
        judgement->has_passed = false;
        tr_text_printf(&judgement->wanted, "%s ", mode);
        tr_json_write(&judgement->wanted, expected);
        tr_text_printf(&judgement->wanted, pointer != NULL ? " at '%s' " : " ", pointer);
        tr_text_printf(&judgement->came, "%s ", mode);
        describe(&outcome, &judgement->came);
        tr_text_add_char(&judgement->came, ' ');
    }
    outcome_done(&outcome);
}

/* Load the deployment's defaults as the configuration does. A refusal must name the place. */
static enum tr_status load_defaults(struct trial *trial, struct tr_fault *reterr)
{
    tr_auto(text) struct tr_text yaml;
    tr_text_init(&yaml, MAX_INPUT_BYTES);
    if (!judge_read_text(json_object_get(trial->row, "yaml_defaults"), &yaml)) {
        return TR_INTERNAL;
    }
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_LOAD_ARENA_BYTES);
    json_t *given = NULL;
    const struct tr_yaml_source source = {
        .bytes = tr_text_string(&yaml),
        .length = yaml.length,
        .name = "row.yaml",
    };
    TR_TRY(tr_yaml_parse(&source, &arena, &given, NULL, reterr));
    const enum tr_status status =
        tr_deployment_defaults(trial->document.root, given, "row", &trial->defaults, reterr);
    json_decref(given);
    return status;
}

/* "load_error"; or a row that allows an error in both modes, for which this one is as good. */
static bool allows_load_error(const json_t *expected)
{
    static const char *const modes[] = { "tolerant", "strict" };
    for (size_t i = 0; i < 2 && !json_is_string(expected); i++) {
        const json_t *mode = json_object_get(expected, modes[i]);
        if (!json_is_string(mode) && json_object_get(mode, "may") == NULL) {
            return false;
        }
    }
    return true;
}

static void judge_load(const struct trial *trial, enum tr_status status,
                       const struct tr_fault *fault, struct judgement *judgement)
{
    const json_t *expected = json_object_get(trial->row, "expect");
    judgement->has_passed =
        allows_load_error(expected) && is_refusal(status) && fault->where[0] != '\0';
    tr_json_write(&judgement->wanted, expected);
    tr_text_printf(&judgement->came, "%s at '%s': %s", tr_status_info(status)->code, fault->where,
                   fault->what);
}

static void judge_trial(struct trial *trial, struct judgement *judgement)
{
    struct tr_fault fault = { 0 };
    const bool has_defaults = json_object_get(trial->row, "yaml_defaults") != NULL;
    const enum tr_status status = has_defaults ? load_defaults(trial, &fault) : TR_OK;
    if (status != TR_OK || json_is_string(json_object_get(trial->row, "expect"))) {
        judge_load(trial, status, &fault, judgement);
        return;
    }
    judgement->has_passed = true;
    judge_mode(trial, false, judgement);
    judge_mode(trial, true, judgement);
}

void judge_coerce(const json_t *row, struct judgement *judgement)
{
    struct trial trial = { .row = row };
    struct tr_fault fault = { 0 };
    if (tr_schema_parse(json_object_get(row, "descriptor"), &trial.document, &fault) != TR_OK) {
        judge_fail(judgement, "a refusal of the schema at '%s': %s", fault.where, fault.what);
        return;
    }
    judge_trial(&trial, judgement);
    json_decref(trial.defaults);
    tr_schema_document_done(&trial.document);
}
