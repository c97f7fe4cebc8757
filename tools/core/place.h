/* place.h - where we are in a document: frames on the stack, turned into text only when needed. */
#ifndef TR_TOOLS_CORE_PLACE_H
#define TR_TOOLS_CORE_PLACE_H

#include <stddef.h>

struct tr_text;

/* The root has no parent. Below it a place is a member (`key`) or an item (`key` NULL, `index`).
 * Borrows `parent` and `key` as long as it lives. */
struct tr_place {
    const struct tr_place *parent;
    const char *key;
    size_t index;
};

/* As a JSON Pointer (RFC 6901): "" for the root, "/opts/k", "/tags/1", "/a~1b". */
void tr_place_write_pointer(const struct tr_place *place, struct tr_text *out);

/* As people read it in an error: "opts.k", "tags[1]"; the root is "(body)". */
void tr_place_write_name(const struct tr_place *place, struct tr_text *out);

#endif
