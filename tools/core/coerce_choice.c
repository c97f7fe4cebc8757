#include "tools/core/arena.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"
#include "tools/core/walk.h"

/* An attempt to make a copy of the value fit one branch. What it reports counts only when it
 * succeeds, so it has a report, a list of violations and an arena of its own. */
struct attempt {
    struct tr_arena arena;
    struct tr_report report;
    struct tr_violations found;
    struct tr_walk walk;
    json_t *value;
};

static enum tr_status attempt_run(struct attempt *attempt, const struct tr_schema *branch,
                                  const struct tr_spot *spot)
{
    TR_TRY(tr_defaults_at(&attempt->walk, branch, attempt->value, spot));
    return tr_coerce_at(&attempt->walk, branch, &attempt->value, spot);
}

static void copy_strings(struct tr_report *report, struct tr_strings *list,
                         const struct tr_strings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        tr_report_text(report, list, from->items[i]);
    }
}

/* The outer walk goes on with what the attempt found out. */
static void attempt_win(struct attempt *attempt, struct tr_walk *walk, json_t **value)
{
    copy_strings(walk->report, &walk->report->coerced, &attempt->report.coerced);
    copy_strings(walk->report, &walk->report->renamed, &attempt->report.renamed);
    copy_strings(walk->report, &walk->report->ignored, &attempt->report.ignored);
    walk->report->is_incomplete = walk->report->is_incomplete || attempt->report.is_incomplete;
    json_decref(*value);
    *value = tr_json_take(&attempt->value);
}

static enum tr_status try_branch(struct tr_walk *walk, const struct tr_schema *branch,
                                 json_t **value, const struct tr_spot *spot, bool *ret_fits)
{
    struct attempt attempt = { .value = json_deep_copy(*value) };
    if (attempt.value == NULL) {
        return TR_NO_MEMORY;
    }
    tr_arena_init(&attempt.arena, TR_CALL_ARENA_BYTES);
    attempt.report.arena = &attempt.arena;
    attempt.found.arena = &attempt.arena;
    attempt.walk = *walk;
    attempt.walk.report = &attempt.report;
    attempt.walk.found = &attempt.found;
    const enum tr_status status = attempt_run(&attempt, branch, spot);
    walk->work_left = attempt.walk.work_left;
    walk->is_exhausted = attempt.walk.is_exhausted;
    *ret_fits = status == TR_OK && !walk->is_exhausted && !tr_violations_any(&attempt.found)
                && tr_walk_fits(walk, branch, attempt.value);
    if (*ret_fits) {
        attempt_win(&attempt, walk, value);
    }
    json_decref(attempt.value);
    tr_arena_done(&attempt.arena);
    return status;
}

enum tr_status tr_coerce_choice(struct tr_walk *walk, const struct tr_schema_list *list,
                                json_t **value, const struct tr_spot *spot)
{
    if (list->count == 0) {
        return TR_OK;
    }
    const size_t fitting = tr_walk_fitting_branch(walk, list, *value);
    if (fitting < list->count) {
        /* Conversions on the way here may have decided for this branch. */
        return tr_defaults_at(walk, list->items[fitting], *value, spot);
    }
    for (size_t i = 0; i < list->count; i++) {
        bool fits = false;
        /* The copy; what is done to it is counted there. */
        if (!tr_walk_goes_on(walk, tr_walk_weight(*value), spot->depth)) {
            return TR_OK;
        }
        TR_TRY(try_branch(walk, list->items[i], value, spot, &fits));
        if (fits) {
            return TR_OK;
        }
    }
    return TR_OK;
}
