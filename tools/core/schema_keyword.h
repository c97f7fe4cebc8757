/* schema_keyword.h - every keyword that a schema may have, in one table: its form in JSON and the
 * member of struct tr_schema that holds it. The parser, the emitter and the walks over a tree are
 * driven by it; a keyword without a row does not exist. */
#ifndef TR_TOOLS_CORE_SCHEMA_KEYWORD_H
#define TR_TOOLS_CORE_SCHEMA_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/schema.h"

/* The form in JSON, and in parentheses the C type of the member. */
enum tr_keyword_form {
    TR_FORM_REMARK,             /* anything; nothing is kept */
    TR_FORM_DIALECT,            /* $schema; nothing is kept */
    TR_FORM_ID,                 /* $id; nothing is kept */
    TR_FORM_REF,                /* $ref (const struct tr_schema *); sets `ref_name` too */
    TR_FORM_TYPE,               /* a name or a list of names (unsigned) */
    TR_FORM_TEXT,               /* a string (const char *) */
    TR_FORM_FLAG,               /* a boolean (bool) */
    TR_FORM_NULLABLE,           /* a boolean (bool); becomes one more type */
    TR_FORM_VALUE,              /* anything (const json_t *) */
    TR_FORM_VALUES,             /* a list of anything (const json_t *) */
    TR_FORM_CHOICES,            /* the same, not empty (const json_t *) */
    TR_FORM_NUMBER,             /* a number (const json_t *) */
    TR_FORM_DIVISOR,            /* a number above 0 (const json_t *) */
    TR_FORM_COUNT,              /* a whole number from 0 on (struct tr_schema_count) */
    TR_FORM_PATTERN,            /* a regular expression (const struct tr_pattern *) */
    TR_FORM_FORMAT,             /* a string (const char *); sets `format` too */
    TR_FORM_SCHEMA,             /* a schema (const struct tr_schema *) */
    TR_FORM_SCHEMAS,            /* a list of schemas, not empty (struct tr_schema_list) */
    TR_FORM_PROPERTIES,         /* names and schemas (struct tr_schema_properties) */
    TR_FORM_DEFINITIONS,        /* the same */
    TR_FORM_OLD_DEFINITIONS,    /* the same, by the keyword of draft 7 */
    TR_FORM_PATTERN_PROPERTIES, /* patterns and schemas (see pattern_properties) */
    TR_FORM_NAMES,              /* a list of names (see required) */
    TR_FORM_DEPENDENCIES,       /* names and lists of names (see dependent_required) */
};

enum { TR_FORM_COUNT_OF = TR_FORM_DEPENDENCIES + 1 };

struct tr_keyword {
    const char *name;
    enum tr_keyword_form form;
    size_t offset;  /* of the member in struct tr_schema */
    bool is_remark; /* every value fits it */
};

/* The table, in the order in which keywords are emitted. */
extern const struct tr_keyword tr_keywords[];
extern const size_t tr_keyword_count;

/* The row of `name`, NULL when there is none. */
const struct tr_keyword *tr_keyword_find(const char *name);

/* The member that belongs to the row. */
static inline const void *tr_keyword_member(const struct tr_keyword *keyword,
                                            const struct tr_schema *schema)
{
    return (const char *)schema + keyword->offset;
}

/* How many schemas the row's member holds, and which; 0 for the forms that hold none. `ret_name`
 * (may be NULL) gets the name under which a schema stands, NULL where it stands alone or in a list.
 * A $ref is not a schema that the member holds. */
size_t tr_keyword_schema_count(const struct tr_keyword *keyword, const struct tr_schema *schema);
const struct tr_schema *tr_keyword_schema(const struct tr_keyword *keyword,
                                          const struct tr_schema *schema, size_t index,
                                          const char **ret_name);

/* Does the node say something with this keyword? */
bool tr_keyword_is_set(const struct tr_keyword *keyword, const struct tr_schema *schema);

/* The bit of the type called `name`, 0 when there is none. */
unsigned tr_keyword_type_bit(const char *name);

/* The types, one bit and one name each, in the order in which they are written. */
struct tr_type_name {
    unsigned bit;
    const char *name;
};
enum { TR_TYPE_COUNT = 7 };
extern const struct tr_type_name tr_type_names[TR_TYPE_COUNT];

#endif
