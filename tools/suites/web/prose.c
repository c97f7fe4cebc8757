#include "tools/suites/web/prose.h"

#include <stdint.h>
#include <string.h>

#include "tools/core/descriptor.h"
#include "tools/core/utf8.h"

enum { INDENT_LEVELS = 16 }; /* deeper is not indented any more */

void tr_prose_init(struct tr_prose *prose, size_t limit)
{
    *prose = (struct tr_prose){ .pending = TR_PROSE_NONE };
    tr_text_init(&prose->text, limit);
}

void tr_prose_init_preformatted(struct tr_prose *prose, size_t limit)
{
    tr_prose_init(prose, limit);
    prose->preformatted = 1;
}

void tr_prose_done(struct tr_prose *prose)
{
    tr_text_done(&prose->text);
}

/* ---- characters ---- */

/* Characters that show nothing and can hide a message to a model: controls, direction marks,
 * joiners without need, tags. U+200C and U+200D shape scripts and emoji and stay. */
static bool is_invisible(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        { 0x00, 0x1f },     { 0x7f, 0x9f },       { 0xad, 0xad },       { 0x34f, 0x34f },
        { 0x61c, 0x61c },   { 0x115f, 0x1160 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180e },
        { 0x200b, 0x200b }, { 0x200e, 0x200f },   { 0x202a, 0x202e },   { 0x2060, 0x206f },
        { 0x3164, 0x3164 }, { 0xfe00, 0xfe0e },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
        { 0xfff0, 0xfffb }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
    };
    for (size_t i = 0; i < TR_COUNT_OF(ranges) && ranges[i].first <= point; i++) {
        if (point <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static bool is_space(uint32_t point)
{
    return point == ' ' || (point >= '\t' && point <= '\r') || point == 0x85 || point == 0xa0
           || point == 0x1680 || (point >= 0x2000 && point <= 0x200a) || point == 0x2028
           || point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

/* ---- laying out ---- */

/* A piece goes in whole or not at all, so that no character is cut in two. */
static void put(struct tr_prose *prose, const char *bytes, size_t length)
{
    prose->is_full |= length > prose->text.limit - prose->text.length;
    if (!prose->is_full) {
        tr_text_add(&prose->text, bytes, length);
    }
}

static void put_string(struct tr_prose *prose, const char *string)
{
    put(prose, string, strlen(string));
}

static void put_line_start(struct tr_prose *prose)
{
    for (size_t i = 0; i < prose->quotes && i < INDENT_LEVELS; i++) {
        put_string(prose, "> ");
    }
    for (size_t i = prose->has_marker; i < prose->lists && i < INDENT_LEVELS; i++) {
        put_string(prose, "  ");
    }
}

static void put_pending(struct tr_prose *prose)
{
    if (prose->text.length == 0) {
        put_line_start(prose);
        return;
    }
    switch (prose->pending) {
    case TR_PROSE_NONE: break;
    case TR_PROSE_SPACE: put_string(prose, " "); break;
    case TR_PROSE_CELL: put_string(prose, " | "); break;
    case TR_PROSE_LINE:
    case TR_PROSE_BLANK:
        put_string(prose, prose->pending == TR_PROSE_LINE ? "\n" : "\n\n");
        put_line_start(prose);
        break;
    }
}

/* Everything that was only remembered: text follows now. */
static void flush(struct tr_prose *prose)
{
    put_pending(prose);
    put_string(prose, prose->lead);
    tr_prose_end_lead(prose);
    prose->pending = TR_PROSE_NONE;
    prose->is_fresh = false;
}

void tr_prose_break(struct tr_prose *prose, enum tr_prose_break strength)
{
    if (prose->is_fresh) {
        return;
    }
    if (prose->headings != 0 && strength > TR_PROSE_SPACE) {
        strength = TR_PROSE_SPACE;
    }
    if (strength > prose->pending) {
        prose->pending = strength;
    }
}

static void add_preformatted(struct tr_prose *prose, const char *bytes, size_t length)
{
    flush(prose);
    if (length == 1 && *bytes == '\n') {
        put_string(prose, "\n");
        put_line_start(prose);
    } else {
        put(prose, bytes, length);
    }
}

/* One character, or a run of plain ASCII: the longest part of most texts. */
static size_t run_length(const char *bytes, size_t length)
{
    size_t run = 0;
    while (run < length && bytes[run] > ' ' && bytes[run] < '\x7f') {
        run++;
    }
    return run;
}

static void add_character(struct tr_prose *prose, const char *bytes, size_t length, uint32_t point)
{
    const bool is_kept = prose->preformatted != 0 && (point == '\n' || point == '\t');
    if (prose->preformatted != 0 && (is_kept || !is_invisible(point))) {
        add_preformatted(prose, bytes, length);
    } else if (prose->preformatted != 0) {
        return;
    } else if (is_space(point)) {
        tr_prose_break(prose, TR_PROSE_SPACE);
    } else if (!is_invisible(point)) {
        flush(prose);
        put(prose, bytes, length);
    }
}

void tr_prose_add(struct tr_prose *prose, const char *bytes, size_t length)
{
    while (length != 0 && !prose->is_full) {
        size_t step = run_length(bytes, length);
        if (step != 0) {
            flush(prose);
            put(prose, bytes, step);
        } else {
            uint32_t point = 0;
            step = tr_utf8_next(bytes, length, &point);
            if (step == 0) {
                return;
            }
            add_character(prose, bytes, step, point);
        }
        bytes += step;
        length -= step;
    }
}

void tr_prose_add_mark(struct tr_prose *prose, const char *mark)
{
    flush(prose);
    put_string(prose, mark);
}

/* ---- items and headings ---- */

void tr_prose_lead(struct tr_prose *prose, const char *lead)
{
    const size_t used = strlen(prose->lead);
    const size_t length = strlen(lead);
    if (used + length < sizeof(prose->lead)) {
        memcpy(prose->lead + used, lead, length + 1);
    }
}

void tr_prose_end_lead(struct tr_prose *prose)
{
    prose->lead[0] = '\0';
    prose->has_marker = false;
}

void tr_prose_begin_item(struct tr_prose *prose, const char *marker)
{
    prose->is_fresh = false;
    tr_prose_break(prose, TR_PROSE_LINE);
    tr_prose_end_lead(prose);
    tr_prose_lead(prose, marker);
    prose->has_marker = true;
    prose->is_fresh = true;
}

void tr_prose_end_item(struct tr_prose *prose)
{
    const bool is_empty = prose->lead[0] != '\0';
    tr_prose_end_lead(prose);
    prose->is_fresh = false;
    if (!is_empty && prose->headings == 0) {
        prose->pending = TR_PROSE_LINE;
    }
}

/* ---- tables ---- */

static bool row_has_text(const struct tr_prose *prose)
{
    return prose->text.length > prose->row_start;
}

void tr_prose_begin_row(struct tr_prose *prose)
{
    tr_prose_break(prose, TR_PROSE_LINE);
    prose->row_start = prose->text.length;
    prose->cells = 0;
}

void tr_prose_begin_cell(struct tr_prose *prose)
{
    if (prose->cells != 0 && !row_has_text(prose)) {
        tr_prose_lead(prose, "| "); /* only empty cells before this one */
    } else if (prose->cells != 0) {
        if (prose->pending == TR_PROSE_CELL) {
            put_string(prose, " |"); /* the cell before this one is empty */
        }
        prose->pending = TR_PROSE_CELL;
    }
    prose->cells++;
    prose->is_fresh = true;
}

void tr_prose_end_cell(struct tr_prose *prose)
{
    prose->is_fresh = false;
    if (row_has_text(prose) && prose->pending != TR_PROSE_CELL) {
        prose->pending = TR_PROSE_NONE;
    }
}

/* ---- preformatted text ---- */

void tr_prose_begin_preformatted(struct tr_prose *prose)
{
    if (prose->preformatted++ != 0) {
        return;
    }
    tr_prose_break(prose, TR_PROSE_BLANK);
    flush(prose);
    put_string(prose, "```\n");
    put_line_start(prose);
}

void tr_prose_end_preformatted(struct tr_prose *prose)
{
    if (prose->preformatted == 0 || --prose->preformatted != 0) {
        return;
    }
    const char *text = tr_text_string(&prose->text);
    if (prose->text.length != 0 && text[prose->text.length - 1] != '\n') {
        put_string(prose, "\n");
        put_line_start(prose);
    }
    put_string(prose, "```");
    tr_prose_break(prose, TR_PROSE_BLANK);
}
