#include <string.h>

#include "tools/core/json.h"
#include "tools/core/params.h"
#include "tools/core/place.h"
#include "tools/core/report.h"
#include "tools/core/schema.h"
#include "tools/core/scope.h"
#include "tools/core/violation.h"
#include "tools/core/walk.h"

enum { MAX_SNAKE_BYTES = 128 };

/* A member as it was sent. The key is borrowed from the object until it is deleted there. */
struct sent {
    const char *key;
    size_t key_length;
};

static bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool is_lower_or_digit(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

/* Does a word start at the capital letter `at`? "maxResults", "HTTPServer": r, S. */
static bool starts_word(const struct sent *sent, size_t at)
{
    if (at == 0) {
        return false;
    }
    const bool ends_capitals = at + 1 < sent->key_length && is_upper(sent->key[at - 1])
                               && sent->key[at + 1] >= 'a' && sent->key[at + 1] <= 'z';
    return is_lower_or_digit(sent->key[at - 1]) || ends_capitals;
}

/* "maxResults" and "MaxResults" to "max_results". False for what is neither camelCase nor
 * PascalCase: letters and digits alone, capitals and others. */
static bool to_snake_case(const struct sent *sent, char room[MAX_SNAKE_BYTES])
{
    size_t length = 0;
    bool has_upper = false;
    bool has_lower = false;
    for (size_t at = 0; at < sent->key_length; at++) {
        const char byte = sent->key[at];
        if ((!is_upper(byte) && !is_lower_or_digit(byte)) || length + 3 > MAX_SNAKE_BYTES) {
            return false;
        }
        if (is_upper(byte) && starts_word(sent, at)) {
            room[length++] = '_';
        }
        room[length++] = is_upper(byte) ? (char)(byte - 'A' + 'a') : byte;
        has_upper = has_upper || is_upper(byte);
        has_lower = has_lower || (byte >= 'a' && byte <= 'z');
    }
    room[length] = '\0';
    return has_upper && has_lower;
}

static bool is_property(const struct tr_scope *scope, const char *name)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (tr_schema_property(scope->nodes[i], name) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_known(const struct tr_scope *scope, const struct sent *sent)
{
    for (size_t i = 0; i < scope->count; i++) {
        if (tr_schema_knows(scope->nodes[i], sent->key, sent->key_length)) {
            return true;
        }
    }
    return false;
}

/* Does a schema allow members that it does not name? */
static bool is_welcome(const struct tr_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema *additional = scope->nodes[i]->additional;
        if (additional != NULL && !additional->is_false) {
            return true;
        }
    }
    return false;
}

/* Does a schema forbid members that it does not name? Then check refuses what is left of them. */
static bool is_closed(const struct tr_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++) {
        const struct tr_schema *additional = scope->nodes[i]->additional;
        if (additional != NULL && additional->is_false) {
            return true;
        }
    }
    return false;
}

static enum tr_status rename_key(struct tr_walk *walk, json_t *object, const struct sent *sent,
                                 const char *name, const struct tr_place *place)
{
    if (json_object_get(object, name) != NULL) {
        tr_violations_add(walk->found, place, "duplicate",
                          "Parameter '%s' is the same as '%s'; send one of them",
                          tr_violations_name(walk->found, place), name);
        return TR_OK;
    }
    tr_report_place(walk->report, &walk->report->renamed, place);
    json_t *value = json_object_getn(object, sent->key, sent->key_length);
    if (json_object_set(object, name, value) != 0) {
        return TR_NO_MEMORY;
    }
    (void)json_object_deln(object, sent->key, sent->key_length);
    return TR_OK;
}

static enum tr_status settle_key(struct tr_walk *walk, const struct tr_scope *scope, json_t *object,
                                 const struct sent *sent, const struct tr_place *place)
{
    char name[MAX_SNAKE_BYTES];
    if (is_known(scope, sent)) {
        return TR_OK;
    }
    if (to_snake_case(sent, name) && is_property(scope, name)) {
        return rename_key(walk, object, sent, name, place);
    }
    if (is_welcome(scope) || is_closed(scope)) {
        return TR_OK;
    }
    tr_report_place(walk->report, &walk->report->ignored, place);
    (void)json_object_deln(object, sent->key, sent->key_length);
    return TR_OK;
}

static enum tr_status settle_keys(struct tr_walk *walk, const struct tr_scope *scope,
                                  json_t *object, const struct tr_spot *spot)
{
    size_t names = 1;
    for (size_t i = 0; i < scope->count; i++) {
        names += scope->nodes[i]->properties.count;
    }
    void *next = NULL;
    for (void *at = json_object_iter(object); at != NULL; at = next) {
        next = json_object_iter_next(object, at);
        if (!tr_walk_goes_on(walk, names, spot->depth)) {
            return TR_OK;
        }
        const struct sent sent = {
            .key = json_object_iter_key(at),
            .key_length = json_object_iter_key_len(at),
        };
        const struct tr_place place = { .parent = spot->place, .key = sent.key };
        TR_TRY(settle_key(walk, scope, object, &sent, &place));
    }
    return TR_OK;
}

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

static enum tr_status keys_in(struct tr_walk *walk, const struct tr_scope *scope, json_t *value,
                              const struct tr_spot *spot);

static enum tr_status keys_in_members(struct tr_walk *walk, const struct tr_scope *scope,
                                      json_t *object, const struct tr_spot *spot)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        json_t *member = json_object_iter_value(at);
        if (!is_container(member)) {
            continue;
        }
        const struct tr_place place = { .parent = spot->place, .key = json_object_iter_key(at) };
        const struct tr_spot inner = { .place = &place, .depth = spot->depth + 1 };
        struct tr_scope child;
        tr_scope_member(scope, place.key, json_object_iter_key_len(at), &child);
        TR_TRY(keys_in(walk, &child, member, &inner));
    }
    return TR_OK;
}

static enum tr_status keys_in_items(struct tr_walk *walk, const struct tr_scope *scope,
                                    json_t *array, const struct tr_spot *spot)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        json_t *item = json_array_get(array, i);
        if (!is_container(item)) {
            continue;
        }
        const struct tr_place place = { .parent = spot->place, .index = i };
        const struct tr_spot inner = { .place = &place, .depth = spot->depth + 1 };
        struct tr_scope child;
        tr_scope_item(scope, i, &child);
        TR_TRY(keys_in(walk, &child, item, &inner));
    }
    return TR_OK;
}

static enum tr_status keys_in(struct tr_walk *walk, const struct tr_scope *scope, json_t *value,
                              const struct tr_spot *spot)
{
    if (scope->count == 0 || !tr_walk_goes_on(walk, 1 + scope->count, spot->depth)) {
        return TR_OK;
    }
    if (json_is_array(value)) {
        return keys_in_items(walk, scope, value, spot);
    }
    if (tr_scope_names_members(scope)) {
        TR_TRY(settle_keys(walk, scope, value, spot));
    }
    return keys_in_members(walk, scope, value, spot);
}

enum tr_status tr_keys_at(struct tr_walk *walk, const struct tr_schema *schema, json_t *value,
                          const struct tr_spot *spot)
{
    if (!is_container(value)) {
        return TR_OK;
    }
    struct tr_scope scope;
    tr_scope_init(&scope);
    tr_scope_all(&scope, schema);
    return keys_in(walk, &scope, value, spot);
}
