#include "tools/core/convert.h"

#include <math.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/number.h"
#include "tools/core/schema.h"

/* A piece of a string; not terminated. */
struct piece {
    const char *bytes;
    size_t length;
};

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static struct piece trimmed(const json_t *string)
{
    struct piece piece = {
        .bytes = json_string_value(string),
        .length = json_string_length(string),
    };
    while (piece.length > 0 && is_space(piece.bytes[0])) {
        piece.bytes++;
        piece.length--;
    }
    while (piece.length > 0 && is_space(piece.bytes[piece.length - 1])) {
        piece.length--;
    }
    return piece;
}

static char fold(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool is_word(const struct piece *piece, const char *word)
{
    size_t at = 0;
    while (at < piece->length && word[at] != '\0' && fold(piece->bytes[at]) == word[at]) {
        at++;
    }
    return at == piece->length && word[at] == '\0';
}

bool tr_type_has(unsigned types, const json_t *value)
{
    if (types == 0) {
        return true;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT: return (types & TR_TYPE_OBJECT) != 0;
    case JSON_ARRAY: return (types & TR_TYPE_ARRAY) != 0;
    case JSON_STRING: return (types & TR_TYPE_STRING) != 0;
    case JSON_INTEGER: return (types & (TR_TYPE_INTEGER | TR_TYPE_NUMBER)) != 0;
    case JSON_REAL: return (types & TR_TYPE_NUMBER) != 0;
    case JSON_TRUE:
    case JSON_FALSE: return (types & TR_TYPE_BOOLEAN) != 0;
    case JSON_NULL: return (types & TR_TYPE_NULL) != 0;
    }
    return false;
}

/* The outcome of a conversion that made a value, or should have. */
static enum tr_status made(json_t *value, json_t **ret_value)
{
    *ret_value = value;
    return value != NULL ? TR_OK : TR_NO_MEMORY;
}

static bool spells_boolean(const struct piece *piece, bool *ret_value)
{
    static const char *const words[][2] = {
        { "false", "true" },
        { "0", "1" },
        { "no", "yes" },
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        for (size_t truth = 0; truth < 2; truth++) {
            if (is_word(piece, words[i][truth])) {
                *ret_value = truth == 1;
                return true;
            }
        }
    }
    return false;
}

static enum tr_status convert_text_scalar(unsigned types, const struct piece *piece,
                                          json_t **ret_value)
{
    int64_t integer = 0;
    double real = 0.0;
    bool truth = false;
    const unsigned numbers = TR_TYPE_INTEGER | TR_TYPE_NUMBER;
    if ((types & numbers) != 0 && tr_parse_int64(piece->bytes, piece->length, &integer)) {
        return made(json_integer(integer), ret_value);
    }
    if ((types & TR_TYPE_NUMBER) != 0 && tr_parse_double(piece->bytes, piece->length, &real)) {
        return made(json_real(real), ret_value);
    }
    if ((types & TR_TYPE_BOOLEAN) != 0 && spells_boolean(piece, &truth)) {
        return made(json_boolean(truth), ret_value);
    }
    return TR_OK;
}

static enum tr_status convert_number(unsigned types, const json_t *value, json_t **ret_value)
{
    const double number = json_number_value(value);
    const bool fits_int64 = number >= -0x1p63 && number < 0x1p63;
    if ((types & TR_TYPE_INTEGER) != 0 && fits_int64 && trunc(number) == number) {
        return made(json_integer((json_int_t)number), ret_value);
    }
    if ((types & TR_TYPE_BOOLEAN) != 0 && (number == 0.0 || number == 1.0)) {
        return made(json_boolean(number == 1.0), ret_value);
    }
    return TR_OK;
}

enum tr_status tr_convert_scalar(unsigned types, const json_t *value, json_t **ret_value)
{
    *ret_value = NULL;
    if (json_is_string(value)) {
        const struct piece piece = trimmed(value);
        return convert_text_scalar(types, &piece, ret_value);
    }
    if (json_is_number(value)) {
        return convert_number(types, value, ret_value);
    }
    return TR_OK;
}

static bool is_wanted_container(unsigned types, const json_t *value)
{
    return (json_is_array(value) && (types & TR_TYPE_ARRAY) != 0)
           || (json_is_object(value) && (types & TR_TYPE_OBJECT) != 0);
}

/* Only what opens as an array, an object or a text in a text is worth parsing. */
static bool may_unfold(const json_t *value)
{
    const struct piece piece = trimmed(value);
    return piece.length > 0 && strchr("[{\"", piece.bytes[0]) != NULL;
}

enum tr_status tr_convert_text(unsigned types, const json_t *value, size_t *level,
                               json_t **ret_value)
{
    *ret_value = NULL;
    json_auto_t *text = NULL;
    size_t depth = *level;
    while (depth < TR_MAX_NESTED_TEXT && json_is_string(value) && may_unfold(value)) {
        json_t *inner = NULL;
        const enum tr_status status =
            tr_json_parse(json_string_value(value), json_string_length(value), &inner, NULL);
        if (status != TR_OK) {
            return status == TR_MALFORMED_JSON ? TR_OK : status;
        }
        depth++;
        json_decref(text);
        text = inner;
        value = inner;
    }
    if (is_wanted_container(types, value)) {
        *level = depth;
        *ret_value = tr_json_take(&text);
    }
    return TR_OK;
}

bool tr_is_plain_text(const json_t *value)
{
    const struct piece piece = trimmed(value);
    return piece.length > 0 && piece.bytes[0] != '[' && piece.bytes[0] != '{';
}

static size_t skip_joints(const struct piece *piece, size_t at)
{
    while (at < piece->length && (piece->bytes[at] == '_' || piece->bytes[at] == '-')) {
        at++;
    }
    return at;
}

/* Equal but for case, '_' and '-'; nothing but those is equal to nothing. */
static bool means_same(const struct piece *left, const struct piece *right)
{
    size_t i = skip_joints(left, 0);
    size_t j = skip_joints(right, 0);
    if (i == left->length) {
        return false;
    }
    while (i < left->length && j < right->length && fold(left->bytes[i]) == fold(right->bytes[j])) {
        i = skip_joints(left, i + 1);
        j = skip_joints(right, j + 1);
    }
    return i == left->length && j == right->length;
}

static bool spells_number(const struct piece *piece, const json_t *number)
{
    int64_t integer = 0;
    double real = 0.0;
    if (tr_parse_int64(piece->bytes, piece->length, &integer)) {
        json_auto_t *spelled = json_integer(integer);
        return spelled != NULL && tr_json_number_compare(spelled, number) == 0;
    }
    return json_is_real(number) && tr_parse_double(piece->bytes, piece->length, &real)
           && real == json_real_value(number);
}

static bool means_option(const json_t *value, const json_t *option)
{
    const struct piece piece = trimmed(value);
    bool truth = false;
    if (json_is_string(option)) {
        const struct piece wanted = {
            .bytes = json_string_value(option),
            .length = json_string_length(option),
        };
        const struct piece sent = {
            .bytes = json_string_value(value),
            .length = json_string_length(value),
        };
        return means_same(&sent, &wanted);
    }
    if (json_is_number(option)) {
        return spells_number(&piece, option);
    }
    return json_is_boolean(option) && spells_boolean(&piece, &truth)
           && truth == json_is_true(option);
}

const json_t *tr_convert_option(const json_t *options, const json_t *value)
{
    const json_t *meant = NULL;
    for (size_t i = 0; i < json_array_size(options); i++) {
        const json_t *option = json_array_get(options, i);
        if (!means_option(value, option)) {
            continue;
        }
        if (meant != NULL) {
            return NULL;
        }
        meant = option;
    }
    return meant;
}
