#include <string.h>

#include "server/config_parts.h"
#include "tools/core/json.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

static inline void tr_schema_document_drop(struct tr_schema_document *document)
{
    tr_schema_document_done(document);
}

/* The sentence without its subject ("Parameter 'server.threads' "): a refusal of the configuration
 * starts with the name of the key anyway. */
static const char *predicate(const struct tr_violation *violation)
{
    static const char subject[] = "Parameter '";
    if (strcmp(violation->code, "required") == 0) {
        return "is required";
    }
    if (strncmp(violation->message, subject, sizeof(subject) - 1) != 0) {
        return violation->message;
    }
    const char *end = strstr(violation->message, "' ");
    return end != NULL ? end + 2 : violation->message;
}

/* One line has room for one violation: the first. */
static enum tr_status refuse(const struct tr_config_loading *loading, const char *pointer,
                             const struct tr_violations *found)
{
    if (found->count == 0) {
        return tr_config_refuse_memory(loading);
    }
    const struct tr_violation *first = &found->items[0];
    const char *place = tr_arena_printf(&loading->config->arena, "%s%s", pointer, first->pointer);
    if (place == NULL) {
        return tr_config_refuse_memory(loading);
    }
    const size_t others = found->count - 1 + found->dropped;
    if (others == 0) {
        return tr_config_refuse(loading, place, "%s", predicate(first));
    }
    return tr_config_refuse(loading, place, "%s (and %zu more)", predicate(first), others);
}

/* Stages 2 to 5 of the pipeline over `value`. */
static enum tr_status prepare(const struct tr_config_loading *loading,
                              const struct tr_schema *schema, const char *pointer, json_t **value)
{
    struct tr_report report = { .arena = &loading->config->arena };
    struct tr_violations found = { .arena = &loading->config->arena };
    const struct tr_params_rules rules = { .defaults = NULL };
    const enum tr_status status = tr_params_prepare(schema, &rules, value, &report, &found);
    if (status == TR_INVALID_PARAMETERS) {
        return refuse(loading, pointer, &found);
    }
    return status == TR_OK ? TR_OK : tr_config_refuse_memory(loading);
}

enum tr_status tr_config_bind(const struct tr_config_loading *loading, const struct tr_type *type,
                              const char *pointer, json_t *value, void *out)
{
    json_auto_t *prepared = value;
    tr_auto(schema_document) struct tr_schema_document document = { 0 };
    TR_TRY(tr_schema_compile(type, true, &document, loading->reterr));
    TR_TRY(prepare(loading, document.root, pointer, &prepared));
    json_t *kept = prepared;
    if (!tr_arena_adopt_json(&loading->config->arena, tr_json_take(&prepared))) {
        return tr_config_refuse_memory(loading);
    }
    return tr_bind(type, kept, &loading->config->arena, out, loading->reterr);
}
