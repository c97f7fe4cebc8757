#include "tools/core/outcome.h"

#include <string.h>

#include <jansson.h>

#include "tools/core/arena.h"
#include "tools/core/descriptor.h"
#include "tools/core/text.h"

static const void *member(const struct tr_field *field, const void *response)
{
    return (const unsigned char *)response + field->offset;
}

static bool is_blank(const char *text)
{
    return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

static bool read_success(const struct tr_field *field, const void *response)
{
    if (field == NULL || field->kind != TR_KIND_BOOLEAN) {
        return true;
    }
    if (!field->optional) {
        bool value = false;
        memcpy(&value, member(field, response), sizeof(value));
        return value;
    }
    struct tr_opt_bool value = { 0 };
    memcpy(&value, member(field, response), sizeof(value));
    return !value.has || value.value;
}

static const char *read_error(const struct tr_field *field, const void *response)
{
    if (field == NULL || field->kind != TR_KIND_STRING) {
        return NULL;
    }
    const char *text = NULL;
    memcpy(&text, member(field, response), sizeof(text));
    return is_blank(text) ? NULL : text;
}

static void add_error(struct tr_text *joined, const char *text)
{
    if (is_blank(text)) {
        return;
    }
    if (joined->length != 0) {
        tr_text_add_string(joined, "; ");
    }
    tr_text_add_string(joined, text);
}

static void add_errors(struct tr_text *joined, const struct tr_field *field, const void *response)
{
    if (field->kind == TR_KIND_LIST && field->item_kind == TR_KIND_STRING) {
        struct tr_span span = { 0 };
        memcpy(&span, member(field, response), sizeof(span));
        const char *const *texts = span.items;
        for (size_t i = 0; i < span.count; i++) {
            add_error(joined, texts[i]);
        }
    } else if (field->kind == TR_KIND_JSON) {
        json_t *list = NULL;
        memcpy(&list, member(field, response), sizeof(list));
        for (size_t i = 0; i < json_array_size(list); i++) {
            add_error(joined, json_string_value(json_array_get(list, i)));
        }
    }
}

static enum tr_status join_errors(const struct tr_field *field, const void *response,
                                  struct tr_arena *arena, const char **ret_joined)
{
    tr_auto(text) struct tr_text joined;
    tr_text_init(&joined, arena->limit);
    add_errors(&joined, field, response);
    TR_TRY(joined.status);
    if (joined.length == 0) {
        return TR_OK;
    }
    *ret_joined = tr_arena_strndup(arena, tr_text_string(&joined), joined.length);
    return *ret_joined != NULL ? TR_OK : tr_arena_status(arena);
}

enum tr_status tr_outcome_read(const struct tr_type *type, const void *response,
                               struct tr_arena *arena, struct tr_outcome *ret_outcome)
{
    *ret_outcome = (struct tr_outcome){ .is_success = true };
    if (type->any_of) {
        return TR_OK;
    }
    ret_outcome->is_success = read_success(tr_type_field(type, "success"), response);
    ret_outcome->error = read_error(tr_type_field(type, "error"), response);
    const struct tr_field *errors = tr_type_field(type, "errors");
    if (ret_outcome->error != NULL || errors == NULL) {
        return TR_OK;
    }
    return join_errors(errors, response, arena, &ret_outcome->error);
}
