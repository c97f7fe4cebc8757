/* The keywords whose value is no schema. */

#include <string.h>

#include "tools/core/json.h"
#include "tools/core/pattern.h"
#include "tools/core/schema_parse.h"

/* Dialects whose keywords mean here what they mean there, or are refused by name. */
static const char *const known_dialects[] = {
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
};

enum tr_status tr_schema_parse_text(const struct tr_schema_parser *parser, const json_t *json,
                                    const struct tr_place *place, const char **ret_text)
{
    if (!json_is_string(json)) {
        return tr_schema_refuse(parser, place, "This must be a string");
    }
    if (strlen(json_string_value(json)) != json_string_length(json)) {
        return tr_schema_refuse(parser, place, "This must not contain the character NUL");
    }
    *ret_text = json_string_value(json);
    return TR_OK;
}

enum tr_status tr_schema_parse_names(const struct tr_schema_parser *parser, const json_t *json,
                                     const struct tr_place *place, const char *const **ret_names,
                                     size_t *ret_count)
{
    if (!json_is_array(json)) {
        return tr_schema_refuse(parser, place, "This must be an array of strings");
    }
    const size_t count = json_array_size(json);
    const char **names = TR_NEW(parser->arena, const char *, count);
    if (names == NULL) {
        return tr_schema_no_room(parser);
    }
    for (size_t i = 0; i < count; i++) {
        const struct tr_place below = { .parent = place, .index = i };
        TR_TRY(tr_schema_parse_text(parser, json_array_get(json, i), &below, &names[i]));
    }
    *ret_names = names;
    *ret_count = count;
    return TR_OK;
}

static enum tr_status parse_dialect(const struct tr_schema_parser *parser,
                                    const struct tr_schema_entry *entry)
{
    const char *name = NULL;
    TR_TRY(tr_schema_parse_text(parser, entry->value, entry->place, &name));
    size_t length = strlen(name);
    length -= length > 0 && name[length - 1] == '#';
    for (size_t i = 0; i < sizeof(known_dialects) / sizeof(known_dialects[0]); i++) {
        if (strlen(known_dialects[i]) == length && memcmp(known_dialects[i], name, length) == 0) {
            return TR_OK;
        }
    }
    return tr_schema_refuse(parser, entry->place, "This dialect is not known; %s is the one to use",
                            known_dialects[0]);
}

/* Below the root it would move the base of every $ref. */
static enum tr_status parse_id(const struct tr_schema_parser *parser,
                               const struct tr_schema_entry *entry)
{
    const char *id = NULL;
    if (parser->depth != 1) {
        return tr_schema_refuse(parser, entry->place, "'$id' is supported at the root only");
    }
    return tr_schema_parse_text(parser, entry->value, entry->place, &id);
}

static enum tr_status add_type(const struct tr_schema_parser *parser, const json_t *json,
                               const struct tr_place *place, unsigned *types)
{
    const char *name = NULL;
    TR_TRY(tr_schema_parse_text(parser, json, place, &name));
    const unsigned bit = tr_keyword_type_bit(name);
    if (bit == 0) {
        return tr_schema_refuse(parser, place, "There is no type '%s'", name);
    }
    if (*types & bit) {
        return tr_schema_refuse(parser, place, "The type '%s' is named twice", name);
    }
    *types |= bit;
    return TR_OK;
}

static enum tr_status parse_type(const struct tr_schema_parser *parser,
                                 const struct tr_schema_entry *entry, struct tr_schema *node)
{
    if (json_is_string(entry->value)) {
        return add_type(parser, entry->value, entry->place, &node->types);
    }
    const size_t count = json_array_size(entry->value);
    if (count == 0) {
        return tr_schema_refuse(parser, entry->place,
                                "This must be a type or a list of at least one type");
    }
    for (size_t i = 0; i < count; i++) {
        const struct tr_place below = { .parent = entry->place, .index = i };
        TR_TRY(add_type(parser, json_array_get(entry->value, i), &below, &node->types));
    }
    return TR_OK;
}

static enum tr_status parse_flag(const struct tr_schema_parser *parser,
                                 const struct tr_schema_entry *entry, bool *member)
{
    if (!json_is_boolean(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be true or false");
    }
    *member = json_is_true(entry->value);
    return TR_OK;
}

static enum tr_status parse_values(const struct tr_schema_parser *parser,
                                   const struct tr_schema_entry *entry, size_t least,
                                   const json_t **member)
{
    if (!json_is_array(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be an array");
    }
    if (json_array_size(entry->value) < least) {
        return tr_schema_refuse(parser, entry->place, "This must have at least one value");
    }
    *member = entry->value;
    return TR_OK;
}

static bool is_positive(const json_t *number)
{
    return json_is_integer(number) ? json_integer_value(number) > 0 : json_real_value(number) > 0;
}

static enum tr_status parse_number(const struct tr_schema_parser *parser,
                                   const struct tr_schema_entry *entry, const json_t **member)
{
    if (!json_is_number(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be a number");
    }
    if (entry->keyword->form == TR_FORM_DIVISOR && !is_positive(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be greater than 0");
    }
    *member = entry->value;
    return TR_OK;
}

/* 2.0 is a count too; more than anything can have is as good as the largest count. */
static enum tr_status parse_count(const struct tr_schema_parser *parser,
                                  const struct tr_schema_entry *entry,
                                  struct tr_schema_count *member)
{
    const json_t *json = entry->value;
    const bool is_whole = json_is_number(json) && tr_json_is_integral(json);
    if (!is_whole || json_number_value(json) < 0) {
        return tr_schema_refuse(parser, entry->place, "This must be a whole number from 0 on");
    }
    member->has = true;
    if (json_is_integer(json)) {
        member->value = json_integer_value(json);
    } else {
        const double real = json_real_value(json);
        member->value = real < 0x1p62 ? (int64_t)real : INT64_MAX;
    }
    return TR_OK;
}

static enum tr_status parse_pattern(const struct tr_schema_parser *parser,
                                    const struct tr_schema_entry *entry, struct tr_schema *node)
{
    const char *source = NULL;
    struct tr_fault fault;
    TR_TRY(tr_schema_parse_text(parser, entry->value, entry->place, &source));
    const enum tr_status status = tr_pattern_compile(parser->arena, source, &node->pattern, &fault);
    return status == TR_INVALID_PARAMETERS
               ? tr_schema_refuse(parser, entry->place, "%s", fault.what)
               : status;
}

static enum tr_status parse_format(const struct tr_schema_parser *parser,
                                   const struct tr_schema_entry *entry, struct tr_schema *node)
{
    TR_TRY(tr_schema_parse_text(parser, entry->value, entry->place, &node->format_name));
    node->format = tr_format_from_name(node->format_name);
    return TR_OK;
}

static enum tr_status parse_dependencies(const struct tr_schema_parser *parser,
                                         const struct tr_schema_entry *entry,
                                         struct tr_schema *node)
{
    if (!json_is_object(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be an object");
    }
    struct tr_schema_dependency *dependencies =
        TR_NEW(parser->arena, struct tr_schema_dependency, json_object_size(entry->value));
    if (dependencies == NULL) {
        return tr_schema_no_room(parser);
    }
    size_t count = 0;
    for (void *at = tr_json_first(entry->value); at != NULL; at = tr_json_next(entry->value, at)) {
        struct tr_schema_dependency *dependency = &dependencies[count++];
        dependency->name = json_object_iter_key(at);
        const struct tr_place below = { .parent = entry->place, .key = dependency->name };
        TR_TRY(tr_schema_parse_names(parser, json_object_iter_value(at), &below,
                                     &dependency->requires, &dependency->count));
    }
    node->dependent_required = dependencies;
    node->dependent_required_count = count;
    return TR_OK;
}

enum tr_status tr_schema_parse_plain(struct tr_schema_parser *parser,
                                     const struct tr_schema_entry *entry, struct tr_schema *node)
{
    void *member = tr_schema_entry_member(entry, node);
    switch (entry->keyword->form) {
    case TR_FORM_REMARK: return TR_OK;
    case TR_FORM_DIALECT: return parse_dialect(parser, entry);
    case TR_FORM_ID: return parse_id(parser, entry);
    case TR_FORM_REF:
        return tr_schema_parse_text(parser, entry->value, entry->place, &node->ref_name);
    case TR_FORM_TYPE: return parse_type(parser, entry, node);
    case TR_FORM_TEXT: return tr_schema_parse_text(parser, entry->value, entry->place, member);
    case TR_FORM_FLAG:
    case TR_FORM_NULLABLE: return parse_flag(parser, entry, member);
    case TR_FORM_VALUE: *(const json_t **)member = entry->value; return TR_OK;
    case TR_FORM_VALUES: return parse_values(parser, entry, 0, member);
    case TR_FORM_CHOICES: return parse_values(parser, entry, 1, member);
    case TR_FORM_NUMBER:
    case TR_FORM_DIVISOR: return parse_number(parser, entry, member);
    case TR_FORM_COUNT: return parse_count(parser, entry, member);
    case TR_FORM_PATTERN: return parse_pattern(parser, entry, node);
    case TR_FORM_FORMAT: return parse_format(parser, entry, node);
    case TR_FORM_NAMES:
        return tr_schema_parse_names(parser, entry->value, entry->place, &node->required,
                                     &node->required_count);
    case TR_FORM_DEPENDENCIES: return parse_dependencies(parser, entry, node);
    case TR_FORM_SCHEMA:
    case TR_FORM_SCHEMAS:
    case TR_FORM_PROPERTIES:
    case TR_FORM_DEFINITIONS:
    case TR_FORM_OLD_DEFINITIONS:
    case TR_FORM_PATTERN_PROPERTIES: break;
    }
    return TR_INTERNAL;
}
