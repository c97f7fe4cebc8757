#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/core/text.h"
#include "tools/suites/web/charset.h"

static void charset_is_found_by_the_strongest_clue(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *label;
        bool may_have_meta;
        const char *charset;
    } cases[] = {
        { "abc", NULL, false, "UTF-8" },
        { "\xc3\xa9", "", false, "UTF-8" },
        { "\xe9", NULL, false, "WINDOWS-1252" },
        { "abc", "ISO-8859-1", false, "WINDOWS-1252" },
        { "abc", "gb2312", false, "GB18030" },
        { "abc", "../../etc", false, "UTF-8" },
        { "abc", "UTF-8//TRANSLIT", false, "UTF-8" },
        { "\xe9", "unknown", false, "WINDOWS-1252" },
        { "\xef\xbb\xbf", "koi8-r", true, "UTF-8" },
        { "\xff\xfe", "utf-8", true, "UTF-16LE" },
        { "\xfe\xff", "utf-8", true, "UTF-16BE" },
        { "<meta charset=koi8-r>", NULL, true, "KOI8-R" },
        { "<META CharSet = \"KOI8-R\">", NULL, true, "KOI8-R" },
        { "<meta charset=koi8-r>", NULL, false, "UTF-8" },
        { "<meta charset=koi8-r>", "big5", true, "BIG5-HKSCS" },
        { "<meta content='text/html; charset=sjis'>", NULL, true, "CP932" },
        { "<meta name=x><meta charset=utf-16><meta charset=big5>", NULL, true, "UTF-8" },
        { "<meta charset=nonsense><meta charset=big5>", NULL, true, "BIG5-HKSCS" },
        { "<meta charset", NULL, true, "UTF-8" },
        { "<meta charset=", NULL, true, "UTF-8" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_charset_clues clues = {
            .label = cases[i].label,
            .may_have_meta = cases[i].may_have_meta,
        };
        const char *found = tr_charset_find(cases[i].bytes, strlen(cases[i].bytes), &clues);
        assert_string_equal(found, cases[i].charset);
    }
}

static void charset_decodes_to_utf8_without_nul(void **state)
{
    (void)state;
    static const struct {
        const char *charset, *bytes;
        size_t length;
        const char *text;
    } cases[] = {
        { "UTF-8", "", 0, "" },
        { "UTF-8", "\xef\xbb\xbf\xc3\xa9", 5, "\u00e9" },
        { "UTF-8", "a\xff\xc3z\0y", 6, "a\ufffd\ufffdz\ufffdy" },
        { "UTF-8", "\xed\xa0\x80", 3, "\ufffd\ufffd\ufffd" },
        { "WINDOWS-1252", "\x80\xe9\x81", 3, "\u20ac\u00e9\ufffd" },
        { "UTF-16LE", "\xff\xfe\xe9\0", 4, "\u00e9" },
        { "UTF-16LE", "\x3d\xd8\0\xde\0\xd8z\0q", 9, "\U0001F600\ufffdz\ufffd" },
        { "UTF-16BE", "\xfe\xff\0\xe9\0\0", 6, "\u00e9\ufffd" },
        { "CP932", "\x82\xa0\x82", 3, "\u3042\ufffd" },
        { "ISO-2022-JP", "\x1b$B$\"\x1b(B!", 9, "\u3042!" },
        { "GB18030", "\xc4\xe3\x81\x30\x81\x30", 6, "\u4f60\xc2\x80" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text out;
        tr_text_init(&out, 100);

        const enum tr_status status =
            tr_charset_decode(&out, cases[i].bytes, cases[i].length, cases[i].charset);

        assert_int_equal(status, TR_OK);
        assert_string_equal(tr_text_string(&out), cases[i].text);
        tr_text_done(&out);
    }
}

/* Every label must be an encoding that the system has, or its pages are read as something else. */
static void charset_has_every_encoding_that_it_names(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",   "iso-8859-6",
        "iso-8859-7",   "iso-8859-8",   "iso-8859-9",   "iso-8859-10",  "iso-8859-11",
        "iso-8859-13",  "iso-8859-14",  "iso-8859-15",  "iso-8859-16",  "windows-1250",
        "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
        "windows-1256", "windows-1257", "windows-1258", "koi8-r",       "koi8-u",
        "ibm866",       "macintosh",    "shift_jis",    "euc-jp",       "iso-2022-jp",
        "euc-kr",       "gbk",          "big5",         "utf-16",       "utf-16be",
    };
    for (size_t i = 0; i < TR_COUNT_OF(labels); i++) {
        const struct tr_charset_clues clues = { .label = labels[i] };
        const char *charset = tr_charset_find("", 0, &clues);
        const size_t unit = strncmp(charset, "UTF-16", 6) == 0 ? 2 : 1;
        const char *bytes = strcmp(charset, "UTF-16LE") == 0 ? "A\0" : "\0A";
        struct tr_text out;
        tr_text_init(&out, 100);

        const enum tr_status status =
            tr_charset_decode(&out, unit == 2 ? bytes : "A", unit, charset);

        assert_int_equal(status, TR_OK);
        assert_string_not_equal(charset, "UTF-8");
        assert_string_equal(tr_text_string(&out), "A");
        tr_text_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charset_is_found_by_the_strongest_clue),
        cmocka_unit_test(charset_decodes_to_utf8_without_nul),
        cmocka_unit_test(charset_has_every_encoding_that_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
