#include "tools/suites/web/page_element.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/core/descriptor.h"
#include "tools/suites/web/html.h"

struct row {
    const char *name;
    enum tr_page_kind kind;
};

/* Sorted by name. */
static const struct row elements[] = {
    { "a", TR_PAGE_ANCHOR },
    { "address", TR_PAGE_BLOCK },
    { "applet", TR_PAGE_UNREADABLE },
    { "article", TR_PAGE_CONTENT },
    { "aside", TR_PAGE_PARAGRAPH },
    { "audio", TR_PAGE_UNREADABLE },
    { "base", TR_PAGE_BASE },
    { "blockquote", TR_PAGE_QUOTATION },
    { "br", TR_PAGE_LINE_END },
    { "button", TR_PAGE_BUTTON },
    { "canvas", TR_PAGE_UNREADABLE },
    { "caption", TR_PAGE_BLOCK },
    { "center", TR_PAGE_BLOCK },
    { "code", TR_PAGE_CODE },
    { "datalist", TR_PAGE_UNREADABLE },
    { "dd", TR_PAGE_DEFINITION },
    { "details", TR_PAGE_PARAGRAPH },
    { "dialog", TR_PAGE_DIALOG },
    { "dir", TR_PAGE_BULLETS },
    { "div", TR_PAGE_BLOCK },
    { "dl", TR_PAGE_PARAGRAPH },
    { "dt", TR_PAGE_BLOCK },
    { "embed", TR_PAGE_UNREADABLE },
    { "fieldset", TR_PAGE_BLOCK },
    { "figcaption", TR_PAGE_BLOCK },
    { "figure", TR_PAGE_PARAGRAPH },
    { "footer", TR_PAGE_FOOTER },
    { "form", TR_PAGE_BLOCK },
    { "frame", TR_PAGE_UNREADABLE },
    { "h1", TR_PAGE_HEADING },
    { "h2", TR_PAGE_HEADING },
    { "h3", TR_PAGE_HEADING },
    { "h4", TR_PAGE_HEADING },
    { "h5", TR_PAGE_HEADING },
    { "h6", TR_PAGE_HEADING },
    { "header", TR_PAGE_BLOCK },
    { "hgroup", TR_PAGE_BLOCK },
    { "hr", TR_PAGE_RULE },
    { "iframe", TR_PAGE_UNREADABLE },
    { "img", TR_PAGE_IMAGE },
    { "input", TR_PAGE_UNREADABLE },
    { "kbd", TR_PAGE_CODE },
    { "legend", TR_PAGE_BLOCK },
    { "li", TR_PAGE_ITEM },
    { "listing", TR_PAGE_PREFORMATTED },
    { "main", TR_PAGE_CONTENT },
    { "menu", TR_PAGE_BULLETS },
    { "nav", TR_PAGE_NAVIGATION },
    { "noembed", TR_PAGE_UNREADABLE },
    { "object", TR_PAGE_UNREADABLE },
    { "ol", TR_PAGE_NUMBERS },
    { "option", TR_PAGE_UNREADABLE },
    { "p", TR_PAGE_PARAGRAPH },
    { "pre", TR_PAGE_PREFORMATTED },
    { "samp", TR_PAGE_CODE },
    { "script", TR_PAGE_UNREADABLE },
    { "search", TR_PAGE_NAVIGATION },
    { "section", TR_PAGE_PARAGRAPH },
    { "select", TR_PAGE_UNREADABLE },
    { "style", TR_PAGE_UNREADABLE },
    { "summary", TR_PAGE_BLOCK },
    { "svg", TR_PAGE_UNREADABLE },
    { "table", TR_PAGE_PARAGRAPH },
    { "td", TR_PAGE_CELL },
    { "template", TR_PAGE_UNREADABLE },
    { "textarea", TR_PAGE_UNREADABLE },
    { "th", TR_PAGE_CELL },
    { "title", TR_PAGE_TITLE },
    { "tr", TR_PAGE_ROW },
    { "tt", TR_PAGE_CODE },
    { "ul", TR_PAGE_BULLETS },
    { "video", TR_PAGE_UNREADABLE },
    { "xmp", TR_PAGE_PREFORMATTED },
};

static int compare(const void *name, const void *row)
{
    const struct row *element = row;
    return strcmp(name, element->name);
}

enum tr_page_kind tr_page_kind_of(const char *name)
{
    const struct row *row =
        bsearch(name, elements, TR_COUNT_OF(elements), sizeof(elements[0]), compare);
    return row != NULL ? row->kind : TR_PAGE_INLINE;
}

/* Is the declaration in the style, whatever its white space and case? Where a long style is cut,
 * the rest is not looked at. */
static bool style_says(const char *style, const char *declaration)
{
    char plain[512];
    size_t length = 0;
    for (; *style != '\0' && length + 1 < sizeof(plain); style++) {
        if (strchr(" \t\r\n\f", *style) == NULL) {
            const bool is_upper = *style >= 'A' && *style <= 'Z';
            plain[length++] = is_upper ? (char)(*style - 'A' + 'a') : *style;
        }
    }
    plain[length] = '\0';
    return strstr(plain, declaration) != NULL;
}

/* Pages hide all of themselves until a script of theirs has run: that is not meant for readers. */
bool tr_page_is_hidden(const struct tr_html_element *element)
{
    const bool is_all = strcmp(element->name, "html") == 0 || strcmp(element->name, "body") == 0;
    if (element->attributes == NULL || is_all) {
        return false;
    }
    const char *aria = tr_html_attribute(element, "aria-hidden");
    const char *style = tr_html_attribute(element, "style");
    return tr_html_attribute(element, "hidden") != NULL
           || (aria != NULL && strcasecmp(aria, "true") == 0)
           || (style != NULL
               && (style_says(style, "display:none") || style_says(style, "visibility:hidden")));
}

bool tr_page_is_navigation(const struct tr_html_element *element)
{
    static const char *const roles[] = { "alertdialog", "contentinfo", "dialog", "menu",
                                         "menubar",     "navigation",  "search" };
    const char *role = tr_html_attribute(element, "role");
    for (size_t i = 0; role != NULL && i < TR_COUNT_OF(roles); i++) {
        if (strcasecmp(role, roles[i]) == 0) {
            return true;
        }
    }
    return false;
}
