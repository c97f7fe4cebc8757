#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/core/text.h"
#include "tools/suites/files/edit_diff.h"

enum { MAX_EDITS = 64, MAX_BYTES = 64 * 1024 };

/* Every place of `old_text` in `text`. */
static struct edit_list edits_of(const char *text, const char *old_text, const char *new_text)
{
    static size_t offsets[MAX_EDITS];
    struct edit_list edits = {
        .text = text,
        .length = strlen(text),
        .offsets = offsets,
        .old_length = strlen(old_text),
        .new_text = new_text,
        .new_length = strlen(new_text),
    };
    for (const char *at = text; edits.count < MAX_EDITS && (at = strstr(at, old_text)) != NULL;
         at += edits.old_length) {
        offsets[edits.count++] = (size_t)(at - text);
    }
    return edits;
}

static void diffs_are_unified(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old_text, *new_text, *diff;
    } cases[] = {
        { "a\n", "a", "b", "@@ -1,1 +1,1 @@\n-a\n+b\n" },
        { "a", "a", "b",
          "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n"
          "\\ No newline at end of file\n" },
        { "a\nb\n", "a\n", "", "@@ -1,2 +1,1 @@\n-a\n b\n" },
        { "a\nb\n", "a\n", "x", "@@ -1,2 +1,1 @@\n-a\n-b\n+xb\n" },
        { "a\nb\nc\n", "\nb", "", "@@ -1,3 +1,2 @@\n-a\n-b\n+a\n c\n" },
        { "a\n", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n" },
        { "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "5", "five",
          "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" },
        { "x\n1\n2\n3\n4\n5\n6\nx\n", "x", "y",
          "@@ -1,8 +1,8 @@\n-x\n+y\n 1\n 2\n 3\n 4\n 5\n 6\n-x\n+y\n" },
        { "x\n1\n2\n3\n4\n5\n6\n7\nx\n", "x", "y\nz",
          "@@ -1,4 +1,5 @@\n-x\n+y\n+z\n 1\n 2\n 3\n@@ -6,4 +7,5 @@\n 5\n 6\n 7\n-x\n+y\n+z\n" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct edit_list edits =
            edits_of(cases[i].text, cases[i].old_text, cases[i].new_text);
        tr_auto(text) struct tr_text out;
        tr_text_init(&out, MAX_BYTES);

        assert_true(tr_edit_diff_write(&edits, &out));

        assert_string_equal(tr_text_string(&out), cases[i].diff);
    }
}

/* ---- a diff is right when it makes the new text of the old one ---- */

static size_t line_length(const char *text)
{
    const char *end = strchr(text, '\n');
    return end != NULL ? (size_t)(end - text) + 1 : strlen(text);
}

/* One line of a hunk; gives what follows it. */
static const char *apply_line(const char *diff, const char **text, struct tr_text *out)
{
    static const char unfinished[] = "\\ No newline at end of file\n";
    const char *line = diff + 1;
    size_t length = line_length(line);
    const char *next = line + length;
    if (strncmp(next, unfinished, sizeof(unfinished) - 1) == 0) {
        next += sizeof(unfinished) - 1;
        length--;
    }
    if (*diff != '+') {
        assert_int_equal(line_length(*text), length);
        assert_memory_equal(*text, line, length);
        *text += length;
    }
    if (*diff != '-') {
        tr_text_add(out, line, length);
    }
    return next;
}

static void apply(const char *diff, const char *text, struct tr_text *out)
{
    long line = 1;
    while (*diff == '@') {
        long start = 0;
        long count = 0;
        long new_start = 0;
        long new_count = 0;
        assert_int_equal(
            sscanf(diff, "@@ -%ld,%ld +%ld,%ld @@", &start, &count, &new_start, &new_count), 4);
        for (; line < start + (count == 0); line++) {
            const size_t length = line_length(text);
            tr_text_add(out, text, length);
            text += length;
        }
        diff += line_length(diff);
        while (*diff != '@' && *diff != '\0') {
            count -= *diff != '+';
            new_count -= *diff != '-';
            line += *diff != '+';
            diff = apply_line(diff, &text, out);
        }
        assert_int_equal(count, 0);
        assert_int_equal(new_count, 0);
    }
    tr_text_add_string(out, text);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void random_text(uint32_t *seed, size_t limit, char *out)
{
    static const char letters[] = "ab\n\nx";
    const size_t length = next_random(seed) % limit;
    for (size_t i = 0; i < length; i++) {
        out[i] = letters[next_random(seed) % (sizeof(letters) - 1)];
    }
    out[length] = '\0';
}

static void a_diff_makes_the_new_text_of_the_old_one(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (size_t round = 0; round < 20000; round++) {
        char text[200];
        char old_text[4];
        char new_text[6];
        random_text(&seed, sizeof(text), text);
        random_text(&seed, sizeof(old_text), old_text);
        random_text(&seed, sizeof(new_text), new_text);
        if (old_text[0] == '\0') {
            continue;
        }
        const struct edit_list edits = edits_of(text, old_text, new_text);
        tr_auto(text) struct tr_text diff;
        tr_auto(text) struct tr_text wanted;
        tr_auto(text) struct tr_text got;
        tr_text_init(&diff, MAX_BYTES);
        tr_text_init(&wanted, MAX_BYTES);
        tr_text_init(&got, MAX_BYTES);
        (void)tr_edit_apply(&edits, 0, 0, edits.length, &wanted);

        assert_true(tr_edit_diff_write(&edits, &diff));

        apply(tr_text_string(&diff), text, &got);
        assert_string_equal(tr_text_string(&got), tr_text_string(&wanted));
    }
}

static void a_diff_stops_before_the_hunk_that_does_not_fit(void **state)
{
    (void)state;
    const struct edit_list edits = edits_of("x\n1\n2\n3\n4\n5\n6\n7\nx\n", "x", "y");
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, 140);

    assert_false(tr_edit_diff_write(&edits, &out));

    assert_string_equal(tr_text_string(&out), "@@ -1,4 +1,4 @@\n-x\n+y\n 1\n 2\n 3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diffs_are_unified),
        cmocka_unit_test(a_diff_makes_the_new_text_of_the_old_one),
        cmocka_unit_test(a_diff_stops_before_the_hunk_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
