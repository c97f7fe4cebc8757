#include "openapi/keyword.h"

#include <stddef.h>
#include <string.h>

struct keyword {
    const char *name;
    enum tr_keyword_form form;
};

static const struct keyword keywords[] = {
    { .name = "$defs", .form = TR_KEYWORD_MAP },
    { .name = "properties", .form = TR_KEYWORD_MAP },
    { .name = "patternProperties", .form = TR_KEYWORD_MAP },
    { .name = "anyOf", .form = TR_KEYWORD_LIST },
    { .name = "oneOf", .form = TR_KEYWORD_LIST },
    { .name = "allOf", .form = TR_KEYWORD_LIST },
    { .name = "prefixItems", .form = TR_KEYWORD_LIST },
    { .name = "items", .form = TR_KEYWORD_SCHEMA },
    { .name = "contains", .form = TR_KEYWORD_SCHEMA },
    { .name = "additionalProperties", .form = TR_KEYWORD_SCHEMA },
    { .name = "propertyNames", .form = TR_KEYWORD_SCHEMA },
    { .name = "not", .form = TR_KEYWORD_SCHEMA },
    { .name = "if", .form = TR_KEYWORD_SCHEMA },
    { .name = "then", .form = TR_KEYWORD_SCHEMA },
    { .name = "else", .form = TR_KEYWORD_SCHEMA },
};

enum tr_keyword_form tr_keyword_form(const char *keyword)
{
    for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
        if (strcmp(keywords[i].name, keyword) == 0) {
            return keywords[i].form;
        }
    }
    return TR_KEYWORD_PLAIN;
}
