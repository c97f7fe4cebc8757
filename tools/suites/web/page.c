#include "tools/suites/web/page.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/core/utf8.h"
#include "tools/suites/web/html.h"
#include "tools/suites/web/page_element.h"
#include "tools/suites/web/prose.h"

enum { LEAD_BYTES = 24, ALT_BYTES = 200 };

/* An element that is open. */
struct frame {
    enum tr_page_kind kind;
    bool is_skipped;  /* neither it nor what is inside of it is read */
    bool is_quiet;    /* opened inside of something that is skipped: it was not told to the text */
    int64_t items;    /* of a list: the number of the last one */
    char *url;        /* of an anchor; owned */
    size_t text_mark; /* of an anchor: the length of the text before it */
};

struct reading {
    const struct tr_page_source *source;
    struct tr_prose title, text;
    struct frame frames[TR_HTML_DEPTH];
    size_t depth;
    size_t skipped;  /* frames that are skipped */
    size_t contents; /* articles and mains that are open */
    size_t titles;   /* titles that were begun: the first one counts */
    struct tr_page_links links;
};

static struct frame *top(struct reading *reading)
{
    return &reading->frames[reading->depth - 1];
}

/* ---- links ---- */

/* " [7]", behind the text of an anchor that has any. */
static void close_anchor(struct reading *reading, const struct frame *frame)
{
    struct tr_page_link link;
    const bool has_text = reading->text.text.length > frame->text_mark;
    if (frame->url == NULL || !has_text
        || !tr_page_links_next(&reading->links, frame->url, &link)) {
        return;
    }
    char mark[LEAD_BYTES];
    (void)snprintf(mark, sizeof(mark), "[%zu]", link.number);
    tr_prose_break(&reading->text, TR_PROSE_SPACE);
    tr_prose_add_mark(&reading->text, mark);
    if (!reading->text.is_full) {
        link.offset = reading->text.text.length - strlen(mark);
        tr_page_links_add(&reading->links, link);
    }
}

static void set_base(struct reading *reading, const struct tr_html_element *element)
{
    const char *reference = tr_html_attribute(element, "href");
    if (reference != NULL) {
        tr_page_links_set_base(&reading->links, reference);
    }
}

/* ---- elements that open ---- */

static void open_item(struct reading *reading)
{
    for (size_t i = reading->depth - 1; i-- > 0;) {
        struct frame *list = &reading->frames[i];
        if (list->kind == TR_PAGE_NUMBERS) {
            char marker[LEAD_BYTES];
            (void)snprintf(marker, sizeof(marker), "%lld. ", (long long)++list->items);
            tr_prose_begin_item(&reading->text, marker);
            return;
        }
        if (list->kind == TR_PAGE_BULLETS) {
            break;
        }
    }
    tr_prose_begin_item(&reading->text, "- ");
}

static void open_heading(struct reading *reading, const char *name)
{
    static const char marks[] = "###### ";
    const size_t level = (size_t)(name[1] - '0');
    tr_prose_break(&reading->text, TR_PROSE_BLANK);
    tr_prose_lead(&reading->text, marks + (sizeof(marks) - 2 - level));
    reading->text.headings++;
}

static void open_list(struct reading *reading)
{
    tr_prose_break(&reading->text, reading->text.lists == 0 ? TR_PROSE_BLANK : TR_PROSE_LINE);
    reading->text.lists++;
}

static void open_quotation(struct reading *reading)
{
    tr_prose_break(&reading->text, TR_PROSE_BLANK);
    reading->text.quotes++;
}

static void open_anchor(struct reading *reading, const struct tr_html_element *element)
{
    const char *reference = tr_html_attribute(element, "href");
    top(reading)->text_mark = reading->text.text.length;
    if (reference != NULL) {
        top(reading)->url = tr_page_links_resolve(&reading->links, reference);
    }
}

static void open_image(struct reading *reading, const struct tr_html_element *element)
{
    const char *words = tr_html_attribute(element, "alt");
    if (words == NULL || words[strspn(words, " \t\r\n\f")] == '\0') {
        return;
    }
    tr_prose_add_mark(&reading->text, "[image: ");
    tr_prose_add(&reading->text, words, tr_utf8_cut(words, strnlen(words, ALT_BYTES)));
    tr_prose_add_mark(&reading->text, "]");
}

static void open_code(struct reading *reading)
{
    if (reading->text.preformatted == 0) {
        tr_prose_add_mark(&reading->text, "`");
    }
}

static void open_element(struct reading *reading, const struct tr_html_element *element)
{
    struct tr_prose *text = &reading->text;
    switch (top(reading)->kind) {
    case TR_PAGE_TITLE: reading->titles++; break;
    case TR_PAGE_BASE: set_base(reading, element); break;
    case TR_PAGE_CONTENT:
        reading->contents++;
        tr_prose_break(text, TR_PROSE_BLANK);
        break;
    case TR_PAGE_NAVIGATION:
    case TR_PAGE_FOOTER:
    case TR_PAGE_DIALOG:
    case TR_PAGE_PARAGRAPH: tr_prose_break(text, TR_PROSE_BLANK); break;
    case TR_PAGE_BLOCK:
    case TR_PAGE_LINE_END: tr_prose_break(text, TR_PROSE_LINE); break;
    case TR_PAGE_HEADING: open_heading(reading, element->name); break;
    case TR_PAGE_BULLETS:
    case TR_PAGE_NUMBERS: open_list(reading); break;
    case TR_PAGE_ITEM: open_item(reading); break;
    case TR_PAGE_DEFINITION: tr_prose_begin_item(text, ": "); break;
    case TR_PAGE_QUOTATION: open_quotation(reading); break;
    case TR_PAGE_PREFORMATTED: tr_prose_begin_preformatted(text); break;
    case TR_PAGE_CODE: open_code(reading); break;
    case TR_PAGE_RULE:
        tr_prose_break(text, TR_PROSE_BLANK);
        tr_prose_add_mark(text, "---");
        tr_prose_break(text, TR_PROSE_BLANK);
        break;
    case TR_PAGE_ROW: tr_prose_begin_row(text); break;
    case TR_PAGE_CELL: tr_prose_begin_cell(text); break;
    case TR_PAGE_ANCHOR: open_anchor(reading, element); break;
    case TR_PAGE_IMAGE: open_image(reading, element); break;
    case TR_PAGE_INLINE:
    case TR_PAGE_UNREADABLE:
    case TR_PAGE_BUTTON: break;
    }
}

/* ---- elements that close ---- */

static void close_element(struct reading *reading, const struct frame *frame)
{
    struct tr_prose *text = &reading->text;
    switch (frame->kind) {
    case TR_PAGE_CONTENT:
        reading->contents--;
        tr_prose_break(text, TR_PROSE_BLANK);
        break;
    case TR_PAGE_NAVIGATION:
    case TR_PAGE_FOOTER:
    case TR_PAGE_DIALOG:
    case TR_PAGE_PARAGRAPH: tr_prose_break(text, TR_PROSE_BLANK); break;
    case TR_PAGE_BLOCK: tr_prose_break(text, TR_PROSE_LINE); break;
    case TR_PAGE_HEADING:
        text->headings--;
        tr_prose_end_lead(text);
        tr_prose_break(text, TR_PROSE_BLANK);
        break;
    case TR_PAGE_BULLETS:
    case TR_PAGE_NUMBERS:
        text->lists--;
        tr_prose_break(text, text->lists == 0 ? TR_PROSE_BLANK : TR_PROSE_LINE);
        break;
    case TR_PAGE_ITEM:
    case TR_PAGE_DEFINITION: tr_prose_end_item(text); break;
    case TR_PAGE_QUOTATION:
        text->quotes--;
        tr_prose_break(text, TR_PROSE_BLANK);
        break;
    case TR_PAGE_PREFORMATTED: tr_prose_end_preformatted(text); break;
    case TR_PAGE_CODE: open_code(reading); break; /* the same mark at both ends */
    case TR_PAGE_ROW: tr_prose_break(text, TR_PROSE_LINE); break;
    case TR_PAGE_CELL: tr_prose_end_cell(text); break;
    case TR_PAGE_ANCHOR: close_anchor(reading, frame); break;
    case TR_PAGE_TITLE:
    case TR_PAGE_BASE:
    case TR_PAGE_LINE_END:
    case TR_PAGE_RULE:
    case TR_PAGE_IMAGE:
    case TR_PAGE_INLINE:
    case TR_PAGE_UNREADABLE:
    case TR_PAGE_BUTTON: break;
    }
}

/* ---- what the HTML reader tells ---- */

static bool is_boilerplate(const struct reading *reading, enum tr_page_kind kind,
                           const struct tr_html_element *element)
{
    if (reading->source->keeps_navigation) {
        return false;
    }
    return kind == TR_PAGE_NAVIGATION || (kind == TR_PAGE_FOOTER && reading->contents == 0)
           || (kind == TR_PAGE_BUTTON && reading->text.headings == 0)
           || tr_page_is_navigation(element);
}

static bool is_skipped(const struct reading *reading, enum tr_page_kind kind,
                       const struct tr_html_element *element)
{
    return kind == TR_PAGE_UNREADABLE
           || (kind == TR_PAGE_DIALOG && tr_html_attribute(element, "open") == NULL)
           || is_boilerplate(reading, kind, element) || tr_page_is_hidden(element);
}

static void on_open(void *context, const struct tr_html_element *element)
{
    struct reading *reading = context;
    const enum tr_page_kind kind = tr_page_kind_of(element->name);
    const bool is_quiet = reading->skipped != 0;
    reading->depth++;
    *top(reading) = (struct frame){
        .kind = kind,
        .is_quiet = is_quiet,
        .is_skipped = !is_quiet && is_skipped(reading, kind, element),
    };
    reading->skipped += top(reading)->is_skipped;
    if (reading->skipped == 0) {
        open_element(reading, element);
    }
}

static void on_close(void *context)
{
    struct reading *reading = context;
    struct frame frame = *top(reading);
    reading->depth--;
    reading->skipped -= frame.is_skipped;
    if (!frame.is_skipped && !frame.is_quiet) {
        close_element(reading, &frame);
    }
    free(frame.url);
}

static void on_text(void *context, const char *bytes, size_t length)
{
    struct reading *reading = context;
    if (reading->skipped != 0) {
        return;
    }
    const bool is_title = reading->depth != 0 && top(reading)->kind == TR_PAGE_TITLE;
    if (!is_title) {
        tr_prose_add(&reading->text, bytes, length);
    } else if (reading->titles == 1) {
        tr_prose_add(&reading->title, bytes, length);
    }
}

static bool is_full(void *context)
{
    const struct reading *reading = context;
    return reading->links.status != TR_OK || reading->text.is_full
           || reading->text.text.status != TR_OK;
}

/* ---- the whole page ---- */

static enum tr_status status_of(const struct reading *reading)
{
    if (reading->links.status != TR_OK) {
        return reading->links.status;
    }
    return reading->title.text.status != TR_OK ? reading->title.text.status
                                               : reading->text.text.status;
}

/* What was read becomes the page; everything else ends here. */
static void end_reading(struct reading *reading, struct tr_page *page)
{
    while (reading->depth != 0) {
        free(top(reading)->url);
        reading->depth--;
    }
    page->title = reading->title.text;
    page->text = reading->text.text;
    page->links = reading->links.items;
    page->link_count = reading->links.count;
    page->is_cut |= reading->text.is_full;
    tr_page_links_done(&reading->links);
}

enum tr_status tr_page_read(const struct tr_page_source *source, struct tr_arena *arena,
                            struct tr_page *ret_page)
{
    *ret_page = (struct tr_page){ .links = NULL };
    struct reading *reading = TR_NEW(arena, struct reading, 1);
    if (reading == NULL) {
        return tr_arena_status(arena);
    }
    reading->source = source;
    tr_page_links_init(&reading->links, arena, source->url);
    tr_prose_init(&reading->title, TR_PAGE_TITLE_BYTES);
    tr_prose_init(&reading->text, TR_PAGE_TEXT_BYTES);
    const struct tr_html_sink sink = {
        .open = on_open,
        .close = on_close,
        .text = on_text,
        .is_full = is_full,
        .context = reading,
    };
    enum tr_status status = reading->links.status;
    if (status == TR_OK) {
        status = tr_html_read(source->html, source->length, &sink, &ret_page->is_cut);
    }
    status = status != TR_OK ? status : status_of(reading);
    end_reading(reading, ret_page);
    if (status != TR_OK) {
        tr_page_done(ret_page);
    }
    return status;
}

void tr_page_done(struct tr_page *page)
{
    tr_text_done(&page->title);
    tr_text_done(&page->text);
    *page = (struct tr_page){ .links = NULL };
}
