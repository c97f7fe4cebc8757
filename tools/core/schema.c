#include "tools/core/schema.h"

#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/schema_keyword.h"

void tr_schema_document_done(struct tr_schema_document *document)
{
    tr_arena_done(&document->arena);
    *document = (struct tr_schema_document){ .root = NULL };
}

/* A text of bounded length that is built piece by piece, cut where the room ends. */
struct piece_writer {
    char *room;
    size_t room_bytes, length;
};

static void add_piece(struct piece_writer *out, const char *piece)
{
    const size_t left = out->room_bytes - out->length - 1;
    const size_t size = strlen(piece);
    const size_t kept = size < left ? size : left;
    memcpy(out->room + out->length, piece, kept);
    out->length += kept;
    out->room[out->length] = '\0';
}

const char *tr_schema_type_name(unsigned types, char *room, size_t room_bytes)
{
    if (room_bytes == 0) {
        return "";
    }
    /* Every integer is a number. */
    unsigned left = types & TR_TYPE_NUMBER ? types & ~(unsigned)TR_TYPE_INTEGER : types;
    struct piece_writer out = { .room = room, .room_bytes = room_bytes };
    add_piece(&out, left == 0 ? "any" : "");
    for (size_t i = 0; i < TR_TYPE_COUNT && left != 0; i++) {
        if ((left & tr_type_names[i].bit) == 0) {
            continue;
        }
        left &= ~tr_type_names[i].bit;
        if (out.length != 0) {
            add_piece(&out, left == 0 ? " or " : ", ");
        }
        add_piece(&out, tr_type_names[i].name);
    }
    return room;
}

/* Does the node with a $ref ask for anything besides it? */
static bool says_more_than_ref(const struct tr_schema *schema)
{
    for (size_t i = 0; i < tr_keyword_count; i++) {
        const struct tr_keyword *keyword = &tr_keywords[i];
        if (keyword->form != TR_FORM_REF && !keyword->is_remark
            && tr_keyword_is_set(keyword, schema)) {
            return true;
        }
    }
    return schema->is_false;
}

const struct tr_schema *tr_schema_resolve(const struct tr_schema *schema)
{
    /* A document has no circle of nothing but $refs and no more of them in a row: a tree that was
     * built otherwise must not hold us either. */
    for (int i = 0; i <= TR_MAX_SCHEMA_DEPTH; i++) {
        if (schema->ref == NULL || says_more_than_ref(schema)) {
            return schema;
        }
        schema = schema->ref;
    }
    return NULL;
}

const struct tr_schema_property *tr_schema_property(const struct tr_schema *schema,
                                                    const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < schema->properties.count; i++) {
        const struct tr_schema_property *property = &schema->properties.items[i];
        if (property->name_length == length && memcmp(property->name, name, length) == 0) {
            return property;
        }
    }
    return NULL;
}
