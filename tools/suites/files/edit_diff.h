/* edit_diff.h - replacements in a text as a unified diff. */
#ifndef TR_TOOLS_SUITES_FILES_EDIT_DIFF_H
#define TR_TOOLS_SUITES_FILES_EDIT_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_text;

/* The same old text, at several places, becomes the same new one. */
struct edit_list {
    const char *text; /* the whole of it, before */
    size_t length;
    const size_t *offsets; /* where the old text starts, in order, none over another */
    size_t count;
    size_t old_length;
    const char *new_text;
    size_t new_length;
};

/* Append the diff, with three lines around each change and no file names. Stops before the hunk
 * that would not fit the text any more; false then, and when memory ran out. */
TR_MUST_USE bool tr_edit_diff_write(const struct edit_list *edits, struct tr_text *out);

/* Append bytes `start` to `end` of the text as they are after the edits from `first` on that lie
 * there; gives the first edit that does not. */
size_t tr_edit_apply(const struct edit_list *edits, size_t first, size_t start, size_t end,
                     struct tr_text *out);

#endif
