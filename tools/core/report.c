#include "tools/core/report.h"

#include <string.h>

#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/text.h"

enum { MAX_TEXT_BYTES = 2048, FIRST_ROOM = 4 };

static bool has(const struct tr_strings *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static bool grow(struct tr_report *report, struct tr_strings *list)
{
    if (list->count < list->room) {
        return true;
    }
    const size_t room = list->room != 0 ? list->room * 2 : FIRST_ROOM;
    const char **items = TR_NEW(report->arena, const char *, room);
    if (items == NULL) {
        return false;
    }
    if (list->count != 0) {
        memcpy(items, list->items, list->count * sizeof(*items));
    }
    list->items = items;
    list->room = room;
    return true;
}

static void add(struct tr_report *report, struct tr_strings *list, const char *text, size_t length)
{
    if (has(list, text)) {
        return;
    }
    const char *copy = list->count < TR_MAX_REPORTED && grow(report, list)
                           ? tr_arena_strndup(report->arena, text, length)
                           : NULL;
    if (copy == NULL) {
        report->is_incomplete = true;
        return;
    }
    list->items[list->count++] = copy;
}

void tr_report_place(struct tr_report *report, struct tr_strings *list,
                     const struct tr_place *place)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, MAX_TEXT_BYTES);
    tr_place_write_pointer(place, &text);
    if (text.status != TR_OK) {
        report->is_incomplete = true;
        return;
    }
    add(report, list, tr_text_string(&text), text.length);
}

void tr_report_text(struct tr_report *report, struct tr_strings *list, const char *text)
{
    add(report, list, text, strlen(text));
}

bool tr_report_any(const struct tr_report *report)
{
    return report->coerced.count != 0 || report->renamed.count != 0 || report->ignored.count != 0
           || report->warnings.count != 0 || report->is_truncated || report->is_incomplete;
}
