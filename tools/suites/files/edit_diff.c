#include "tools/suites/files/edit_diff.h"

#include <string.h>

#include "tools/core/text.h"

enum { CONTEXT_LINES = 3, HEADER_BYTES = 100 };

size_t tr_edit_apply(const struct edit_list *edits, size_t first, size_t start, size_t end,
                     struct tr_text *out)
{
    while (first < edits->count && edits->offsets[first] < end) {
        const size_t offset = edits->offsets[first];
        tr_text_add(out, edits->text + start, offset - start);
        tr_text_add(out, edits->new_text, edits->new_length);
        start = offset + edits->old_length;
        first++;
    }
    tr_text_add(out, edits->text + start, end - start);
    return first;
}

/* ---- lines ---- */

/* Behind the line that the byte before `at` is in; `at` itself when a line ends there. */
static size_t line_end(const struct edit_list *edits, size_t at)
{
    if (at != 0 && edits->text[at - 1] == '\n') {
        return at;
    }
    const char *found = memchr(edits->text + at, '\n', edits->length - at);
    return found != NULL ? (size_t)(found - edits->text) + 1 : edits->length;
}

static size_t line_start(const struct edit_list *edits, size_t at)
{
    while (at != 0 && edits->text[at - 1] != '\n') {
        at--;
    }
    return at;
}

/* The start of the line `count` lines before `at`, which is the start of a line. */
static size_t lines_before(const struct edit_list *edits, size_t at, size_t count)
{
    while (count-- != 0 && at != 0) {
        at = line_start(edits, at - 1);
    }
    return at;
}

/* The end of the line `count` lines behind `at`, where a line starts. */
static size_t lines_behind(const struct edit_list *edits, size_t at, size_t count)
{
    while (count-- != 0 && at < edits->length) {
        at = line_end(edits, at + 1);
    }
    return at;
}

/* ---- hunks ---- */

/* One hunk in the making. */
struct hunk {
    const struct edit_list *edits;
    struct tr_text body;
    size_t old_lines, new_lines;
};

/* Whole lines, each behind `mark`. */
static void add_lines(struct hunk *hunk, char mark, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        const char *found = memchr(bytes, '\n', (size_t)(end - bytes));
        const size_t line = found != NULL ? (size_t)(found - bytes) : (size_t)(end - bytes);
        tr_text_add_char(&hunk->body, mark);
        tr_text_add(&hunk->body, bytes, line);
        tr_text_add_string(&hunk->body, found != NULL ? "\n" : "\n\\ No newline at end of file\n");
        hunk->old_lines += mark != '+';
        hunk->new_lines += mark != '-';
        bytes += line + (found != NULL);
    }
}

/* Is the end of the last edit before `end` the end of a line, in the new text? */
static bool ends_line(const struct edit_list *edits, size_t start, size_t end, size_t next)
{
    const size_t last = edits->offsets[next - 1];
    if (end == edits->length || end > last + edits->old_length) {
        return true;
    }
    if (edits->new_length != 0) {
        return edits->new_text[edits->new_length - 1] == '\n';
    }
    return last == start || edits->text[last - 1] == '\n';
}

/* The end of the whole lines that the edits from `first` on change, which start at `start`. *next
 * becomes the first edit behind. */
static size_t change_end(const struct edit_list *edits, size_t first, size_t start, size_t *next)
{
    size_t at = first;
    size_t end = 0;
    do {
        end = line_end(edits, edits->offsets[at] + edits->old_length);
        at++;
        while (at < edits->count && edits->offsets[at] < end) {
            end = line_end(edits, edits->offsets[at] + edits->old_length);
            at++;
        }
        if (ends_line(edits, start, end, at)) {
            break;
        }
        /* The line below is joined to this one. */
        end = line_end(edits, end + 1);
    } while (at < edits->count && edits->offsets[at] < end);
    *next = at;
    return end;
}

/* The lines from `start` to `end`, without those that are the same before and after. */
static void add_change(struct hunk *hunk, size_t first, size_t start, size_t end)
{
    tr_auto(text) struct tr_text after;
    tr_text_init(&after, hunk->body.limit);
    (void)tr_edit_apply(hunk->edits, first, start, end, &after);
    if (after.status != TR_OK) {
        hunk->body.status = after.status;
        return;
    }
    add_lines(hunk, '-', hunk->edits->text + start, end - start);
    add_lines(hunk, '+', tr_text_string(&after), after.length);
}

static size_t count_lines(const char *bytes, size_t length)
{
    size_t count = 0;
    for (const char *end = bytes + length; bytes < end; count++) {
        const char *found = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = found != NULL ? found + 1 : end;
    }
    return count;
}

/* Changes that are near enough to share the lines between them. Gives the first edit behind; the
 * hunk's lines are from *start to *end. */
static size_t fill(struct hunk *hunk, size_t first, size_t *start, size_t *end)
{
    const struct edit_list *edits = hunk->edits;
    size_t at = line_start(edits, edits->offsets[first]);
    *start = lines_before(edits, at, CONTEXT_LINES);
    add_lines(hunk, ' ', edits->text + *start, at - *start);
    for (;;) {
        size_t next = first;
        const size_t behind = change_end(edits, first, at, &next);
        add_change(hunk, first, at, behind);
        *end = lines_behind(edits, behind, CONTEXT_LINES);
        const size_t reach = lines_behind(edits, *end, CONTEXT_LINES);
        if (next == edits->count || line_start(edits, edits->offsets[next]) > reach) {
            add_lines(hunk, ' ', edits->text + behind, *end - behind);
            return next;
        }
        at = line_start(edits, edits->offsets[next]);
        add_lines(hunk, ' ', edits->text + behind, at - behind);
        first = next;
    }
}

/* A side without lines is named by the line before it. */
static size_t shown_line(size_t line, size_t count)
{
    return count != 0 ? line + 1 : line;
}

bool tr_edit_diff_write(const struct edit_list *edits, struct tr_text *out)
{
    size_t old_line = 0; /* lines before `seen`, before and after the edits */
    size_t new_line = 0;
    size_t seen = 0;
    for (size_t edit = 0; edit < edits->count;) {
        struct hunk hunk = { .edits = edits };
        size_t start = 0;
        size_t end = 0;
        tr_text_init(&hunk.body, out->limit);
        edit = fill(&hunk, edit, &start, &end);
        const size_t between = count_lines(edits->text + seen, start - seen);
        old_line += between;
        new_line += between;
        const bool fits =
            hunk.body.status == TR_OK && out->length + hunk.body.length + HEADER_BYTES < out->limit;
        if (fits) {
            tr_text_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", shown_line(old_line, hunk.old_lines),
                           hunk.old_lines, shown_line(new_line, hunk.new_lines), hunk.new_lines);
            tr_text_add(out, tr_text_string(&hunk.body), hunk.body.length);
        }
        old_line += hunk.old_lines;
        new_line += hunk.new_lines;
        seen = end;
        tr_text_done(&hunk.body);
        if (!fits || out->status != TR_OK) {
            return false;
        }
    }
    return true;
}
