/* prose.h - writes readable text: white space collapsed, paragraphs, lists, quotations and rows of
 * tables laid out with plain characters, nothing invisible.
 *
 * A break is only remembered until more text comes, so that nothing begins or ends with one and
 * several in a row are as one. */
#ifndef TR_TOOLS_SUITES_WEB_PROSE_H
#define TR_TOOLS_SUITES_WEB_PROSE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/text.h"

/* In the order of their strength: the strongest one that was asked for counts. */
enum tr_prose_break {
    TR_PROSE_NONE,
    TR_PROSE_SPACE,
    TR_PROSE_CELL,  /* " | " */
    TR_PROSE_LINE,  /* a new line */
    TR_PROSE_BLANK, /* an empty line between */
};

enum { TR_PROSE_LEAD_BYTES = 48 };

struct tr_prose {
    struct tr_text text;
    bool is_full;                /* the limit was met; what comes later is left out */
    enum tr_prose_break pending; /* before the next text */
    bool is_fresh;               /* an item or a cell was begun and has no text: no breaks in it */
    bool has_marker;             /* the lead is that of an item: it is indented one level less */
    char lead[TR_PROSE_LEAD_BYTES]; /* "- ", "## ": before the next text, behind the break */
    size_t row_start;               /* where the text of the present row of a table begins */
    size_t cells;                   /* cells of this row that were begun */
    size_t quotes, lists;           /* depth of quotations and lists around the next line */
    size_t headings;                /* inside of a heading there are no lines */
    size_t preformatted;            /* inside of it white space is kept */
};

/* `limit` is the greatest length in bytes. */
void tr_prose_init(struct tr_prose *prose, size_t limit);
/* The same for text that keeps its white space. */
void tr_prose_init_preformatted(struct tr_prose *prose, size_t limit);
void tr_prose_done(struct tr_prose *prose);

/* Valid UTF-8. */
void tr_prose_add(struct tr_prose *prose, const char *bytes, size_t length);

/* A short text without spaces around it, as it is: no white space is collapsed. */
void tr_prose_add_mark(struct tr_prose *prose, const char *mark);

void tr_prose_break(struct tr_prose *prose, enum tr_prose_break strength);

/* Begin an item of a list with its marker, "- " or "3. ". */
void tr_prose_begin_item(struct tr_prose *prose, const char *marker);

/* What an item ends with is a line, however much space its last paragraph asked for. */
void tr_prose_end_item(struct tr_prose *prose);

/* Put `lead` before the next text of this line. */
void tr_prose_lead(struct tr_prose *prose, const char *lead);

/* Nothing was written since the lead was set: forget it. */
void tr_prose_end_lead(struct tr_prose *prose);

void tr_prose_begin_row(struct tr_prose *prose);
void tr_prose_begin_cell(struct tr_prose *prose);
void tr_prose_end_cell(struct tr_prose *prose);

/* Between the two, text is kept as it is, inside of a fence. */
void tr_prose_begin_preformatted(struct tr_prose *prose);
void tr_prose_end_preformatted(struct tr_prose *prose);

static inline void tr_prose_drop(struct tr_prose *prose)
{
    tr_prose_done(prose);
}

#endif
