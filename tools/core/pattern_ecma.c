#include "tools/core/pattern_ecma.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/pattern.h"
#include "tools/core/pattern_property.h"
#include "tools/core/text.h"

/* ECMA-262 WhiteSpace and LineTerminator, and everything else. Inside a class there is no way to
 * say "not these", so the second is spelled out. */
#define SPACES                                                                                  \
    "\\t-\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{" \
    "3000}"                                                                                     \
    "\\x{feff}"
#define NO_SPACES                                                                    \
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}" \
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"   \
    "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
/* The same for \D and \W: pcre2 10.42 gets them wrong beside \p in a class that is negated. */
#define NO_DIGITS "\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}"
#define NO_WORD   "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}"
/* Without U+017F and U+212A, whose other cases are s and k. */
#define NO_WORD_IN_ANY_CASE                                               \
    "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{17e}" \
    "\\x{180}-\\x{2129}\\x{212b}-\\x{10ffff}"
#define ANY_BUT_LINE_ENDS "[^\\n\\r\\x{2028}\\x{2029}]"

struct translator {
    const char *source;
    size_t length, at;
    unsigned flags; /* of enum tr_pattern_flag */
    struct tr_text *out;
    struct tr_fault *reterr;
    bool is_after_quantifier;

    /* For tr_ecma_offset(): the last position whose translation starts at or before `wanted`. */
    size_t wanted, found;
};

static enum tr_status refuse(const struct translator *in, const char *reason)
{
    return tr_refuse(TR_INVALID_PARAMETERS, in->reterr, NULL,
                     "The pattern does not compile at offset %zu: %s", in->at, reason);
}

/* The byte `ahead` of the position, NUL behind the end; a pattern has none of its own. */
static char peek(const struct translator *in, size_t ahead)
{
    return ahead < in->length - in->at ? in->source[in->at + ahead] : '\0';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_one_of(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

static enum tr_status copy(struct translator *in, size_t length)
{
    tr_text_add(in->out, in->source + in->at, length);
    in->at += length;
    return TR_OK;
}

static enum tr_status replace(struct translator *in, size_t length, const char *with)
{
    tr_text_add_string(in->out, with);
    in->at += length;
    return TR_OK;
}

/* ---- escapes that stand for one character ---- */

/* -1 when it is none. */
static int hex_digit(char byte)
{
    if (is_digit(byte)) {
        return byte - '0';
    }
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* `count` hexadecimal digits `ahead` of the position; false when they are not there. */
static bool hex_number(const struct translator *in, size_t ahead, size_t count, uint32_t *ret_value)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++) {
        const int digit = hex_digit(peek(in, ahead + i));
        if (digit < 0) {
            return false;
        }
        value = value << 4 | (uint32_t)digit;
    }
    *ret_value = value;
    return count > 0;
}

static enum tr_status write_point(struct translator *in, size_t length, uint32_t point)
{
    tr_text_printf(in->out, "\\x{%x}", (unsigned)point);
    in->at += length;
    return TR_OK;
}

/* \u{1F600} */
static enum tr_status translate_braced_point(struct translator *in)
{
    enum { MAX_DIGITS = 6 };
    size_t digits = 0;
    while (digits <= MAX_DIGITS && hex_digit(peek(in, 3 + digits)) >= 0) {
        digits++;
    }
    uint32_t point = 0;
    if (digits > MAX_DIGITS || peek(in, 3 + digits) != '}' || !hex_number(in, 3, digits, &point)) {
        return refuse(in, "\\u{ must be followed by up to 6 hexadecimal digits and }");
    }
    return write_point(in, 3 + digits + 1, point);
}

/* \u0041, and \ud83d\ude00, which is one character. */
static enum tr_status translate_point(struct translator *in)
{
    uint32_t high = 0;
    uint32_t low = 0;
    if (!hex_number(in, 2, 4, &high)) {
        return refuse(in, "\\u must be followed by 4 hexadecimal digits");
    }
    const bool is_pair = high >= 0xD800 && high <= 0xDBFF && peek(in, 6) == '\\'
                         && peek(in, 7) == 'u' && hex_number(in, 8, 4, &low) && low >= 0xDC00
                         && low <= 0xDFFF;
    return is_pair ? write_point(in, 12, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                   : write_point(in, 6, high);
}

static enum tr_status translate_byte(struct translator *in)
{
    uint32_t point = 0;
    if (!hex_number(in, 2, 2, &point)) {
        return refuse(in, "\\x must be followed by 2 hexadecimal digits");
    }
    return write_point(in, 4, point);
}

/* The escapes that are the same inside and outside of a class. */
static enum tr_status translate_common_escape(struct translator *in)
{
    const char kind = peek(in, 1);
    switch (kind) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
    case 'f':
    case 'n':
    case 'r':
    case 't': return copy(in, 2);
    case 'v': return replace(in, 2, "\\x{b}");
    case 'x': return translate_byte(in);
    case 'u': return peek(in, 2) == '{' ? translate_braced_point(in) : translate_point(in);
    case 'c': return is_letter(peek(in, 2)) ? copy(in, 3) : refuse(in, "\\c needs a letter");
    case '0':
        return is_digit(peek(in, 2)) ? refuse(in, "octal escapes do not exist in ECMA-262")
                                     : replace(in, 2, "\\x{0}");
    case '\0': return refuse(in, "a lone backslash");
    default: break;
    }
    if (is_letter(kind) || is_digit(kind) || (unsigned char)kind >= 0x80) {
        return refuse(in, "this escape does not exist in ECMA-262");
    }
    return copy(in, 2);
}

/* \p{Letter}: the names of pcre2 are shorter. */
static enum tr_status translate_property(struct translator *in)
{
    const char *start = in->source + in->at;
    const char *end = peek(in, 2) == '{' ? memchr(start, '}', in->length - in->at) : NULL;
    if (end == NULL) {
        return refuse(in, "\\p needs a property in braces");
    }
    const size_t length = (size_t)(end - start) + 1;
    if (!tr_pattern_property(start + 3, length - 4, peek(in, 1) == 'P', in->out)) {
        return refuse(in, "a Unicode property that is not known");
    }
    in->at += length;
    return TR_OK;
}

/* ---- classes ---- */

static bool ignores_case(const struct translator *in)
{
    return (in->flags & TR_PATTERN_IGNORE_CASE) != 0;
}

/* Does an escape that stands for many characters start `ahead`? */
static bool is_set_escape(const struct translator *in, size_t ahead)
{
    return peek(in, ahead) == '\\' && is_one_of(peek(in, ahead + 1), "dDwWsSpP");
}

static enum tr_status translate_class_escape(struct translator *in)
{
    switch (peek(in, 1)) {
    case 's': return replace(in, 2, SPACES);
    case 'S': return replace(in, 2, NO_SPACES);
    case 'D': return replace(in, 2, NO_DIGITS);
    case 'W': return replace(in, 2, ignores_case(in) ? NO_WORD_IN_ANY_CASE : NO_WORD);
    case 'p':
    case 'P': return translate_property(in);
    case 'b': return replace(in, 2, "\\x{8}");
    case 'B': return refuse(in, "\\B has no meaning in a class");
    default: return translate_common_escape(in);
    }
}

/* From behind the bracket. A hyphen beside \s and its like is itself, never a range; and what pcre2
 * could take for a POSIX class, [:alpha:] or [=a=], is only characters. */
static enum tr_status translate_class_items(struct translator *in)
{
    bool is_after_set = true;
    while (peek(in, 0) != ']') {
        const bool is_set = is_set_escape(in, 0);
        switch (peek(in, 0)) {
        case '\0': return refuse(in, "the closing ] is missing");
        case '\\': TR_TRY(translate_class_escape(in)); break;
        case '[': TR_TRY(replace(in, 1, "\\[")); break;
        case '=': TR_TRY(replace(in, 1, "\\=")); break;
        case ':': TR_TRY(replace(in, 1, "\\:")); break;
        case '.': TR_TRY(replace(in, 1, "\\.")); break;
        case '-':
            TR_TRY(is_after_set || is_set_escape(in, 1) ? replace(in, 1, "\\-") : copy(in, 1));
            break;
        default: TR_TRY(copy(in, 1)); break;
        }
        is_after_set = is_set;
    }
    return TR_OK;
}

/* [] is nothing and [^] is anything, and both can be repeated. */
static enum tr_status translate_class(struct translator *in)
{
    if (peek(in, 1) == ']') {
        return replace(in, 2, "[^\\x{0}-\\x{10ffff}]");
    }
    if (peek(in, 1) == '^' && peek(in, 2) == ']') {
        return replace(in, 3, "[\\x{0}-\\x{10ffff}]");
    }
    TR_TRY(copy(in, peek(in, 1) == '^' ? 2 : 1));
    TR_TRY(translate_class_items(in));
    return copy(in, 1);
}

/* ---- everything else ---- */

/* \12 is the twelfth group in ECMA-262, and may be an octal number in pcre2. */
static enum tr_status translate_reference(struct translator *in)
{
    size_t digits = 1;
    while (is_digit(peek(in, 1 + digits))) {
        digits++;
    }
    tr_text_add_string(in->out, "\\g{");
    tr_text_add(in->out, in->source + in->at + 1, digits);
    tr_text_add_char(in->out, '}');
    in->at += 1 + digits;
    return TR_OK;
}

static enum tr_status translate_escape(struct translator *in)
{
    const char kind = peek(in, 1);
    switch (kind) {
    case 's': return replace(in, 2, "[" SPACES "]");
    case 'S': return replace(in, 2, "[^" SPACES "]");
    case 'p':
    case 'P': return translate_property(in);
    case 'b':
    case 'B': return copy(in, 2);
    case 'k': return peek(in, 2) == '<' ? copy(in, 2) : refuse(in, "\\k needs a name in < >");
    default: break;
    }
    return is_digit(kind) && kind != '0' ? translate_reference(in) : translate_common_escape(in);
}

/* Only these may follow "(?"; pcre2 has many more, up to running programs of its own. */
static enum tr_status translate_group(struct translator *in)
{
    if (peek(in, 1) == '*') {
        return refuse(in, "there is nothing to repeat");
    }
    if (peek(in, 1) != '?') {
        return copy(in, 1);
    }
    const char kind = peek(in, 2);
    const char next = peek(in, 3);
    const bool is_name = kind == '<' && (is_letter(next) || next == '_');
    const bool is_lookbehind = kind == '<' && is_one_of(next, "=!");
    if (!is_one_of(kind, ":=!") && !is_name && !is_lookbehind) {
        return refuse(in, "this kind of group does not exist in ECMA-262");
    }
    return copy(in, is_lookbehind ? 4 : 3);
}

/* Length of {n}, {n,} or {n,m}, 0 when the brace is only a brace. */
static size_t braces_length(const struct translator *in)
{
    size_t at = 1;
    while (is_digit(peek(in, at))) {
        at++;
    }
    if (at == 1) {
        return 0;
    }
    at += peek(in, at) == ',';
    while (is_digit(peek(in, at))) {
        at++;
    }
    return peek(in, at) == '}' ? at + 1 : 0;
}

/* One quantifier with its lazy mark. A second one is an error in ECMA-262, and makes the first one
 * possessive in pcre2. */
static enum tr_status translate_quantifier(struct translator *in, size_t length)
{
    if (in->is_after_quantifier) {
        return refuse(in, "there is nothing to repeat");
    }
    in->is_after_quantifier = true;
    TR_TRY(copy(in, length));
    return peek(in, 0) == '?' ? copy(in, 1) : TR_OK;
}

static enum tr_status translate_plain(struct translator *in)
{
    in->is_after_quantifier = false;
    switch (peek(in, 0)) {
    case '\\': return translate_escape(in);
    case '[': return translate_class(in);
    case '(': return translate_group(in);
    case '.':
        return (in->flags & TR_PATTERN_DOT_ALL) != 0 ? copy(in, 1)
                                                     : replace(in, 1, ANY_BUT_LINE_ENDS);
    case '{': return replace(in, 1, "\\{");
    default: return copy(in, 1);
    }
}

static enum tr_status translate_all(struct translator *in)
{
    while (in->at < in->length) {
        if (in->out->length <= in->wanted) {
            in->found = in->at;
        }
        const size_t braces = peek(in, 0) == '{' ? braces_length(in) : 0;
        const size_t quantifier = is_one_of(peek(in, 0), "*+?") ? 1 : braces;
        TR_TRY(quantifier != 0 ? translate_quantifier(in, quantifier) : translate_plain(in));
    }
    return TR_OK;
}

enum tr_status tr_ecma_translate(const char *source, size_t length, unsigned flags,
                                 struct tr_text *out, struct tr_fault *reterr)
{
    struct translator in = {
        .source = source,
        .length = length,
        .flags = flags,
        .out = out,
        .reterr = reterr,
    };
    TR_TRY(translate_all(&in));
    return out->status;
}

size_t tr_ecma_offset(const char *source, size_t length, unsigned flags, size_t offset)
{
    tr_auto(text) struct tr_text out;
    tr_text_init(&out, TR_MAX_TRANSLATED_BYTES);
    struct translator in = {
        .source = source,
        .length = length,
        .flags = flags,
        .out = &out,
        .wanted = offset,
    };
    const bool is_whole = translate_all(&in) == TR_OK;
    return is_whole && out.length <= offset ? length : in.found;
}
