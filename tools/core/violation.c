#include "tools/core/violation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

/* A pointer or a message is as long as its keys, which a caller chooses. */
enum { MAX_TEXT_BYTES = 2048, FIRST_ROOM = 4 };

/* A key that is too long, and what is below it, reads "…". */
static const char *written(struct tr_violations *list, const struct tr_place *place,
                           void (*write)(const struct tr_place *place, struct tr_text *out))
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, MAX_TEXT_BYTES);
    write(place, &text);
    if (text.status == TR_NO_MEMORY) {
        return NULL;
    }
    return tr_arena_printf(list->arena, "%s%s", tr_text_string(&text),
                           text.status == TR_OK ? "" : "…");
}

const char *tr_violations_name(struct tr_violations *list, const struct tr_place *place)
{
    const char *name = written(list, place, tr_place_write_name);
    return name != NULL ? name : "?";
}

static bool is_known(const struct tr_violations *list, const char *pointer, const char *code)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].code, code) == 0
            && strcmp(list->items[i].pointer, pointer) == 0) {
            return true;
        }
    }
    return false;
}

static struct tr_violation *next_slot(struct tr_violations *list)
{
    if (list->count == list->room) {
        const size_t room = list->room != 0 ? list->room * 2 : FIRST_ROOM;
        struct tr_violation *items = TR_NEW(list->arena, struct tr_violation, room);
        if (items == NULL) {
            return NULL;
        }
        if (list->count != 0) {
            memcpy(items, list->items, list->count * sizeof(*items));
        }
        list->items = items;
        list->room = room;
    }
    return &list->items[list->count];
}

TR_PRINTF(2, 0)
static char *formatted(struct tr_arena *arena, const char *format, va_list args)
{
    char text[MAX_TEXT_BYTES];
    const int length = vsnprintf(text, sizeof(text), format, args);
    if (length < 0) {
        return NULL;
    }
    const size_t kept =
        (size_t)length < sizeof(text) ? (size_t)length : tr_utf8_cut(text, sizeof(text) - 1);
    return tr_arena_strndup(arena, text, kept);
}

void tr_violations_add(struct tr_violations *list, const struct tr_place *place, const char *code,
                       const char *format, ...)
{
    if (list->count >= TR_MAX_VIOLATIONS) {
        list->dropped++;
        return;
    }
    const char *pointer = written(list, place, tr_place_write_pointer);
    if (pointer != NULL && is_known(list, pointer, code)) {
        return;
    }
    va_list args;
    va_start(args, format);
    const char *message = formatted(list->arena, format, args);
    va_end(args);
    struct tr_violation *slot = next_slot(list);
    if (pointer == NULL || message == NULL || slot == NULL) {
        list->out_of_memory = true;
        return;
    }
    *slot = (struct tr_violation){ .pointer = pointer, .code = code, .message = message };
    list->count++;
}

bool tr_violations_any(const struct tr_violations *list)
{
    return list->count != 0 || list->dropped != 0 || list->out_of_memory;
}

const char *tr_violations_join(const struct tr_violations *list)
{
    size_t length = 1;
    for (size_t i = 0; i < list->count; i++) {
        length += strlen(list->items[i].message) + 2;
    }
    char *joined = tr_arena_alloc(list->arena, length, 1);
    if (joined == NULL) {
        return NULL;
    }
    char *at = joined;
    for (size_t i = 0; i < list->count; i++) {
        if (i != 0) {
            memcpy(at, "; ", 2);
            at += 2;
        }
        const size_t size = strlen(list->items[i].message);
        memcpy(at, list->items[i].message, size);
        at += size;
    }
    return joined;
}
