/* page_links.h - the links of a page: absolute, numbered in the order of the text. */
#ifndef TR_TOOLS_SUITES_WEB_PAGE_LINKS_H
#define TR_TOOLS_SUITES_WEB_PAGE_LINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/arena.h"
#include "tools/core/compiler.h"
#include "tools/core/status.h"

enum { TR_PAGE_LINKS = 1000 };

/* Where the text says "[number]". */
struct tr_page_link {
    size_t offset;   /* of the '[' */
    size_t number;   /* from 1; a link to the same place as the one before has its number */
    const char *url; /* absolute, http or https; in the arena */
};

struct tr_page_links {
    struct tr_page_link *items; /* TR_PAGE_LINKS of them, in the arena */
    size_t count;
    struct tr_arena *arena;
    const char *page_url;  /* borrowed */
    char *base;            /* owned; what the page says in place of its own URL, or NULL */
    enum tr_status status; /* the first failure: TR_NO_MEMORY, TR_BODY_TOO_LARGE of the arena */
};

void tr_page_links_init(struct tr_page_links *links, struct tr_arena *arena, const char *page_url);

/* Frees what is not in the arena. */
void tr_page_links_done(struct tr_page_links *links);

/* The page's <base href>; the first one counts. */
void tr_page_links_set_base(struct tr_page_links *links, const char *reference);

/* The absolute URL of a reference, to be freed; NULL when it is no link worth a number: to another
 * place in the page, of another scheme (mailto:, javascript: ...), with user information, over 2
 * KiB, or there have been TR_PAGE_LINKS. */
TR_MUST_USE char *tr_page_links_resolve(struct tr_page_links *links, const char *reference);

/* The link to `url` that would come next, still without its offset; false when there is no room. */
TR_MUST_USE bool tr_page_links_next(struct tr_page_links *links, const char *url,
                                    struct tr_page_link *ret_link);

/* Add the one that tr_page_links_next() gave. */
void tr_page_links_add(struct tr_page_links *links, struct tr_page_link link);

#endif
