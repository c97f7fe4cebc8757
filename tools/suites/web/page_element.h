/* page_element.h - what an element of HTML means for someone who reads the page. */
#ifndef TR_TOOLS_SUITES_WEB_PAGE_ELEMENT_H
#define TR_TOOLS_SUITES_WEB_PAGE_ELEMENT_H

#include <stdbool.h>

struct tr_html_element;

enum tr_page_kind {
    TR_PAGE_INLINE, /* text that goes on, and every element that is not known */
    TR_PAGE_TITLE,
    TR_PAGE_BASE,
    TR_PAGE_UNREADABLE, /* scripts, pictures, controls of forms */
    TR_PAGE_NAVIGATION,
    TR_PAGE_FOOTER,
    TR_PAGE_DIALOG,
    TR_PAGE_BUTTON,
    TR_PAGE_CONTENT, /* article, main */
    TR_PAGE_BLOCK,
    TR_PAGE_PARAGRAPH,
    TR_PAGE_HEADING,
    TR_PAGE_BULLETS,
    TR_PAGE_NUMBERS,
    TR_PAGE_ITEM,
    TR_PAGE_DEFINITION,
    TR_PAGE_QUOTATION,
    TR_PAGE_PREFORMATTED,
    TR_PAGE_CODE,
    TR_PAGE_LINE_END,
    TR_PAGE_RULE,
    TR_PAGE_ROW,
    TR_PAGE_CELL,
    TR_PAGE_ANCHOR,
    TR_PAGE_IMAGE,
};

enum tr_page_kind tr_page_kind_of(const char *name);

/* Does the page hide it from its readers? */
bool tr_page_is_hidden(const struct tr_html_element *element);

/* Is it there to get about in the page, by its role? */
bool tr_page_is_navigation(const struct tr_html_element *element);

#endif
