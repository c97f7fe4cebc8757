#include "tools/core/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/limits.h"

struct tr_arena_block {
    struct tr_arena_block *next;
    size_t used, room;
    bool is_lent; /* not ours to free */
    alignas(max_align_t) unsigned char bytes[];
};

struct tr_arena_guest {
    struct tr_arena_guest *next;
    void *thing;
    void (*destroy)(void *thing);
};

void tr_arena_init(struct tr_arena *arena, size_t limit)
{
    *arena = (struct tr_arena){ .limit = limit };
}

void tr_arena_lend(struct tr_arena *arena, void *memory, size_t bytes)
{
    struct tr_arena_block *block = memory;
    assert(arena->blocks == NULL && bytes > sizeof(*block));
    block->next = NULL;
    block->used = 0;
    block->room = bytes - sizeof(*block);
    block->is_lent = true;
    arena->blocks = block;
}

void tr_arena_done(struct tr_arena *arena)
{
    for (struct tr_arena_guest *guest = arena->guests; guest != NULL; guest = guest->next) {
        guest->destroy(guest->thing);
    }
    struct tr_arena_block *block = arena->blocks;
    while (block != NULL) {
        struct tr_arena_block *next = block->next;
        if (!block->is_lent) {
            free(block);
        }
        block = next;
    }
    *arena = (struct tr_arena){ .limit = arena->limit };
}

/* The first block is small: most calls need little, and thousands may wait with theirs. A block of
 * its own for something big goes behind the current one, whose room stays in use. */
static struct tr_arena_block *add_block(struct tr_arena *arena, size_t need)
{
    const size_t usual = arena->blocks == NULL ? TR_ARENA_FIRST_BYTES : TR_ARENA_BLOCK_BYTES;
    const bool is_big = need > usual / 2;
    const size_t room = is_big ? need : usual;
    struct tr_arena_block *block = malloc(sizeof(*block) + room);
    if (block == NULL) {
        return NULL;
    }
    block->used = 0;
    block->room = room;
    block->is_lent = false;
    if (is_big && arena->blocks != NULL) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

static struct tr_arena_block *block_with_room(struct tr_arena *arena, size_t need)
{
    struct tr_arena_block *block = arena->blocks;
    if (block != NULL && block->room - block->used >= need) {
        return block;
    }
    return add_block(arena, need);
}

void *tr_arena_alloc(struct tr_arena *arena, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        arena->is_full = true;
        return NULL;
    }
    const size_t wanted = count * size;
    const size_t need = (wanted + align - 1) / align * align;
    if (need > arena->limit - arena->used) {
        arena->is_full = true;
        return NULL;
    }
    struct tr_arena_block *block = block_with_room(arena, need);
    if (block == NULL) {
        return NULL;
    }
    void *memory = block->bytes + block->used;
    block->used += need;
    arena->used += need;
    memset(memory, 0, need);
    return memory;
}

char *tr_arena_strndup(struct tr_arena *arena, const char *bytes, size_t length)
{
    char *copy = length < SIZE_MAX ? tr_arena_alloc(arena, length + 1, 1) : NULL;
    if (copy != NULL && length != 0) {
        memcpy(copy, bytes, length);
    }
    return copy;
}

char *tr_arena_vprintf(struct tr_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *text = length < 0 ? NULL : tr_arena_alloc(arena, (size_t)length + 1, 1);
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

char *tr_arena_printf(struct tr_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = tr_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

bool tr_arena_adopt(struct tr_arena *arena, void *thing, void (*destroy)(void *thing))
{
    struct tr_arena_guest *guest = TR_NEW(arena, struct tr_arena_guest, 1);
    if (guest == NULL) {
        destroy(thing);
        return false;
    }
    *guest = (struct tr_arena_guest){ .next = arena->guests, .thing = thing, .destroy = destroy };
    arena->guests = guest;
    return true;
}

enum tr_status tr_arena_status(const struct tr_arena *arena)
{
    return arena->is_full ? TR_BODY_TOO_LARGE : TR_NO_MEMORY;
}
