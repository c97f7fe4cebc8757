/* The keywords whose value holds schemas. */

#include <string.h>

#include "tools/core/json.h"
#include "tools/core/pattern.h"
#include "tools/core/schema_parse.h"

static enum tr_status parse_schemas(struct tr_schema_parser *parser,
                                    const struct tr_schema_entry *entry,
                                    struct tr_schema_list *member)
{
    const size_t count = json_array_size(entry->value);
    if (count == 0) {
        return tr_schema_refuse(parser, entry->place,
                                "This must be an array of at least one schema");
    }
    const struct tr_schema **items = TR_NEW(parser->arena, const struct tr_schema *, count);
    if (items == NULL) {
        return tr_schema_no_room(parser);
    }
    for (size_t i = 0; i < count; i++) {
        const struct tr_place below = { .parent = entry->place, .index = i };
        TR_TRY(tr_schema_parse_node(parser, json_array_get(entry->value, i), &below, &items[i]));
    }
    *member = (struct tr_schema_list){ .items = items, .count = count };
    return TR_OK;
}

/* The names that `required` of the same schema lists, as the members of an object: whether a
 * property is required is asked once for each of them. NULL when out of memory. */
static json_t *required_names(const json_t *owner)
{
    json_auto_t *names = json_object();
    const json_t *required = json_object_get(owner, "required");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const json_t *name = json_array_get(required, i);
        if (json_is_string(name)
            && json_object_setn_new(names, json_string_value(name), strlen(json_string_value(name)),
                                    json_true())
                   != 0) {
            return NULL;
        }
    }
    return tr_json_take(&names);
}

static enum tr_status parse_properties(struct tr_schema_parser *parser,
                                       const struct tr_schema_entry *entry,
                                       struct tr_schema_properties *member)
{
    if (!json_is_object(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be an object of schemas");
    }
    struct tr_schema_property *items =
        TR_NEW(parser->arena, struct tr_schema_property, json_object_size(entry->value));
    json_auto_t *required = required_names(entry->owner);
    if (items == NULL || required == NULL) {
        return tr_schema_no_room(parser);
    }
    size_t count = 0;
    for (void *at = tr_json_first(entry->value); at != NULL; at = tr_json_next(entry->value, at)) {
        struct tr_schema_property *item = &items[count++];
        item->name = json_object_iter_key(at);
        item->name_length = json_object_iter_key_len(at);
        item->is_required = entry->keyword->form == TR_FORM_PROPERTIES
                            && json_object_getn(required, item->name, item->name_length) != NULL;
        const struct tr_place below = { .parent = entry->place, .key = item->name };
        TR_TRY(tr_schema_parse_node(parser, json_object_iter_value(at), &below, &item->schema));
    }
    *member = (struct tr_schema_properties){ .items = items, .count = count };
    return TR_OK;
}

static enum tr_status parse_definitions(struct tr_schema_parser *parser,
                                        const struct tr_schema_entry *entry, struct tr_schema *node)
{
    if (json_object_get(entry->owner, "$defs") != NULL
        && json_object_get(entry->owner, "definitions") != NULL) {
        return tr_schema_refuse(parser, entry->place,
                                "'$defs' and 'definitions' beside each other; use '$defs'");
    }
    node->has_old_definitions = entry->keyword->form == TR_FORM_OLD_DEFINITIONS;
    return parse_properties(parser, entry, &node->definitions);
}

static enum tr_status parse_pattern_property(struct tr_schema_parser *parser, const char *source,
                                             const json_t *json, const struct tr_place *place,
                                             struct tr_schema_pattern_property *item)
{
    struct tr_fault fault;
    const enum tr_status status = tr_pattern_compile(parser->arena, source, &item->pattern, &fault);
    if (status == TR_INVALID_PARAMETERS) {
        return tr_schema_refuse(parser, place, "%s", fault.what);
    }
    TR_TRY(status);
    return tr_schema_parse_node(parser, json, place, &item->schema);
}

static enum tr_status parse_pattern_properties(struct tr_schema_parser *parser,
                                               const struct tr_schema_entry *entry,
                                               struct tr_schema *node)
{
    if (!json_is_object(entry->value)) {
        return tr_schema_refuse(parser, entry->place, "This must be an object of schemas");
    }
    struct tr_schema_pattern_property *items =
        TR_NEW(parser->arena, struct tr_schema_pattern_property, json_object_size(entry->value));
    if (items == NULL) {
        return tr_schema_no_room(parser);
    }
    size_t count = 0;
    for (void *at = tr_json_first(entry->value); at != NULL; at = tr_json_next(entry->value, at)) {
        const struct tr_place below = { .parent = entry->place, .key = json_object_iter_key(at) };
        TR_TRY(parse_pattern_property(parser, below.key, json_object_iter_value(at), &below,
                                      &items[count++]));
    }
    node->pattern_properties = items;
    node->pattern_property_count = count;
    return TR_OK;
}

enum tr_status tr_schema_parse_nested(struct tr_schema_parser *parser,
                                      const struct tr_schema_entry *entry, struct tr_schema *node)
{
    void *member = tr_schema_entry_member(entry, node);
    if (entry->keyword->form == TR_FORM_SCHEMA) {
        return tr_schema_parse_node(parser, entry->value, entry->place, member);
    }
    if (entry->keyword->form == TR_FORM_SCHEMAS) {
        return parse_schemas(parser, entry, member);
    }
    if (entry->keyword->form == TR_FORM_PROPERTIES) {
        return parse_properties(parser, entry, member);
    }
    if (entry->keyword->form == TR_FORM_PATTERN_PROPERTIES) {
        return parse_pattern_properties(parser, entry, node);
    }
    return parse_definitions(parser, entry, node);
}
