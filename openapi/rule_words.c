#include "openapi/rule_words.h"

#include <stddef.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/text.h"

struct phrase {
    const char *keyword;
    const char *words;
    bool is_whole; /* says everything; else the value follows */
};

/* Sorted by what they are rules of. */
static const struct phrase phrases[] = {
    { .keyword = "const", .words = "always " },
    { .keyword = "default", .words = "default " },
    { .keyword = "deprecated", .words = "deprecated", .is_whole = true },
    { .keyword = "readOnly", .words = "read only", .is_whole = true },
    { .keyword = "writeOnly", .words = "write only", .is_whole = true },
    { .keyword = "x-secret", .words = "secret", .is_whole = true },

    { .keyword = "minimum", .words = "at least " },
    { .keyword = "maximum", .words = "at most " },
    { .keyword = "exclusiveMinimum", .words = "more than " },
    { .keyword = "exclusiveMaximum", .words = "less than " },
    { .keyword = "multipleOf", .words = "a multiple of " },

    { .keyword = "minLength", .words = "characters: at least " },
    { .keyword = "maxLength", .words = "characters: at most " },
    { .keyword = "pattern", .words = "matches the regular expression " },
    { .keyword = "format", .words = "format " },

    { .keyword = "minItems", .words = "items: at least " },
    { .keyword = "maxItems", .words = "items: at most " },
    { .keyword = "uniqueItems", .words = "no two items are equal", .is_whole = true },

    { .keyword = "minProperties", .words = "members: at least " },
    { .keyword = "maxProperties", .words = "members: at most " },
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
    return phrase != NULL && phrase->is_whole && !json_is_true(value);
}

static void add_quoted(struct tr_text *words, const char *keyword, const json_t *value)
{
    tr_text_add_string(words, keyword);
    tr_text_add_string(words, ": ");
    add_value(words, value);
}

static void add_phrase(struct tr_text *words, const struct phrase *phrase, const json_t *value)
{
    tr_text_add_string(words, phrase->words);
    if (!phrase->is_whole) {
        add_value(words, value);
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
