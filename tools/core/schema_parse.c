/* JSON Schema text to schema tree: the walk over nodes and keywords. */

#include "tools/core/schema_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

static const struct tr_schema accepts_all = { .is_false = false };
static const struct tr_schema accepts_none = { .is_false = true };

enum tr_status tr_schema_refuse(const struct tr_schema_parser *parser, const struct tr_place *place,
                                const char *format, ...)
{
    char reason[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    if (length >= (int)sizeof(reason)) {
        reason[tr_utf8_cut(reason, sizeof(reason) - 1)] = '\0';
    }
    tr_auto(text) struct tr_text where;
    tr_text_init(&where, TR_FAULT_WHERE_BYTES - 1);
    tr_place_write_pointer(place, &where);
    return tr_refuse(TR_INVALID_PARAMETERS, parser->reterr, tr_text_string(&where), "%s", reason);
}

enum tr_status tr_schema_no_room(const struct tr_schema_parser *parser)
{
    return tr_refuse(tr_arena_status(parser->arena), parser->reterr, NULL,
                     "There is no memory for the schema");
}

static enum tr_status parse_keyword(struct tr_schema_parser *parser,
                                    const struct tr_schema_entry *entry, struct tr_schema *node)
{
    switch (entry->keyword->form) {
    case TR_FORM_SCHEMA:
    case TR_FORM_SCHEMAS:
    case TR_FORM_PROPERTIES:
    case TR_FORM_DEFINITIONS:
    case TR_FORM_OLD_DEFINITIONS:
    case TR_FORM_PATTERN_PROPERTIES: return tr_schema_parse_nested(parser, entry, node);
    case TR_FORM_REF: TR_TRY(tr_schema_add_ref(parser, entry->place, node)); break;
    case TR_FORM_REMARK:
    case TR_FORM_DIALECT:
    case TR_FORM_ID:
    case TR_FORM_TYPE:
    case TR_FORM_TEXT:
    case TR_FORM_FLAG:
    case TR_FORM_NULLABLE:
    case TR_FORM_VALUE:
    case TR_FORM_VALUES:
    case TR_FORM_CHOICES:
    case TR_FORM_NUMBER:
    case TR_FORM_DIVISOR:
    case TR_FORM_COUNT:
    case TR_FORM_PATTERN:
    case TR_FORM_FORMAT:
    case TR_FORM_NAMES:
    case TR_FORM_DEPENDENCIES: break;
    }
    return tr_schema_parse_plain(parser, entry, node);
}

static enum tr_status parse_keywords(struct tr_schema_parser *parser, const json_t *json,
                                     const struct tr_place *place, struct tr_schema *node)
{
    for (void *at = tr_json_first(json); at != NULL; at = tr_json_next(json, at)) {
        const struct tr_place below = { .parent = place, .key = json_object_iter_key(at) };
        const struct tr_schema_entry entry = {
            .keyword = tr_keyword_find(below.key),
            .value = json_object_iter_value(at),
            .owner = json,
            .place = &below,
        };
        if (entry.keyword == NULL) {
            return tr_schema_refuse(parser, &below, "The keyword '%s' is not supported", below.key);
        }
        TR_TRY(parse_keyword(parser, &entry, node));
    }
    return TR_OK;
}

/* ---- what two keywords say together ---- */

static enum tr_status check_counts(const struct tr_schema_parser *parser,
                                   const struct tr_schema *node, const struct tr_place *place)
{
    /* minContains above maxContains is left alone: it says that nothing fits, and the tests of the
     * standard say it. */
    const struct {
        const char *min_name, *max_name;
        struct tr_schema_count min, max;
    } pairs[] = {
        { "minLength", "maxLength", node->min_length, node->max_length },
        { "minItems", "maxItems", node->min_items, node->max_items },
        { "minProperties", "maxProperties", node->min_properties, node->max_properties },
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i].min.has && pairs[i].max.has && pairs[i].min.value > pairs[i].max.value) {
            return tr_schema_refuse(parser, place, "'%s' is above '%s': no value fits",
                                    pairs[i].min_name, pairs[i].max_name);
        }
    }
    return TR_OK;
}

static enum tr_status check_range(const struct tr_schema_parser *parser,
                                  const struct tr_schema *node, const struct tr_place *place)
{
    const json_t *lows[] = { node->minimum, node->exclusive_minimum };
    const json_t *highs[] = { node->maximum, node->exclusive_maximum };
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            if (lows[i] != NULL && highs[j] != NULL
                && tr_json_number_compare(lows[i], highs[j]) > 0) {
                return tr_schema_refuse(parser, place,
                                        "The minimum is above the maximum: no number fits");
            }
        }
    }
    return TR_OK;
}

static enum tr_status finish_node(const struct tr_schema_parser *parser, struct tr_schema *node,
                                  const struct tr_place *place)
{
    if (node->is_nullable && node->types == 0) {
        return tr_schema_refuse(parser, place, "'nullable' needs a 'type' beside it");
    }
    node->types |= node->is_nullable ? (unsigned)TR_TYPE_NULL : 0;
    TR_TRY(check_counts(parser, node, place));
    return check_range(parser, node, place);
}

/* ---- nodes ---- */

static enum tr_status parse_object(struct tr_schema_parser *parser, const json_t *json,
                                   const struct tr_place *place,
                                   const struct tr_schema **ret_schema)
{
    struct tr_schema *node = TR_NEW(parser->arena, struct tr_schema, 1);
    if (node == NULL) {
        return tr_schema_no_room(parser);
    }
    parser->depth++;
    TR_TRY(parse_keywords(parser, json, place, node));
    parser->depth--;
    TR_TRY(finish_node(parser, node, place));
    *ret_schema = node;
    return TR_OK;
}

enum tr_status tr_schema_parse_node(struct tr_schema_parser *parser, const json_t *json,
                                    const struct tr_place *place,
                                    const struct tr_schema **ret_schema)
{
    if (++parser->node_count > TR_MAX_SCHEMA_NODES) {
        return tr_schema_refuse(parser, place, "More than %d schemas in one document",
                                (int)TR_MAX_SCHEMA_NODES);
    }
    if (parser->depth >= TR_MAX_SCHEMA_DEPTH) {
        return tr_schema_refuse(parser, place, "Schemas inside schemas more than %d deep",
                                (int)TR_MAX_SCHEMA_DEPTH);
    }
    if (json_is_boolean(json)) {
        *ret_schema = json_is_true(json) ? &accepts_all : &accepts_none;
        return TR_OK;
    }
    if (!json_is_object(json)) {
        return tr_schema_refuse(parser, place, "A schema must be an object or a boolean");
    }
    return parse_object(parser, json, place, ret_schema);
}

static enum tr_status parse_copy(struct tr_schema_parser *parser, const json_t *json,
                                 const struct tr_schema **ret_root)
{
    json_t *copy = json_deep_copy(json);
    if (!tr_arena_adopt_json(parser->arena, copy)) {
        return tr_schema_no_room(parser);
    }
    const struct tr_place place = { .parent = NULL };
    parser->root_id = json_string_value(json_object_get(copy, "$id"));
    TR_TRY(tr_schema_parse_node(parser, copy, &place, ret_root));
    return tr_schema_follow_refs(parser, *ret_root);
}

enum tr_status tr_schema_parse(const json_t *json, struct tr_schema_document *ret_document,
                               struct tr_fault *reterr)
{
    *ret_document = (struct tr_schema_document){ .root = NULL };
    tr_arena_init(&ret_document->arena, TR_LOAD_ARENA_BYTES);
    struct tr_schema_parser parser = { .arena = &ret_document->arena, .reterr = reterr };
    const enum tr_status status = parse_copy(&parser, json, &ret_document->root);
    if (status != TR_OK) {
        tr_schema_document_done(ret_document);
    }
    return status;
}
