#include "tools/core/deployment.h"

#include <stdio.h>

#include "tools/core/arena.h"
#include "tools/core/check.h"
#include "tools/core/json.h"
#include "tools/core/nearest.h"
#include "tools/core/params.h"
#include "tools/core/place.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

/* What one value is checked with; everything in it lives in `arena`. */
struct scratch {
    struct tr_arena arena;
    struct tr_report report;
    struct tr_violations found;
};

static void scratch_init(struct scratch *scratch)
{
    *scratch = (struct scratch){ 0 };
    tr_arena_init(&scratch->arena, TR_CALL_ARENA_BYTES);
    scratch->report.arena = &scratch->arena;
    scratch->found.arena = &scratch->arena;
}

static enum tr_status refuse_undeclared(const struct tr_schema *schema, const char *name,
                                        const char *where, struct tr_fault *reterr)
{
    struct tr_nearest nearest = { .wanted = name };
    for (size_t i = 0; i < schema->properties.count; i++) {
        tr_nearest_offer(&nearest, schema->properties.items[i].name);
    }
    if (nearest.best == NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "the tool has no parameter '%s'",
                         name);
    }
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, where,
                     "the tool has no parameter '%s'; did you mean '%s'?", name, nearest.best);
}

static enum tr_status fit(const struct tr_schema_property *property, json_t **value,
                          const char *where, struct tr_fault *reterr)
{
    struct scratch scratch;
    scratch_init(&scratch);
    const struct tr_place root = { 0 };
    const struct tr_place place = { .parent = &root, .key = property->name };
    const struct tr_params_rules rules = { 0 };
    enum tr_status status =
        tr_coerce(property->schema, &rules, value, &scratch.report, &scratch.found);
    if (status == TR_OK) {
        tr_check_parameters(property->schema, *value, &place, &scratch.found);
    }
    if (status == TR_OK && tr_violations_any(&scratch.found)) {
        const char *message =
            scratch.found.count != 0 ? scratch.found.items[0].message : "the value does not fit";
        status = tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "%s", message);
    }
    tr_arena_done(&scratch.arena);
    return status;
}

static enum tr_status add_default(const struct tr_schema *schema, const char *name, json_t *given,
                                  const char *tool_name, json_t *out, struct tr_fault *reterr)
{
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "%s.defaults.%s", tool_name, name);
    const struct tr_schema_property *property = tr_schema_property(schema, name);
    if (property == NULL) {
        return refuse_undeclared(schema, name, where, reterr);
    }
    json_auto_t *value = json_incref(given);
    TR_TRY(fit(property, &value, where, reterr));
    return json_object_set(out, name, value) == 0 ? TR_OK : TR_NO_MEMORY;
}

enum tr_status tr_deployment_defaults(const struct tr_schema *schema, const json_t *defaults,
                                      const char *tool_name, json_t **ret_defaults,
                                      struct tr_fault *reterr)
{
    if (!json_is_object(defaults)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, tool_name,
                         "defaults must be a mapping of parameter names to values");
    }
    const struct tr_schema *root = tr_schema_resolve(schema);
    json_auto_t *given = json_deep_copy(defaults);
    json_auto_t *out = json_object();
    if (root == NULL || given == NULL || out == NULL) {
        return TR_NO_MEMORY;
    }
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach (given, name, value) {
        TR_TRY(add_default(root, name, value, tool_name, out, reterr));
    }
    *ret_defaults = tr_json_take(&out);
    return TR_OK;
}
