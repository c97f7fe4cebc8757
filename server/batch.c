#include "server/batch.h"

#include "server/limits.h"
#include "tools/core/json.h"
#include "tools/core/params.h"
#include "tools/core/report.h"

static const struct tr_field batch_call_fields[] = {
    {
        TR_FIELD(batch_call, id),
        .description = "Your own name for this call; comes back as `id` of its outcome",
        .length = TR_RANGE(1, 128),
    },
    {
        TR_FIELD(batch_call, name),
        .description = "The tool to call",
        .length = TR_RANGE(1, TR_MAX_TOOL_NAME_BYTES),
        .required = true,
    },
    {
        TR_FIELD(batch_call, parameters),
        .description = "The tool's parameters, an object; none when left out",
    },
};
TR_TYPE(batch_call, "One call of a batch");

enum tr_status tr_batch_schema_init(struct tr_batch_schema *schema)
{
    *schema = (struct tr_batch_schema){ 0 };
    struct tr_fault unread;
    TR_TRY(tr_schema_compile(&batch_call_type, true, &schema->call, &unread));
    schema->body = (struct tr_schema){
        .types = TR_TYPE_ARRAY,
        .min_items = { .has = true, .value = 1 },
        .max_items = { .has = true, .value = TR_MAX_BATCH_CALLS },
        .items = schema->call.root,
    };
    return TR_OK;
}

void tr_batch_schema_done(struct tr_batch_schema *schema)
{
    tr_schema_document_done(&schema->call);
}

static enum tr_status bind_calls(struct tr_arena *arena, struct tr_batch *batch,
                                 struct tr_fault *reterr)
{
    const size_t count = json_array_size(batch->document);
    batch->calls = TR_NEW(arena, struct batch_call, count);
    if (batch->calls == NULL) {
        return tr_arena_status(arena);
    }
    for (; batch->count < count; batch->count++) {
        TR_TRY(tr_bind(&batch_call_type, json_array_get(batch->document, batch->count), arena,
                       &batch->calls[batch->count], reterr));
    }
    return TR_OK;
}

enum tr_status tr_batch_parse(const struct tr_batch_schema *schema, const char *body, size_t length,
                              struct tr_batch *ret_batch, struct tr_violations *found,
                              struct tr_fault *reterr)
{
    struct tr_arena *arena = found->arena;
    *ret_batch = (struct tr_batch){ 0 };
    TR_TRY(tr_json_parse(body, length, &ret_batch->document, reterr));
    struct tr_report unread = { .arena = arena };
    const struct tr_params_rules rules = { 0 };
    TR_TRY(tr_params_prepare(&schema->body, &rules, &ret_batch->document, &unread, found));
    return bind_calls(arena, ret_batch, reterr);
}

void tr_batch_done(struct tr_batch *batch)
{
    json_decref(batch->document);
    *batch = (struct tr_batch){ 0 };
}
