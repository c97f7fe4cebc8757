/* Any bytes as a web page: what comes out is text within its limits, and every link is where the
 * page says it is. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/utf8.h"
#include "tools/suites/web/charset.h"
#include "tools/suites/web/page.h"

enum { ARENA_BYTES = 8 * 1024 * 1024 };

static void require_text(const struct tr_text *text, size_t limit)
{
    const char *bytes = tr_text_string(text);
    FUZZ_REQUIRE(text->length <= limit && strlen(bytes) == text->length);
    FUZZ_REQUIRE(tr_charset_is_plain(bytes, text->length));
    FUZZ_REQUIRE(bytes[0] != '\n');
}

static void require_links(const struct tr_page *page)
{
    const char *text = tr_text_string(&page->text);
    size_t number = 0;
    FUZZ_REQUIRE(page->link_count <= TR_PAGE_LINKS);
    for (size_t i = 0; i < page->link_count; i++) {
        const struct tr_page_link *link = &page->links[i];
        char mark[32];
        (void)snprintf(mark, sizeof(mark), "[%zu]", link->number);
        FUZZ_REQUIRE(link->offset < page->text.length);
        FUZZ_REQUIRE(strncmp(text + link->offset, mark, strlen(mark)) == 0);
        FUZZ_REQUIRE(link->number == number || link->number == number + 1);
        FUZZ_REQUIRE(strncmp(link->url, "http", 4) == 0);
        number = link->number;
    }
}

static void read_page(const struct tr_text *html, bool keeps_navigation)
{
    struct tr_arena arena;
    tr_arena_init(&arena, ARENA_BYTES);
    struct tr_page page;
    const struct tr_page_source source = {
        .html = tr_text_string(html),
        .length = html->length,
        .url = "https://example.com/a/b.html",
        .keeps_navigation = keeps_navigation,
    };
    if (tr_page_read(&source, &arena, &page) == TR_OK) {
        require_text(&page.title, TR_PAGE_TITLE_BYTES);
        require_text(&page.text, TR_PAGE_TEXT_BYTES);
        require_links(&page);
        tr_page_done(&page);
    }
    tr_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = size != 0 ? (const char *)data : "";
    const struct tr_charset_clues clues = { .may_have_meta = true };
    struct tr_text html;
    tr_text_init(&html, 3 * size + 16);
    const enum tr_status status =
        tr_charset_decode(&html, bytes, size, tr_charset_find(bytes, size, &clues));
    if (status == TR_OK) {
        FUZZ_REQUIRE(tr_charset_is_plain(tr_text_string(&html), html.length));
        read_page(&html, false);
        read_page(&html, true);
    }
    tr_text_done(&html);
    return 0;
}
