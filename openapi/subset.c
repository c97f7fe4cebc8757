#include "openapi/subset.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "openapi/build.h"
#include "openapi/keyword.h"
#include "openapi/rule_words.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/place.h"
#include "tools/core/text.h"

enum { WORDS_BYTES = 64 * 1024, POINTER_BYTES = 64 * 1024 };

const char *const tr_subset_combinators[] = {
    "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "enum", "const", "$ref", NULL,
};

struct job {
    const struct tr_subset *subset;
    json_t *root;    /* borrowed; where references lead */
    json_t *dropped; /* borrowed, or NULL */
    size_t room;     /* schemas that may still be put in the place of references */
    bool is_short;   /* a pointer found no memory */
};

/* One schema inside the document, and the reference that led there, to see a cycle. */
struct spot {
    struct tr_place place;
    const struct spot *parent; /* the schema around it, or the reference to it */
    const char *reference;     /* NULL: it stands there itself */
    bool is_root;
};

static json_t *rewrite(struct job *job, const struct spot *spot, json_t *schema);

static bool is_listed(const char *const *list, const char *keyword)
{
    for (; list != NULL && *list != NULL; list++) {
        if (strcmp(*list, keyword) == 0) {
            return true;
        }
    }
    return false;
}

static bool reads(const struct job *job, const struct spot *spot, const char *keyword)
{
    if (spot->is_root && is_listed(job->subset->root_drops, keyword)) {
        return false;
    }
    return job->subset->keeps == NULL || is_listed(job->subset->keeps, keyword);
}

/* ---- what is kept ---- */

static json_t *rewrite_member(struct job *job, const struct spot *spot,
                              const struct tr_place *keyword, const char *key, json_t *schema)
{
    const struct spot below = {
        .place = { .parent = keyword, .key = key },
        .parent = spot,
    };
    return rewrite(job, &below, schema);
}

static json_t *rewrite_map(struct job *job, const struct spot *spot, const struct tr_place *keyword,
                           json_t *map)
{
    json_t *out = json_object();
    const char *key;
    json_t *schema;
    json_object_foreach (map, key, schema) {
        tr_build_put(&out, key, rewrite_member(job, spot, keyword, key, schema));
    }
    return out;
}

static json_t *rewrite_list(struct job *job, const struct spot *spot,
                            const struct tr_place *keyword, json_t *list)
{
    json_t *out = json_array();
    size_t index;
    json_t *schema;
    json_array_foreach (list, index, schema) {
        const struct spot below = {
            .place = { .parent = keyword, .index = index },
            .parent = spot,
        };
        tr_build_add(&out, rewrite(job, &below, schema));
    }
    return out;
}

/* The value of a keyword that stays, with the schemas inside of it rewritten. */
static json_t *rewrite_value(struct job *job, const struct spot *spot, const char *keyword,
                             json_t *value)
{
    const struct tr_place place = { .parent = &spot->place, .key = keyword };
    switch (tr_keyword_form(keyword)) {
    case TR_KEYWORD_MAP: return rewrite_map(job, spot, &place, value);
    case TR_KEYWORD_LIST: return rewrite_list(job, spot, &place, value);
    case TR_KEYWORD_SCHEMA: {
        const struct spot below = { .place = place, .parent = spot };
        return rewrite(job, &below, value);
    }
    case TR_KEYWORD_PLAIN: break;
    }
    return json_incref(value);
}

/* ---- what is told in words ---- */

/* Note that the rule at `keyword` of this spot is only told. */
static void note_dropped(struct job *job, const struct spot *spot, const char *keyword)
{
    if (job->dropped == NULL) {
        return;
    }
    tr_auto(text) struct tr_text pointer;
    tr_text_init(&pointer, POINTER_BYTES);
    tr_text_add_string(&pointer, "/parameters");
    const struct tr_place place = { .parent = &spot->place, .key = keyword };
    tr_place_write_pointer(&place, &pointer);
    json_t *text = pointer.status == TR_OK ? json_string(tr_text_string(&pointer)) : NULL;
    if (json_array_append_new(job->dropped, text) != 0) {
        job->is_short = true;
    }
}

static void tell(struct job *job, const struct spot *spot, const char *keyword, const json_t *value,
                 struct tr_text *words)
{
    if (tr_rule_words_add(words, keyword, value)) {
        note_dropped(job, spot, keyword);
    }
}

/* The description, then the words in brackets. */
static void describe(json_t **out, const struct tr_text *words)
{
    if (words->status != TR_OK) {
        tr_build_put(out, "description", NULL);
        return;
    }
    if (words->length == 0) {
        return;
    }
    const char *said = json_string_value(json_object_get(*out, "description"));
    tr_build_put(out, "description",
                 said != NULL ? tr_build_printf("%s (%s)", said, tr_text_string(words))
                              : json_string(tr_text_string(words)));
}

/* ---- references ---- */

static bool is_inside(const struct spot *spot, const char *reference)
{
    for (; spot != NULL; spot = spot->parent) {
        if (spot->reference != NULL && strcmp(spot->reference, reference) == 0) {
            return true;
        }
    }
    return false;
}

/* What "#/$defs/name" leads to; NULL for anything else, which the schema parser does not let in. */
static json_t *follow(const struct job *job, const char *reference)
{
    static const char prefix[] = "#/$defs/";
    if (strcmp(reference, "#") == 0) {
        return job->root;
    }
    if (strncmp(reference, prefix, sizeof(prefix) - 1) != 0) {
        return NULL;
    }
    return json_object_get(json_object_get(job->root, "$defs"), reference + sizeof(prefix) - 1);
}

/* A reference that leads back to where we are, or nowhere, can only be told. */
static json_t *tell_reference(struct job *job, const struct spot *spot, const char *reference)
{
    json_t *out = json_object();
    json_t *type = json_object_get(follow(job, reference), "type");
    if (type != NULL) {
        tr_build_put(&out, "type", json_incref(type));
    }
    tr_build_put(&out, "description", tr_build_printf("the same form as %s", reference));
    note_dropped(job, spot, "$ref");
    return out;
}

/* Put what the reference means in its place; the members beside it win. */
static json_t *rewrite_reference(struct job *job, const struct spot *spot, json_t *schema,
                                 const char *reference)
{
    json_t *target = follow(job, reference);
    if (!json_is_object(target) || is_inside(spot, reference) || job->room == 0) {
        return tell_reference(job, spot, reference);
    }
    json_auto_t *meant = json_copy(target);
    if (meant == NULL || json_object_update(meant, schema) != 0) {
        return NULL;
    }
    /* A target that is a reference itself is followed in the next round. */
    json_t *further = json_object_get(target, "$ref");
    if (further == NULL) {
        json_object_del(meant, "$ref");
    } else if (json_object_set(meant, "$ref", further) != 0) {
        return NULL;
    }
    const struct spot here = {
        .place = spot->place,
        .parent = spot,
        .reference = reference,
        .is_root = spot->is_root,
    };
    return rewrite(job, &here, meant);
}

/* ---- one schema ---- */

/* The schemas `true` and `false`, for providers that only know objects. */
static json_t *rewrite_bool(const struct job *job, json_t *schema)
{
    if (job->subset->keeps == NULL) {
        return json_incref(schema);
    }
    json_t *out = json_object();
    if (json_is_false(schema)) {
        tr_build_put_text(&out, "description", "no value is accepted");
    }
    return out;
}

static json_t *rewrite_object(struct job *job, const struct spot *spot, json_t *schema)
{
    tr_auto(text) struct tr_text words;
    tr_text_init(&words, WORDS_BYTES);
    json_t *out = json_object();
    const char *keyword;
    json_t *value;
    json_object_foreach (schema, keyword, value) {
        if (reads(job, spot, keyword)) {
            tr_build_put(&out, keyword, rewrite_value(job, spot, keyword, value));
        } else if (strcmp(keyword, "$defs") != 0) {
            tell(job, spot, keyword, value, &words);
            if (is_listed(job->subset->shows, keyword)) {
                tr_build_put(&out, keyword, json_incref(value));
            }
        }
    }
    describe(&out, &words);
    return out;
}

static json_t *rewrite(struct job *job, const struct spot *spot, json_t *schema)
{
    if (job->room > 0) {
        job->room--;
    }
    if (!json_is_object(schema)) {
        return rewrite_bool(job, schema);
    }
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    if (reference != NULL && !reads(job, spot, "$ref")) {
        return rewrite_reference(job, spot, schema, reference);
    }
    return rewrite_object(job, spot, schema);
}

/* ---- the root ---- */

static void make_plain_object(json_t **root)
{
    tr_build_put_text(root, "type", "object");
    if (!json_is_object(json_object_get(*root, "properties"))) {
        tr_build_put(root, "properties", json_object());
    }
}

json_t *tr_subset_rewrite(const struct tr_subset *subset, const json_t *schema, json_t *dropped)
{
    json_auto_t *source = json_deep_copy(schema);
    struct job job = {
        .subset = subset,
        .root = source,
        .dropped = dropped,
        .room = TR_MAX_SCHEMA_NODES,
    };
    const struct spot root = { .reference = "#", .is_root = true };
    json_t *out = source == NULL ? NULL : rewrite(&job, &root, source);
    make_plain_object(&out);
    if (job.is_short) {
        json_decref(out);
        return NULL;
    }
    return out;
}
