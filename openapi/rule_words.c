#include "openapi/rule_words.h"

#include <stddef.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/text.h"

struct phrase {
    const char *keyword;
    const char *before;
    const char *after; /* follows the value; NULL: the value is not told */
};

/* Sorted by what they are rules of. */
static const struct phrase phrases[] = {
    { .keyword = "const", .before = "always ", .after = "" },
    { .keyword = "default", .before = "default ", .after = "" },
    { .keyword = "deprecated", .before = "deprecated" },
    { .keyword = "readOnly", .before = "read only" },
    { .keyword = "writeOnly", .before = "write only" },
    { .keyword = "x-secret", .before = "secret" },

    { .keyword = "minimum", .before = "at least ", .after = "" },
    { .keyword = "maximum", .before = "at most ", .after = "" },
    { .keyword = "exclusiveMinimum", .before = "more than ", .after = "" },
    { .keyword = "exclusiveMaximum", .before = "less than ", .after = "" },
    { .keyword = "multipleOf", .before = "a multiple of ", .after = "" },

    { .keyword = "minLength", .before = "at least ", .after = " characters" },
    { .keyword = "maxLength", .before = "at most ", .after = " characters" },
    { .keyword = "pattern", .before = "matches the regular expression ", .after = "" },
    { .keyword = "format", .before = "format ", .after = "" },

    { .keyword = "minItems", .before = "at least ", .after = " items" },
    { .keyword = "maxItems", .before = "at most ", .after = " items" },
    { .keyword = "uniqueItems", .before = "no two items are equal" },

    { .keyword = "minProperties", .before = "at least ", .after = " members" },
    { .keyword = "maxProperties", .before = "at most ", .after = " members" },
};

static const struct phrase *find_phrase(const char *keyword)
{
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        if (strcmp(phrases[i].keyword, keyword) == 0) {
            return &phrases[i];
        }
    }
    return NULL;
}

static void add_value(struct tr_text *words, const json_t *value)
{
    if (json_is_string(value)) {
        tr_text_add(words, json_string_value(value), json_string_length(value));
    } else {
        tr_json_write(words, value);
    }
}

/* `additionalProperties: true` forbids nothing, and a switch that is off demands nothing. */
static bool demands_nothing(const char *keyword, const json_t *value)
{
    if (strcmp(keyword, "additionalProperties") == 0) {
        return json_is_true(value);
    }
    const struct phrase *phrase = find_phrase(keyword);
    return phrase != NULL && phrase->after == NULL && !json_is_true(value);
}

static void add_quoted(struct tr_text *words, const char *keyword, const json_t *value)
{
    tr_text_add_string(words, keyword);
    tr_text_add_string(words, ": ");
    add_value(words, value);
}

static void add_phrase(struct tr_text *words, const struct phrase *phrase, const json_t *value)
{
    tr_text_add_string(words, phrase->before);
    if (phrase->after != NULL) {
        add_value(words, value);
        tr_text_add_string(words, phrase->after);
    }
}

bool tr_rule_words_add(struct tr_text *words, const char *keyword, const json_t *value)
{
    if (demands_nothing(keyword, value)) {
        return false;
    }
    if (words->length > 0) {
        tr_text_add_string(words, "; ");
    }
    const struct phrase *phrase = find_phrase(keyword);
    if (phrase != NULL) {
        add_phrase(words, phrase, value);
    } else if (strcmp(keyword, "additionalProperties") == 0 && json_is_false(value)) {
        tr_text_add_string(words, "no further members");
    } else if (strcmp(keyword, "examples") == 0 && json_array_size(value) > 0) {
        tr_text_add_string(words, "for example ");
        add_value(words, json_array_get(value, 0));
    } else {
        add_quoted(words, keyword, value);
    }
    return true;
}
