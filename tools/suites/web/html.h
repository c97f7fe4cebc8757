/* html.h - HTML as a stream of events: elements that open and close, and the text between them.
 *
 * No tree is built, so memory does not grow with the page, and reading stops where it would cost
 * more than a page is worth. */
#ifndef TR_TOOLS_SUITES_WEB_HTML_H
#define TR_TOOLS_SUITES_WEB_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/status.h"

enum {
    TR_HTML_DEPTH = 512,           /* elements inside of each other */
    TR_HTML_ELEMENTS = 200 * 1000, /* in one document */
};

/* An element that opens; borrowed until the function returns. */
struct tr_html_element {
    const char *name;              /* in lower case */
    const char *const *attributes; /* name, value, name, value ..., NULL; or NULL */
};

/* The value of an attribute; "" when it is there without one; NULL when it is not there. */
const char *tr_html_attribute(const struct tr_html_element *element, const char *name);

/* Who listens. What opens also closes, in the reverse order, unless the reading is cut. Text comes
 * in pieces, as valid UTF-8, with its entities resolved. */
struct tr_html_sink {
    void (*open)(void *context, const struct tr_html_element *element);
    void (*close)(void *context);
    void (*text)(void *context, const char *bytes, size_t length);
    bool (*is_full)(void *context); /* asked every few thousand bytes: stop reading? */
    void *context;
};

/* Read a document in UTF-8 without NUL. *ret_is_cut: a limit was met before its end, or the sink
 * was full; what was read until then has been told. TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_html_read(const char *bytes, size_t length,
                                        const struct tr_html_sink *sink, bool *ret_is_cut);

#endif
