#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"
#include "tools/core/utf8.h"
#include "tools/suites/web/html.h"
#include "tools/suites/web/page.h"

static struct tr_arena arena;

static int begin(void **state)
{
    (void)state;
    tr_arena_init(&arena, (size_t)8 * 1024 * 1024);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tr_arena_done(&arena);
    return 0;
}

static struct tr_page read_page(const char *html, size_t length, bool keeps_navigation)
{
    struct tr_page page;
    const struct tr_page_source source = {
        .html = html,
        .length = length,
        .url = "https://example.com/a/b.html",
        .keeps_navigation = keeps_navigation,
    };
    assert_int_equal(tr_page_read(&source, &arena, &page), TR_OK);
    return page;
}

struct layout {
    const char *html, *text;
};

static void assert_layouts(const struct layout *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tr_page page = read_page(cases[i].html, strlen(cases[i].html), false);

        if (strcmp(tr_text_string(&page.text), cases[i].text) != 0) {
            fail_msg("%s\n--- gives\n%s\n--- wanted\n%s", cases[i].html, tr_text_string(&page.text),
                     cases[i].text);
        }
        assert_false(page.is_cut);
        tr_page_done(&page);
    }
}

static void page_collapses_white_space_and_separates_paragraphs(void **state)
{
    (void)state;
    static const struct layout cases[] = {
        { "", "" },
        { "plain", "plain" },
        { "  a \n\t b  ", "a b" },
        { "<p>one<p>two", "one\n\ntwo" },
        { "<p>one</p>\n\n<p></p><p> </p>\n<p>two</p>", "one\n\ntwo" },
        { "<div>one</div><div>two</div>", "one\ntwo" },
        { "<div><div><div>deep</div></div></div>after", "deep\nafter" },
        { "a<br>b<br/>c", "a\nb\nc" },
        { "a <b>bold</b>, <i>slanted</i>.", "a bold, slanted." },
        { "a&nbsp;&amp;&lt;b&gt;&hellip;&#233;&#x1F600;", "a &<b>\u2026\u00e9\U0001F600" },
        { "one<hr>two", "one\n\n---\n\ntwo" },
        { "<section>a</section><article>b</article>", "a\n\nb" },
        { "<p>unclosed <b>bold<p>next", "unclosed bold\n\nnext" },
    };
    assert_layouts(cases, TR_COUNT_OF(cases));
}

static void page_marks_headings_lists_quotations_and_code(void **state)
{
    (void)state;
    static const struct layout cases[] = {
        { "<h1>One</h1><p>text<h2>Two</h2>", "# One\n\ntext\n\n## Two" },
        { "<h3>a<br>b <div>c</div></h3>x", "### a b c\n\nx" },
        { "<h6>deep</h6><h2></h2>x", "###### deep\n\nx" },
        { "<p>list:<ul><li>a<li>b</ul>after", "list:\n\n- a\n- b\n\nafter" },
        { "<ol><li>a</li><li>b</li></ol>", "1. a\n2. b" },
        { "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>", "- a\n  - b\n  - c\n- d" },
        { "<ul><li><p>a</p><p>b</p></li><li></li><li>c</li></ul>", "- a\n\n  b\n- c" },
        { "<ul><li><p>a</p></li> <li><p>b</p></li></ul><p>c", "- a\n- b\n\nc" },
        { "<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  - b\n2. c" },
        { "<li>no list", "- no list" },
        { "<ul><li><h3>Head</h3></li></ul>", "- ### Head" },
        { "<dl><dt>word<dd>meaning<dd><p>another</p></dl>", "word\n: meaning\n: another" },
        { "<p>he said<blockquote><p>one<p>two</blockquote>end",
          "he said\n\n> one\n\n> two\n\nend" },
        { "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n\n> > b" },
        { "use <code>x  y</code> now", "use `x y` now" },
        { "<pre>a  b\n  <b>c</b>\n</pre>after", "```\na  b\n  c\n```\n\nafter" },
        { "<pre><code>x = 1</code></pre>", "```\nx = 1\n```" },
        { "<pre>a<br>  b<div>c</div></pre>", "```\na\n  b\nc\n```" },
        { "<img src=x alt='A cat'> <img src=y alt=''><img src=z>", "[image: A cat]" },
    };
    assert_layouts(cases, TR_COUNT_OF(cases));
}

static void page_flattens_tables(void **state)
{
    (void)state;
    static const struct layout cases[] = {
        { "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a | b\n1 | 2" },
        { "<table>\n<thead>\n<tr>\n<th> a </th>\n<th> b </th>\n</tr>\n</thead>\n</table>x",
          "a | b\n\nx" },
        { "<table><tr><td>a<td><td>c<tr><td><td>b<tr><td><td><td>c</table>",
          "a | | c\n| b\n| | c" },
        { "<table><tr><td><p>a</p></td><td><div>b</div></td></tr></table>", "a | b" },
        { "<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb | c" },
        { "<table><caption>Title</caption><tr><td>a</table>", "Title\na" },
        { "<table><tr><td>a<table><tr><td>x<td>y</table><td>b</table>", "a\n\nx | y | b" },
    };
    assert_layouts(cases, TR_COUNT_OF(cases));
}

static void page_leaves_out_what_nobody_reads(void **state)
{
    (void)state;
    static const struct layout cases[] = {
        { "a<script>if (a < b) '<p>x</p>'</script>b", "ab" },
        { "a<style>p { }</style><!-- no --><template>t</template>b", "ab" },
        { "a <svg><text>x</text></svg><iframe>y</iframe><select><option>z</select> b", "a b" },
        { "a<div hidden>x</div><p aria-hidden=true>y</p>b", "a\n\nb" },
        { "a<b style='color:red; DISPLAY : none'>x</b><i style='visibility:hidden'>y</i>b", "ab" },
        { "<body style='visibility:hidden'>shown later</body>", "shown later" },
        { "<nav><ul><li>Home</ul></nav><main>text</main><footer>(c)</footer>", "text" },
        { "<article>a<footer>by me</footer></article><footer>(c)</footer>", "a\n\nby me" },
        { "<div role=navigation>x</div><div role=Dialog>y</div><search>z</search>a", "a" },
        { "<button>Menu</button><h2><button>Question</button></h2>", "## Question" },
        { "<dialog>x</dialog><dialog open>y</dialog>", "y" },
        { "<nav><p>x<nav>y</nav><p>z</nav>a", "a" },
        { "zero\u200bwidth \u202eturned\u202c so\u00adft tag\U000E0041s",
          "zerowidth turned soft tags" },
    };
    assert_layouts(cases, TR_COUNT_OF(cases));
}

static void page_keeps_navigation_when_it_is_asked_to(void **state)
{
    (void)state;
    static const char html[] = "<nav>Home</nav><div role=search>s</div><footer>(c)</footer>";

    struct tr_page page = read_page(html, strlen(html), true);

    assert_string_equal(tr_text_string(&page.text), "Home\n\ns\n\n(c)");
    tr_page_done(&page);
}

static void page_gives_its_first_title(void **state)
{
    (void)state;
    static const char html[] =
        "<head><title> A &amp;\n B </title></head><svg><title>no</title></svg><title>2</title>text";

    struct tr_page page = read_page(html, strlen(html), false);

    assert_string_equal(tr_text_string(&page.title), "A & B");
    assert_string_equal(tr_text_string(&page.text), "text");
    tr_page_done(&page);
}

static void page_numbers_its_links(void **state)
{
    (void)state;
    static const char html[] =
        "<a href=c.html>one</a> <a href='/d?x=1&amp;y=2'>two</a><a href='/d?x=1&amp;y=2'>again</a>"
        "<a href='//other.example/'>three</a> <a href='#here'>none</a> <a name=x>none</a>"
        "<a href='mailto:a@b.example'>none</a> <a href='javascript:x()'>none</a>"
        "<a href=data:text/html,x>none</a> <a href='https://u:p@c.example/'>none</a>"
        "<a href=empty.html></a> <a href='ftp://c.example/'>none</a> <a href='  ../e '>four</a>";
    static const struct {
        size_t number;
        const char *url;
    } wanted[] = {
        { 1, "https://example.com/a/c.html" },  { 2, "https://example.com/d?x=1&y=2" },
        { 2, "https://example.com/d?x=1&y=2" }, { 3, "https://other.example/" },
        { 4, "https://example.com/e" },
    };

    struct tr_page page = read_page(html, strlen(html), false);

    const char *text = tr_text_string(&page.text);
    assert_string_equal(text, "one [1] two [2]again [2]three [3] none nonenone nonenone none "
                              "none four [4]");
    assert_int_equal(page.link_count, TR_COUNT_OF(wanted));
    for (size_t i = 0; i < TR_COUNT_OF(wanted); i++) {
        assert_int_equal(page.links[i].number, wanted[i].number);
        assert_string_equal(page.links[i].url, wanted[i].url);
        assert_int_equal(text[page.links[i].offset], '[');
    }
    tr_page_done(&page);
}

static void page_follows_its_base(void **state)
{
    (void)state;
    static const char html[] = "<base href='/root/'><base href='/no/'><a href=x>x</a>";

    struct tr_page page = read_page(html, strlen(html), false);

    assert_int_equal(page.link_count, 1);
    assert_string_equal(page.links[0].url, "https://example.com/root/x");
    tr_page_done(&page);
}

/* `times` copies of `piece` between the other two. */
static char *repeated(const char *before, const char *piece, size_t times, const char *after)
{
    const size_t length = strlen(piece);
    char *text = malloc(strlen(before) + times * length + strlen(after) + 1);
    assert_non_null(text);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < times; i++) {
        memcpy(at, piece, length);
        at += length;
    }
    memcpy(at, after, strlen(after) + 1);
    return text;
}

static void page_numbers_no_more_than_1000_links(void **state)
{
    (void)state;
    char *html = repeated("", "<a href=x>x</a> <a href=y>y</a> ", 501, "end");

    struct tr_page page = read_page(html, strlen(html), false);

    assert_int_equal(page.link_count, TR_PAGE_LINKS);
    assert_non_null(strstr(tr_text_string(&page.text), "[1000] x y end"));
    assert_false(page.is_cut);
    tr_page_done(&page);
    free(html);
}

static void page_is_cut_at_each_of_its_limits(void **state)
{
    (void)state;
    /* html and body are elements too. */
    const struct {
        const char *before, *piece;
        size_t times;
        const char *after;
        bool is_cut;
    } cases[] = {
        { "text", "<b>", TR_HTML_DEPTH - 4, "x", false },
        { "text", "<b>", TR_HTML_DEPTH, "x", true },
        { "text", "<br>", TR_HTML_ELEMENTS - 10, "x", false },
        { "text", "<br>", TR_HTML_ELEMENTS + 1, "x", true },
        { "text <p>", "word ", TR_PAGE_TEXT_BYTES / 5 - 10, "x", false },
        { "text <p>", "word ", TR_PAGE_TEXT_BYTES / 5 + 1, "x", true },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char *html = repeated(cases[i].before, cases[i].piece, cases[i].times, cases[i].after);

        struct tr_page page = read_page(html, strlen(html), false);

        assert_int_equal(page.is_cut, cases[i].is_cut);
        assert_memory_equal(tr_text_string(&page.text), "text", 4);
        assert_true(page.text.length <= TR_PAGE_TEXT_BYTES);
        tr_page_done(&page);
        free(html);
    }
}

/* libxml2 compares every attribute with all before it: a MiB of them would take half a minute. */
static void page_gives_up_a_tag_without_an_end(void **state)
{
    (void)state;
    enum { ATTRIBUTES = 200 * 1000, ATTRIBUTE_BYTES = 7 };
    char *html = malloc((size_t)ATTRIBUTES * ATTRIBUTE_BYTES + 20);
    assert_non_null(html);
    char *at = stpcpy(html, "text<p ");
    for (unsigned i = 0; i < ATTRIBUTES; i++) {
        at += snprintf(at, ATTRIBUTE_BYTES, "a%x ", i);
    }

    struct tr_page page = read_page(html, (size_t)(at - html), false);

    assert_true(page.is_cut);
    assert_string_equal(tr_text_string(&page.text), "text");
    tr_page_done(&page);
    free(html);
}

/* The memory of libxml2 itself is not starved here: it is a library of its own. */
static bool read_once(void *context)
{
    static const char html[] =
        "<base href=/b/><title>T</title><h1>One</h1><ul><li><a href=x>x</a></ul>"
        "<pre>a</pre><a href='//y/'>y</a><a href='open";
    (void)context;
    struct tr_arena own;
    tr_arena_init(&own, (size_t)1024 * 1024);
    struct tr_page page;
    const struct tr_page_source source = {
        .html = html,
        .length = strlen(html),
        .url = "https://example.com/",
    };
    const enum tr_status status = tr_page_read(&source, &own, &page);
    assert_true(status == TR_OK || status == TR_NO_MEMORY);
    assert_true(status == TR_OK || page.text.length == 0);
    tr_page_done(&page);
    tr_arena_done(&own);
    return status == TR_OK;
}

static void page_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(read_once, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(page_collapses_white_space_and_separates_paragraphs),
        TEST(page_marks_headings_lists_quotations_and_code),
        TEST(page_flattens_tables),
        TEST(page_leaves_out_what_nobody_reads),
        TEST(page_keeps_navigation_when_it_is_asked_to),
        TEST(page_gives_its_first_title),
        TEST(page_numbers_its_links),
        TEST(page_follows_its_base),
        TEST(page_numbers_no_more_than_1000_links),
        TEST(page_is_cut_at_each_of_its_limits),
        TEST(page_gives_up_a_tag_without_an_end),
        TEST(page_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
