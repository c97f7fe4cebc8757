#include "tools/suites/web/charset.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "tools/core/descriptor.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

enum {
    META_BYTES = 1024, /* how far a page may be read to find its charset */
    LABEL_BYTES = 40,
    CHUNK_BYTES = 4096,
};

static const char utf_8[] = "UTF-8";
static const char fallback[] = "WINDOWS-1252";
static const char replacement[] = "\xef\xbf\xbd";

/* The labels that pages use, in any order that reads well, and what iconv calls the encoding that
 * the standard gives them. Nothing else is handed to iconv: the label comes from outside. */
static const struct {
    const char *label, *name;
} labels[] = {
    { "utf-8", "UTF-8" },
    { "utf8", "UTF-8" },
    { "unicode-1-1-utf-8", "UTF-8" },
    { "utf-16", "UTF-16LE" },
    { "utf-16le", "UTF-16LE" },
    { "utf-16be", "UTF-16BE" },
    { "ascii", "WINDOWS-1252" },
    { "us-ascii", "WINDOWS-1252" },
    { "iso-8859-1", "WINDOWS-1252" },
    { "iso8859-1", "WINDOWS-1252" },
    { "iso_8859-1", "WINDOWS-1252" },
    { "latin1", "WINDOWS-1252" },
    { "l1", "WINDOWS-1252" },
    { "windows-1252", "WINDOWS-1252" },
    { "cp1252", "WINDOWS-1252" },
    { "x-cp1252", "WINDOWS-1252" },
    { "iso-8859-2", "ISO-8859-2" },
    { "latin2", "ISO-8859-2" },
    { "iso-8859-3", "ISO-8859-3" },
    { "iso-8859-4", "ISO-8859-4" },
    { "iso-8859-5", "ISO-8859-5" },
    { "cyrillic", "ISO-8859-5" },
    { "iso-8859-6", "ISO-8859-6" },
    { "arabic", "ISO-8859-6" },
    { "iso-8859-7", "ISO-8859-7" },
    { "greek", "ISO-8859-7" },
    { "iso-8859-8", "ISO-8859-8" },
    { "hebrew", "ISO-8859-8" },
    { "iso-8859-10", "ISO-8859-10" },
    { "iso-8859-13", "ISO-8859-13" },
    { "iso-8859-14", "ISO-8859-14" },
    { "iso-8859-15", "ISO-8859-15" },
    { "latin-9", "ISO-8859-15" },
    { "iso-8859-16", "ISO-8859-16" },
    { "iso-8859-9", "WINDOWS-1254" },
    { "latin5", "WINDOWS-1254" },
    { "iso-8859-11", "CP874" },
    { "tis-620", "CP874" },
    { "windows-874", "CP874" },
    { "windows-1250", "WINDOWS-1250" },
    { "windows-1251", "WINDOWS-1251" },
    { "cp1251", "WINDOWS-1251" },
    { "windows-1253", "WINDOWS-1253" },
    { "windows-1254", "WINDOWS-1254" },
    { "windows-1255", "WINDOWS-1255" },
    { "windows-1256", "WINDOWS-1256" },
    { "windows-1257", "WINDOWS-1257" },
    { "windows-1258", "WINDOWS-1258" },
    { "koi8-r", "KOI8-R" },
    { "koi8-u", "KOI8-U" },
    { "ibm866", "CP866" },
    { "cp866", "CP866" },
    { "macintosh", "MACINTOSH" },
    { "shift_jis", "CP932" },
    { "shift-jis", "CP932" },
    { "sjis", "CP932" },
    { "x-sjis", "CP932" },
    { "windows-31j", "CP932" },
    { "euc-jp", "EUC-JP" },
    { "x-euc-jp", "EUC-JP" },
    { "iso-2022-jp", "ISO-2022-JP" },
    { "euc-kr", "CP949" },
    { "ks_c_5601-1987", "CP949" },
    { "windows-949", "CP949" },
    { "gb2312", "GB18030" },
    { "gbk", "GB18030" },
    { "x-gbk", "GB18030" },
    { "gb18030", "GB18030" },
    { "big5", "BIG5-HKSCS" },
    { "big5-hkscs", "BIG5-HKSCS" },
};

/* ---- which encoding ---- */

static const char *of_label(const char *label, size_t length)
{
    for (size_t i = 0; i < TR_COUNT_OF(labels); i++) {
        if (strlen(labels[i].label) == length && strncasecmp(labels[i].label, label, length) == 0) {
            return labels[i].name;
        }
    }
    return NULL;
}

static size_t mark_length(const char *bytes, size_t length, const char **ret_charset)
{
    static const struct {
        const char *mark;
        size_t length;
        const char *charset;
    } marks[] = {
        { "\xef\xbb\xbf", 3, utf_8 },
        { "\xff\xfe", 2, "UTF-16LE" },
        { "\xfe\xff", 2, "UTF-16BE" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(marks); i++) {
        if (length >= marks[i].length && memcmp(bytes, marks[i].mark, marks[i].length) == 0) {
            *ret_charset = marks[i].charset;
            return marks[i].length;
        }
    }
    return 0;
}

/* The place of `word`, in any case, at or behind `at`; NULL when there is none before `end`. */
static const char *find_word(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    for (; (size_t)(end - at) >= length; at++) {
        if (strncasecmp(at, word, length) == 0) {
            return at;
        }
    }
    return NULL;
}

static const char *skip(const char *at, const char *end, const char *set)
{
    while (at < end && *at != '\0' && strchr(set, *at) != NULL) {
        at++;
    }
    return at;
}

/* The charset of one tag, written as charset="x" or inside of content="text/html; charset=x". */
static const char *of_tag(const char *at, const char *end)
{
    static const char charset[] = "charset";
    for (at = find_word(at, end, charset); at != NULL; at = find_word(at, end, charset)) {
        at = skip(at + sizeof(charset) - 1, end, " \t\r\n\f");
        if (at == end || *at != '=') {
            continue;
        }
        const char *label = skip(at + 1, end, " \t\r\n\f\"'");
        size_t length = 0;
        while (label + length < end && strchr(" \t\r\n\f\"';/>", label[length]) == NULL) {
            length++;
        }
        return of_label(label, length);
    }
    return NULL;
}

static const char *of_meta(const char *bytes, size_t length)
{
    const char *end = bytes + (length < META_BYTES ? length : META_BYTES);
    const char *found = NULL;
    const char *at = bytes;
    while (found == NULL && (at = find_word(at, end, "<meta")) != NULL) {
        const char *close = memchr(at, '>', (size_t)(end - at));
        const char *tag_end = close != NULL ? close : end;
        found = of_tag(at, tag_end);
        at = tag_end;
    }
    /* Bytes in which "<meta" can be found are not UTF-16, whatever they say. */
    return found != NULL && strncmp(found, "UTF-16", 6) == 0 ? utf_8 : found;
}

bool tr_charset_is_plain(const char *bytes, size_t length)
{
    while (length != 0) {
        const size_t step = *bytes != '\0' ? tr_utf8_next(bytes, length, NULL) : 0;
        if (step == 0) {
            return false;
        }
        bytes += step;
        length -= step;
    }
    return true;
}

const char *tr_charset_find(const char *bytes, size_t length, const struct tr_charset_clues *clues)
{
    const char *found = NULL;
    if (mark_length(bytes, length, &found) != 0) {
        return found;
    }
    if (clues->label != NULL) {
        found = of_label(clues->label, strlen(clues->label));
    }
    if (found == NULL && clues->may_have_meta) {
        found = of_meta(bytes, length);
    }
    if (found == NULL) {
        found = tr_charset_is_plain(bytes, length) ? utf_8 : fallback;
    }
    return found;
}

/* ---- decoding ---- */

/* NUL is valid UTF-8 and yet the end of every text of ours. */
static void add_checked(struct tr_text *out, const char *bytes, size_t length)
{
    while (length != 0) {
        size_t good = 0;
        size_t step = 0;
        while (good < length && bytes[good] != '\0'
               && (step = tr_utf8_next(bytes + good, length - good, NULL)) != 0) {
            good += step;
        }
        tr_text_add(out, bytes, good);
        if (good < length) {
            tr_text_add_string(out, replacement);
            good++;
        }
        bytes += good;
        length -= good;
    }
}

/* Steps over what iconv refused: one byte, or one unit of UTF-16. */
static void skip_bad(struct tr_text *out, char **at, size_t *left, size_t unit)
{
    const size_t step = *left < unit ? *left : unit;
    tr_text_add_string(out, replacement);
    *at += step;
    *left -= step;
}

/* One call of iconv(), whose output goes to `out`; false when it refused what is at *at. Without
 * `at` it gives what it held back: some encodings write a character and its accents as one. */
static bool convert_chunk(struct tr_text *out, iconv_t converter, char **at, size_t *left)
{
    char chunk[CHUNK_BYTES];
    char *to = chunk;
    size_t room = sizeof(chunk);
    const size_t done = iconv(converter, at, left, &to, &room);
    const bool is_refused = done == (size_t)-1 && errno != E2BIG;
    add_checked(out, chunk, sizeof(chunk) - room);
    return !is_refused;
}

static void convert(struct tr_text *out, iconv_t converter, const char *bytes, size_t length,
                    size_t unit)
{
    char *at = (char *)(uintptr_t)bytes; /* iconv() reads it only; its type is older than const */
    size_t left = length;
    while (left != 0 && out->status == TR_OK) {
        if (!convert_chunk(out, converter, &at, &left)) {
            skip_bad(out, &at, &left, unit);
        }
    }
    (void)convert_chunk(out, converter, NULL, NULL);
}

enum tr_status tr_charset_decode(struct tr_text *out, const char *bytes, size_t length,
                                 const char *charset)
{
    const char *marked = NULL;
    size_t mark = mark_length(bytes, length, &marked);
    mark = mark != 0 && strcmp(marked, charset) == 0 ? mark : 0;
    if (strcmp(charset, utf_8) == 0) {
        add_checked(out, bytes + mark, length - mark);
        return out->status;
    }
    iconv_t converter = iconv_open(utf_8, charset);
    if (converter == (iconv_t)-1) {
        if (errno != EINVAL) {
            return TR_NO_MEMORY;
        }
        /* A system without this encoding: the ASCII in it is better than nothing. */
        add_checked(out, bytes + mark, length - mark);
        return out->status;
    }
    const size_t unit = strncmp(charset, "UTF-16", 6) == 0 ? 2 : 1;
    convert(out, converter, bytes + mark, length - mark, unit);
    (void)iconv_close(converter);
    return out->status;
}
