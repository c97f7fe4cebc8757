#include "tools/suites/data/base64.h"

#include <string.h>

#include "tools/core/base64.h"
#include "tools/core/call.h"
#include "tools/core/text.h"

/* ---- writing ---- */

static void make_url_safe(char *text)
{
    for (; *text != '\0'; text++) {
        *text = *text == '+' ? '-' : *text == '/' ? '_' : *text;
    }
}

const char *tr_base64_write(struct tr_call *call, const void *bytes, size_t length,
                            bool is_url_safe, bool has_padding)
{
    tr_auto(text) struct tr_text written;
    tr_text_init(&written, call->arena.limit);
    tr_base64_add(&written, bytes, length);
    if (written.status != TR_OK) {
        return NULL;
    }
    char *text = tr_arena_strndup(&call->arena, tr_text_string(&written), written.length);
    if (text == NULL) {
        return NULL;
    }
    if (is_url_safe) {
        make_url_safe(text);
    }
    if (!has_padding) {
        text[strcspn(text, "=")] = '\0';
    }
    return text;
}

/* ---- reading ---- */

struct reader {
    const char *text;
    size_t length, at;
    const struct tr_base64_rules *rules;
    unsigned char *out;
    size_t out_length;
    unsigned bits;     /* of the group that is being read */
    size_t digits;     /* so far, in the whole text */
    size_t last_digit; /* where it is */
    bool has_standard; /* + or / was seen */
    bool has_url_safe; /* - or _ was seen */
};

/* -1 when it is none of either alphabet. */
static int value_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z') {
        return digit - 'A';
    }
    if (digit >= 'a' && digit <= 'z') {
        return digit - 'a' + 26;
    }
    if (digit >= '0' && digit <= '9') {
        return digit - '0' + 52;
    }
    if (digit == '+' || digit == '-') {
        return 62;
    }
    return digit == '/' || digit == '_' ? 63 : -1;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void skip_space(struct reader *in)
{
    while (in->rules->skips_space && in->at < in->length && is_space(in->text[in->at])) {
        in->at++;
    }
}

static const char *refuse_digit(const struct reader *in)
{
    const char digit = in->text[in->at];
    if (is_space(digit)) {
        return "white space, which 'ignore_whitespace' lets pass";
    }
    return digit == '=' ? "a '=' before the end" : "a character that is not base64";
}

/* + and / belong to one alphabet, - and _ to the other. */
static const char *check_alphabet(struct reader *in, char digit)
{
    in->has_standard = in->has_standard || digit == '+' || digit == '/';
    in->has_url_safe = in->has_url_safe || digit == '-' || digit == '_';
    if (in->has_standard && in->rules->alphabet == BASE64_URL_SAFE) {
        return "a character of the standard alphabet, though 'alphabet' is url_safe";
    }
    if (in->has_url_safe && in->rules->alphabet == BASE64_STANDARD) {
        return "a character of the URL-safe alphabet, though 'alphabet' is standard";
    }
    return in->has_standard && in->has_url_safe ? "a character of the other alphabet" : NULL;
}

static const char *take_digit(struct reader *in)
{
    const char digit = in->text[in->at];
    const int value = value_of(digit);
    if (value < 0) {
        return refuse_digit(in);
    }
    const char *reason = check_alphabet(in, digit);
    if (reason != NULL) {
        return reason;
    }
    in->bits = in->bits << 6 | (unsigned)value;
    in->last_digit = in->at++;
    if (++in->digits % 4 == 0) {
        in->out[in->out_length++] = (unsigned char)(in->bits >> 16 & 255);
        in->out[in->out_length++] = (unsigned char)(in->bits >> 8 & 255);
        in->out[in->out_length++] = (unsigned char)(in->bits & 255);
        in->bits = 0;
    }
    return NULL;
}

/* The last group has two digits for one byte, or three for two; what is left of its bits is 0 in a
 * text that an encoder wrote. */
static const char *take_last_group(struct reader *in)
{
    const size_t digits = in->digits % 4;
    if (digits == 0) {
        return NULL;
    }
    if (digits == 1) {
        return "one character too many or some too few: the text was cut";
    }
    const unsigned spare = digits == 2 ? 4 : 2;
    if ((in->bits & ((1u << spare) - 1)) != 0) {
        in->at = in->last_digit;
        return "a last character that no encoder writes: the text was cut or changed";
    }
    const unsigned bytes = in->bits >> spare;
    if (digits == 3) {
        in->out[in->out_length++] = (unsigned char)(bytes >> 8 & 255);
    }
    in->out[in->out_length++] = (unsigned char)(bytes & 255);
    return NULL;
}

static const char *take_padding(struct reader *in)
{
    const size_t start = in->at;
    size_t count = 0;
    for (; in->at < in->length && in->text[in->at] == '='; count++) {
        in->at++;
        skip_space(in);
    }
    if (in->at < in->length) {
        return "more text behind the end";
    }
    const size_t wanted = (4 - in->digits % 4) % 4;
    in->at = start;
    if (count != 0 && in->rules->padding == BASE64_PADDING_FORBIDDEN) {
        return "a '=', though 'padding' is forbidden";
    }
    if (count == 0 && wanted != 0 && in->rules->padding == BASE64_PADDING_REQUIRED) {
        return "an end without its '=', though 'padding' is required";
    }
    return count != 0 && count != wanted ? "the wrong number of '='" : NULL;
}

static bool is_at_digits_end(const struct reader *in)
{
    if (in->at == in->length) {
        return true;
    }
    return in->text[in->at] == '=' && in->digits % 4 >= 2;
}

static const char *read_all(struct reader *in)
{
    for (skip_space(in); !is_at_digits_end(in); skip_space(in)) {
        const char *reason = take_digit(in);
        if (reason != NULL) {
            return reason;
        }
    }
    const char *reason = take_last_group(in);
    return reason != NULL ? reason : take_padding(in);
}

const char *tr_base64_read(const char *text, size_t length, const struct tr_base64_rules *rules,
                           unsigned char *out, size_t *ret_length, size_t *ret_at)
{
    struct reader in = { .text = text, .length = length, .rules = rules, .out = out };
    const char *reason = read_all(&in);
    *ret_length = in.out_length;
    *ret_at = in.at;
    return reason;
}
