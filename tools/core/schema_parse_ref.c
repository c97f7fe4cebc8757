/* $ref: from the text to the node, once every node exists; and no circles. */

#include <stdlib.h>
#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/number.h"
#include "tools/core/schema_parse.h"
#include "tools/core/text.h"

enum tr_status tr_schema_add_ref(struct tr_schema_parser *parser, const struct tr_place *place,
                                 struct tr_schema *node)
{
    tr_auto(text) struct tr_text where;
    tr_text_init(&where, TR_FAULT_WHERE_BYTES - 1);
    tr_place_write_pointer(place, &where);
    struct tr_schema_ref *ref = TR_NEW(parser->arena, struct tr_schema_ref, 1);
    const char *kept = tr_arena_strndup(parser->arena, tr_text_string(&where), where.length);
    if (ref == NULL || kept == NULL) {
        return tr_schema_no_room(parser);
    }
    *ref = (struct tr_schema_ref){ .next = parser->refs, .node = node, .where = kept };
    parser->refs = ref;
    parser->ref_count++;
    return TR_OK;
}

static enum tr_status refuse_ref(const struct tr_schema_parser *parser,
                                 const struct tr_schema_ref *ref, const char *reason)
{
    return tr_refuse(TR_INVALID_PARAMETERS, parser->reterr, ref->where, "'%s' %s",
                     ref->node->ref_name, reason);
}

/* ---- from the text to the node ---- */

static int hex_digit(char byte)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = byte != '\0' ? strchr(digits, byte) : NULL;
    return found != NULL ? (int)((found - digits) % 16) : -1;
}

/* Undo the percent-encoding of a fragment (RFC 6901 section 6) in place; false when it is broken.
 */
static bool decode_percents(char *text)
{
    char *out = text;
    for (const char *in = text; *in != '\0'; in++) {
        if (*in != '%') {
            *out++ = *in;
            continue;
        }
        const int high = hex_digit(in[1]);
        const int low = high < 0 ? -1 : hex_digit(in[2]);
        if (low < 0 || high * 16 + low == 0) {
            return false;
        }
        *out++ = (char)(high * 16 + low);
        in += 2;
    }
    *out = '\0';
    return true;
}

/* Cut the next token of a JSON Pointer off and decode it in place; NULL at the end. `*rest` is
 * behind a slash, or NULL. */
static const char *next_token(char **rest)
{
    char *token = *rest;
    if (token == NULL) {
        return NULL;
    }
    char *slash = strchr(token, '/');
    *rest = slash != NULL ? slash + 1 : NULL;
    if (slash != NULL) {
        *slash = '\0';
    }
    char *out = token;
    for (const char *in = token; *in != '\0'; in++) {
        const bool is_escape = *in == '~' && (in[1] == '0' || in[1] == '1');
        const char escaped = in[1] == '0' ? '~' : '/';
        *out++ = is_escape ? escaped : *in;
        in += is_escape;
    }
    *out = '\0';
    return token;
}

/* The schema that stands below the keyword, by its name or its index. */
static const struct tr_schema *step_into(const struct tr_schema *schema,
                                         const struct tr_keyword *keyword, char **rest)
{
    const size_t count = tr_keyword_schema_count(keyword, schema);
    if (count == 0) {
        return NULL;
    }
    if (keyword->form == TR_FORM_SCHEMA) {
        return tr_keyword_schema(keyword, schema, 0, NULL);
    }
    const char *token = next_token(rest);
    if (token == NULL) {
        return NULL;
    }
    if (keyword->form == TR_FORM_SCHEMAS) {
        int64_t index = 0;
        const bool is_index = (token[0] != '0' || token[1] == '\0') && token[0] != '+'
                              && tr_parse_int64(token, strlen(token), &index) && index >= 0
                              && (uint64_t)index < count;
        return is_index ? tr_keyword_schema(keyword, schema, (size_t)index, NULL) : NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = NULL;
        const struct tr_schema *found = tr_keyword_schema(keyword, schema, i, &name);
        if (strcmp(name, token) == 0) {
            return found;
        }
    }
    return NULL;
}

/* NULL when the pointer leads to no schema. Uses `pointer` up. */
static const struct tr_schema *walk(const struct tr_schema *root, char *pointer)
{
    const struct tr_schema *schema = root;
    char *rest = *pointer == '/' ? pointer + 1 : NULL;
    while (schema != NULL && rest != NULL) {
        const struct tr_keyword *keyword = tr_keyword_find(next_token(&rest));
        schema = keyword != NULL ? step_into(schema, keyword, &rest) : NULL;
    }
    return schema;
}

/* What follows the '#'; NULL when the $ref leads out of the document. The document is meant by
 * nothing before the '#', and by the $id of the root. */
static const char *fragment_of(const struct tr_schema_parser *parser, const char *ref)
{
    const char *hash = strchr(ref, '#');
    const size_t base = hash != NULL ? (size_t)(hash - ref) : strlen(ref);
    const char *id = parser->root_id != NULL ? parser->root_id : "";
    const bool is_own_id = base == strcspn(id, "#") && memcmp(ref, id, base) == 0;
    if (base != 0 && !is_own_id) {
        return NULL;
    }
    return hash != NULL ? hash + 1 : "";
}

static enum tr_status follow(const struct tr_schema_parser *parser, const struct tr_schema *root,
                             const struct tr_schema_ref *ref)
{
    const char *fragment = fragment_of(parser, ref->node->ref_name);
    if (fragment == NULL) {
        return refuse_ref(parser, ref, "leads out of this document, which is not supported");
    }
    /* The $id is not kept, so it must not be asked for when the tree is emitted. */
    ref->node->ref_name = *fragment != '\0' ? fragment - 1 : "#";
    char *pointer = tr_arena_strndup(parser->arena, fragment, strlen(fragment));
    if (pointer == NULL) {
        return tr_schema_no_room(parser);
    }
    if (*pointer != '\0' && *pointer != '/') {
        return refuse_ref(parser, ref, "is no JSON Pointer; anchors are not supported");
    }
    ref->node->ref = decode_percents(pointer) ? walk(root, pointer) : NULL;
    return ref->node->ref != NULL ? TR_OK : refuse_ref(parser, ref, "leads to no schema");
}

/* ---- circles ---- */

/* A schema that comes back to itself for the same value would never end: by $refs alone, or by a
 * $ref below a keyword that speaks of the same value. The search goes from $ref to $ref. */
struct circle_search {
    const struct tr_schema_parser *parser;
    struct tr_schema_ref **by_node; /* sorted by the address of the node */
    size_t depth;
};

static int compare_addresses(const struct tr_schema *left, const struct tr_schema *right)
{
    const uintptr_t left_address = (uintptr_t)left;
    const uintptr_t right_address = (uintptr_t)right;
    return (left_address > right_address) - (left_address < right_address);
}

static int compare_refs(const void *left, const void *right)
{
    const struct tr_schema_ref *const *left_ref = left;
    const struct tr_schema_ref *const *right_ref = right;
    return compare_addresses((*left_ref)->node, (*right_ref)->node);
}

static int compare_node_with_ref(const void *node, const void *element)
{
    const struct tr_schema_ref *const *ref = element;
    return compare_addresses(node, (*ref)->node);
}

static enum tr_status search_from(struct circle_search *search, struct tr_schema_ref *ref);

static enum tr_status search_below(struct circle_search *search, const struct tr_schema *schema)
{
    if (schema->ref != NULL) {
        struct tr_schema_ref **found = bsearch(schema, search->by_node, search->parser->ref_count,
                                               sizeof(*search->by_node), compare_node_with_ref);
        TR_TRY(found != NULL ? search_from(search, *found) : TR_INTERNAL);
    }
    const struct tr_schema_list *lists[] = { &schema->any_of, &schema->one_of, &schema->all_of };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            TR_TRY(search_below(search, lists[i]->items[j]));
        }
    }
    const struct tr_schema *singles[] = {
        schema->not_schema,
        schema->if_schema,
        schema->then_schema,
        schema->else_schema,
    };
    for (size_t i = 0; i < sizeof(singles) / sizeof(singles[0]); i++) {
        TR_TRY(singles[i] != NULL ? search_below(search, singles[i]) : TR_OK);
    }
    return TR_OK;
}

static enum tr_status search_from(struct circle_search *search, struct tr_schema_ref *ref)
{
    if (ref->is_done) {
        return TR_OK;
    }
    if (ref->is_open) {
        return refuse_ref(search->parser, ref, "comes back to itself without end");
    }
    if (search->depth >= TR_MAX_SCHEMA_DEPTH) {
        return refuse_ref(search->parser, ref, "is one of too many references in a row");
    }
    ref->is_open = true;
    search->depth++;
    TR_TRY(search_below(search, ref->node->ref));
    search->depth--;
    ref->is_done = true;
    return TR_OK;
}

static enum tr_status refuse_circles(const struct tr_schema_parser *parser)
{
    struct tr_schema_ref **by_node =
        TR_NEW(parser->arena, struct tr_schema_ref *, parser->ref_count);
    if (by_node == NULL) {
        return tr_schema_no_room(parser);
    }
    size_t count = 0;
    for (struct tr_schema_ref *ref = parser->refs; ref != NULL; ref = ref->next) {
        by_node[count++] = ref;
    }
    qsort(by_node, count, sizeof(struct tr_schema_ref *), compare_refs);
    struct circle_search search = { .parser = parser, .by_node = by_node };
    for (size_t i = 0; i < count; i++) {
        TR_TRY(search_from(&search, by_node[i]));
    }
    return TR_OK;
}

enum tr_status tr_schema_follow_refs(struct tr_schema_parser *parser, const struct tr_schema *root)
{
    for (const struct tr_schema_ref *ref = parser->refs; ref != NULL; ref = ref->next) {
        TR_TRY(follow(parser, root, ref));
    }
    return parser->ref_count != 0 ? refuse_circles(parser) : TR_OK;
}
