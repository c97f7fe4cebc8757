#include "tests/support/preparation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/schema_text.h"
#include "tools/core/limits.h"
#include "tools/core/text.h"

const struct tr_params_rules preparation_tolerant = { 0 };
const struct tr_params_rules preparation_exact = { .is_exact = true };

void preparation_run(struct preparation *run, const struct tr_schema *schema,
                     const struct tr_params_rules *rules, const char *value)
{
    *run = (struct preparation){ .value = json_of(value) };
    tr_arena_init(&run->arena, TR_CALL_ARENA_BYTES);
    run->report.arena = &run->arena;
    run->found.arena = &run->arena;
    run->status = tr_params_prepare(schema, rules, &run->value, &run->report, &run->found);
}

void preparation_done(struct preparation *run)
{
    json_decref(run->value);
    tr_arena_done(&run->arena);
}

static void describe_list(const struct tr_strings *list, const char *name, struct tr_text *out)
{
    for (size_t i = 0; i < list->count; i++) {
        tr_text_printf(out, "%s%s", i > 0 ? "," : name, list->items[i]);
    }
    tr_text_add_string(out, list->count > 0 ? " " : "");
}

static void describe(const struct tr_report *report, struct tr_text *out)
{
    describe_list(&report->coerced, "coerced:", out);
    describe_list(&report->renamed, "renamed:", out);
    describe_list(&report->ignored, "ignored:", out);
    tr_text_cut(out, out->length > 0 ? out->length - 1 : 0);
}

bool preparation_has_violation(const struct tr_violations *found, const char *wanted)
{
    for (size_t i = 0; i < found->count; i++) {
        char text[256];
        (void)snprintf(text, sizeof(text), "%s %s", found->items[i].pointer, found->items[i].code);
        if (strcmp(text, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static void assert_refused(const struct preparation *run, const struct preparation_case *row)
{
    assert_int_equal(run->status, TR_INVALID_PARAMETERS);
    if (!preparation_has_violation(&run->found, row->report)) {
        fail_msg("%s: no violation '%s', but '%s'", row->value, row->report,
                 run->found.count > 0 ? run->found.items[0].message : "none");
    }
}

static void assert_accepted(const struct preparation *run, const struct preparation_case *row)
{
    if (run->status != TR_OK) {
        fail_msg("%s: %s", row->value, tr_violations_join(&run->found));
    }
    assert_json(run->value, row->expected);
    tr_auto(text) struct tr_text report;
    tr_text_init(&report, 4096);
    describe(&run->report, &report);
    assert_string_equal(tr_text_string(&report), row->report);
}

void assert_prepared(const struct tr_schema *schema, const struct tr_params_rules *rules,
                     const struct preparation_case *row)
{
    struct preparation run;
    preparation_run(&run, schema, rules, row->value);
    if (row->expected == NULL) {
        assert_refused(&run, row);
    } else {
        assert_accepted(&run, row);
    }
    preparation_done(&run);
}

void assert_all_prepared(const char *schema, const struct tr_params_rules *rules,
                         const struct preparation_case *rows, size_t count)
{
    struct tr_schema_document document = schema_of(schema);
    for (size_t i = 0; i < count; i++) {
        assert_prepared(document.root, rules, &rows[i]);
    }
    tr_schema_document_done(&document);
}
