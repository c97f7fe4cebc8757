/* The HTML parser is libxml2's. What was looked at:
 *
 *   libxml2   in Debian 12 and 13 (2.9.14), with security updates; tells a document as a stream of
 *             events; not the algorithm of the HTML standard, but forgiving
 *   lexbor    the algorithm of the standard, but no package in Debian 12
 *   gumbo     the algorithm of the standard; in Debian 12 a release that nobody keeps any more;
 *             builds a tree of the whole page, whose depth and size it does not limit
 *
 * Events were the reason: a page is hostile, and its depth, its elements and the time it takes are
 * bounded here, while it is read. */

#include "tools/suites/web/html.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

/* Between two events (inside of one tag, say) libxml2 compares each attribute with all before it,
 * so its work grows with the square of the bytes. The sum of these squares is what is bounded: some
 * 180 KiB without any event, or one to two seconds of computing. */
#define SQUARE_LIMIT ((uint64_t)1 << 35)

struct reader {
    const struct tr_html_sink *sink;
    const char *bytes;
    size_t length, at;
    size_t depth, elements;
    size_t silence; /* bytes read since the last event */
    uint64_t squares;
    bool is_cut; /* nothing is read or told any more */
};

const char *tr_html_attribute(const struct tr_html_element *element, const char *name)
{
    const char *const *at = element->attributes;
    for (; at != NULL && at[0] != NULL; at += 2) {
        if (strcmp(at[0], name) == 0) {
            return at[1] != NULL ? at[1] : "";
        }
    }
    return NULL;
}

/* ---- what libxml2 calls ---- */

static void on_open(void *context, const xmlChar *name, const xmlChar **attributes)
{
    struct reader *reader = context;
    reader->silence = 0;
    reader->is_cut |= reader->depth == TR_HTML_DEPTH || reader->elements == TR_HTML_ELEMENTS;
    if (reader->is_cut) {
        return;
    }
    reader->depth++;
    reader->elements++;
    const struct tr_html_element element = {
        .name = (const char *)name,
        .attributes = (const char *const *)attributes,
    };
    reader->sink->open(reader->sink->context, &element);
}

static void on_close(void *context, const xmlChar *name)
{
    struct reader *reader = context;
    (void)name; /* libxml2 keeps the elements balanced */
    reader->silence = 0;
    if (!reader->is_cut && reader->depth != 0) {
        reader->depth--;
        reader->sink->close(reader->sink->context);
    }
}

static void on_text(void *context, const xmlChar *bytes, int length)
{
    struct reader *reader = context;
    reader->silence = 0;
    if (!reader->is_cut && length > 0) {
        reader->sink->text(reader->sink->context, (const char *)bytes, (size_t)length);
    }
}

/* The next piece of the document; 0 is its end. */
static int on_read(void *context, char *room, int wanted)
{
    struct reader *reader = context;
    const size_t left = reader->length - reader->at;
    const size_t length = left < (size_t)wanted ? left : (size_t)wanted;
    reader->squares += 2 * (uint64_t)reader->silence * length;
    reader->is_cut |=
        reader->squares > SQUARE_LIMIT || reader->sink->is_full(reader->sink->context);
    if (reader->is_cut) {
        return 0;
    }
    memcpy(room, reader->bytes + reader->at, length);
    reader->at += length;
    reader->silence += length;
    return (int)length;
}

/* ---- running it ---- */

static pthread_once_t is_prepared = PTHREAD_ONCE_INIT;

static inline void tr_html_context_drop(htmlParserCtxtPtr *context)
{
    htmlFreeParserCtxt(*context);
}

enum tr_status tr_html_read(const char *bytes, size_t length, const struct tr_html_sink *sink,
                            bool *ret_is_cut)
{
    struct reader reader = { .sink = sink, .bytes = bytes, .length = length };
    (void)pthread_once(&is_prepared, xmlInitParser);
    tr_auto(html_context) htmlParserCtxtPtr context = htmlNewParserCtxt();
    if (context == NULL) {
        return TR_NO_MEMORY;
    }
    /* No handler for errors: a page may have as many as it likes. */
    *context->sax = (htmlSAXHandler){
        .startElement = on_open,
        .endElement = on_close,
        .characters = on_text,
        .ignorableWhitespace = on_text,
    };
    context->userData = &reader;
    const int options =
        HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET;
    xmlFreeDoc(htmlCtxtReadIO(context, on_read, NULL, &reader, NULL, "UTF-8", options));
    if (context->errNo == XML_ERR_NO_MEMORY) {
        return TR_NO_MEMORY;
    }
    *ret_is_cut = reader.is_cut;
    return TR_OK;
}
