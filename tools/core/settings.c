#include "tools/core/settings.h"

#include "tools/core/descriptor.h"
#include "tools/core/json.h"
#include "tools/core/params.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/violation.h"

static enum tr_status fit(const struct tr_type *type, json_t **value, struct tr_arena *arena,
                          struct tr_fault *reterr)
{
    struct tr_schema_document document = { 0 };
    TR_TRY(tr_type_verify(type, reterr));
    TR_TRY(tr_schema_compile(type, true, &document, reterr));
    struct tr_report report = { .arena = arena };
    struct tr_violations found = { .arena = arena };
    const struct tr_params_rules rules = { 0 };
    enum tr_status status = tr_params_prepare(document.root, &rules, value, &report, &found);
    if (status == TR_INVALID_PARAMETERS && found.count != 0) {
        status = tr_refuse(status, reterr, found.items[0].pointer, "%s", found.items[0].message);
    }
    tr_schema_document_done(&document);
    return status;
}

enum tr_status tr_settings_bind(const struct tr_type *type, const json_t *given,
                                struct tr_arena *arena, const void **ret_settings,
                                struct tr_fault *reterr)
{
    json_t *value = given != NULL && !json_is_null(given) ? json_deep_copy(given) : json_object();
    if (value == NULL) {
        return TR_NO_MEMORY;
    }
    const enum tr_status status = fit(type, &value, arena, reterr);
    /* The bound struct borrows its strings from the document. */
    const bool is_adopted = tr_arena_adopt_json(arena, value);
    TR_TRY(status);
    void *settings = is_adopted ? tr_arena_alloc(arena, 1, type->size) : NULL;
    if (settings == NULL) {
        return TR_NO_MEMORY;
    }
    TR_TRY(tr_bind(type, value, arena, settings, reterr));
    *ret_settings = settings;
    return TR_OK;
}
