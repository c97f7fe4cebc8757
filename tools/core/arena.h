/* arena.h - memory that all dies together, at the end of one call (or of one loaded document). */
#ifndef TR_TOOLS_CORE_ARENA_H
#define TR_TOOLS_CORE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

struct tr_arena_block;
struct tr_arena_guest;

struct tr_arena {
    struct tr_arena_block *blocks;
    struct tr_arena_guest *guests;
    size_t used;  /* bytes given out */
    size_t limit; /* `used` never exceeds it */
    bool is_full; /* an allocation was refused because of `limit`, not for want of memory */
};

/* No allocation happens until the first tr_arena_alloc(). `limit` caps the total. */
void tr_arena_init(struct tr_arena *arena, size_t limit);

/* Let the arena use the caller's `memory`, aligned for any object, before it allocates any. For an
 * arena that nothing was allocated from; the memory must outlive tr_arena_done(), which ends the
 * loan. */
void tr_arena_lend(struct tr_arena *arena, void *memory, size_t bytes);

/* Destroys the guests, newest first, and frees the memory. The arena can be used again. */
void tr_arena_done(struct tr_arena *arena);

/* Zeroed and aligned for any object. NULL when memory or the limit is exhausted; then
 * tr_arena_status() says which. */
TR_MALLOC void *tr_arena_alloc(struct tr_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of `length` bytes. NULL as tr_arena_alloc(). */
TR_MALLOC char *tr_arena_strndup(struct tr_arena *arena, const char *bytes, size_t length);

/* Formatted text. NULL as tr_arena_alloc(). */
TR_MUST_USE TR_PRINTF(2, 3) char *tr_arena_printf(struct tr_arena *arena, const char *format, ...);
TR_MUST_USE TR_PRINTF(2, 0) char *tr_arena_vprintf(struct tr_arena *arena, const char *format,
                                                   va_list args);

/* The arena takes `thing`: `destroy(thing)` runs in tr_arena_done(). When the arena has no room
 * it destroys the thing at once and says false. */
TR_MUST_USE bool tr_arena_adopt(struct tr_arena *arena, void *thing, void (*destroy)(void *thing));

/* Why the last allocation failed: TR_BODY_TOO_LARGE at the limit, TR_NO_MEMORY otherwise. */
enum tr_status tr_arena_status(const struct tr_arena *arena);

#define TR_NEW(arena, T, n) ((T *)tr_arena_alloc((arena), (n), sizeof(T)))

static inline void tr_arena_drop(struct tr_arena *arena)
{
    tr_arena_done(arena);
}

#endif
