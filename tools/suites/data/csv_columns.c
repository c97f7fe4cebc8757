#include "tools/suites/data/csv_columns.h"

#include <stdbool.h>
#include <string.h>

#include "tools/core/call.h"
#include "tools/core/nearest.h"
#include "tools/core/text.h"
#include "tools/suites/data/csv_parser.h"

enum { LISTED_NAMES = 20, MESSAGE_BYTES = 1500 };

static bool has_name(const struct tr_csv_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* `name`, or the first of name_2, name_3, ... that is free. NULL without memory. */
static const char *free_name(struct tr_call *call, const struct tr_csv_columns *columns,
                             const char *name)
{
    const char *candidate = name;
    for (size_t n = 2; candidate != NULL && has_name(columns, candidate); n++) {
        candidate = tr_printf(call, "%s_%zu", name, n);
    }
    return candidate;
}

static enum tr_status add(struct tr_call *call, struct tr_csv_columns *columns, const char *wanted)
{
    const bool is_empty = wanted != NULL && wanted[0] == '\0';
    const char *name = is_empty ? tr_printf(call, "column_%zu", columns->count + 1) : wanted;
    const char *unique = name != NULL ? free_name(call, columns, name) : NULL;
    if (unique == NULL) {
        return TR_NO_MEMORY;
    }
    if (unique != name) {
        tr_warn(call, "The name of column %zu, '%s', is taken; it is '%s' here", columns->count + 1,
                name, unique);
    }
    columns->names[columns->count++] = unique;
    return TR_OK;
}

static enum tr_status make_room(struct tr_call *call, size_t count, struct tr_csv_columns *columns)
{
    *columns = (struct tr_csv_columns){ .names = tr_alloc(call, count + 1, sizeof(char *)) };
    return columns->names != NULL ? TR_OK : TR_NO_MEMORY;
}

enum tr_status tr_csv_columns_read(struct tr_call *call, const struct tr_csv_parser *parser,
                                   struct tr_csv_columns *ret_columns)
{
    TR_TRY(make_room(call, parser->field_count, ret_columns));
    for (size_t i = 0; i < parser->field_count; i++) {
        size_t length = 0;
        const char *bytes = tr_csv_field(parser, i, &length);
        TR_TRY(add(call, ret_columns, tr_arena_strndup(&call->arena, bytes, length)));
    }
    return TR_OK;
}

enum tr_status tr_csv_columns_number(struct tr_call *call, const struct tr_csv_parser *parser,
                                     struct tr_csv_columns *ret_columns)
{
    TR_TRY(make_room(call, parser->field_count, ret_columns));
    for (size_t i = 0; i < parser->field_count; i++) {
        TR_TRY(add(call, ret_columns, ""));
    }
    return TR_OK;
}

enum tr_status tr_csv_columns_use(struct tr_call *call, const char *const *names, size_t count,
                                  struct tr_csv_columns *ret_columns)
{
    TR_TRY(make_room(call, count, ret_columns));
    for (size_t i = 0; i < count; i++) {
        TR_TRY(add(call, ret_columns, names[i]));
    }
    return TR_OK;
}

/* ---- finding ---- */

static enum tr_status fail_with_list(struct tr_call *call, const struct tr_csv_columns *columns,
                                     const char *name)
{
    tr_auto(text) struct tr_text list;
    tr_text_init(&list, MESSAGE_BYTES);
    for (size_t i = 0; i < columns->count && i < LISTED_NAMES; i++) {
        const size_t length = list.length;
        tr_text_printf(&list, "%s%s", i != 0 ? ", " : "", columns->names[i]);
        if (list.status != TR_OK) {
            tr_text_cut(&list, length);
            break;
        }
    }
    const bool is_whole = columns->count <= LISTED_NAMES && list.status == TR_OK;
    return tr_fail(call, "There is no column '%s' (there are: %s%s)", name, tr_text_string(&list),
                   is_whole ? "" : ", ...");
}

enum tr_status tr_csv_columns_find(struct tr_call *call, const struct tr_csv_columns *columns,
                                   const char *name, size_t *ret_index)
{
    struct tr_nearest nearest = { .wanted = name };
    for (size_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->names[i], name) == 0) {
            *ret_index = i;
            return TR_OK;
        }
        tr_nearest_offer(&nearest, columns->names[i]);
    }
    if (nearest.best != NULL) {
        return tr_fail(call, "There is no column '%s'; did you mean '%s'?", name, nearest.best);
    }
    return fail_with_list(call, columns, name);
}
