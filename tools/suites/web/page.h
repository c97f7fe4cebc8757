/* page.h - a web page as a person would read it aloud: its text, its structure in plain characters,
 * its links by number. */
#ifndef TR_TOOLS_SUITES_WEB_PAGE_H
#define TR_TOOLS_SUITES_WEB_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/status.h"
#include "tools/core/text.h"
#include "tools/suites/web/page_links.h"

enum { TR_PAGE_TITLE_BYTES = 500 };

#define TR_PAGE_TEXT_BYTES ((size_t)2 * 1024 * 1024)

struct tr_page_source {
    const char *html; /* UTF-8 without NUL */
    size_t length;
    const char *url;       /* where the page was found */
    bool keeps_navigation; /* otherwise menus, search, dialogs and the page's footer are left out */
};

struct tr_page {
    struct tr_text title, text;
    struct tr_page_link *links; /* in the order of the text */
    size_t link_count;
    bool is_cut; /* the page is too large, too deep or too costly to be read to its end */
};

/* Read the page. Scripts, styles, forms' controls and what the page itself hides (the attributes
 * hidden and aria-hidden, display:none and visibility:hidden in a style) are left out. TR_NO_MEMORY
 * or TR_BODY_TOO_LARGE, the latter from the arena; the page is then empty. */
TR_MUST_USE enum tr_status tr_page_read(const struct tr_page_source *source, struct tr_arena *arena,
                                        struct tr_page *ret_page);
void tr_page_done(struct tr_page *page);

static inline void tr_page_drop(struct tr_page *page)
{
    tr_page_done(page);
}

#endif
