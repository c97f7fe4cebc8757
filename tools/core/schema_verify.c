/* Do the defaults and the examples of a schema fit it? */

#include <stddef.h>

#include "tools/core/check.h"
#include "tools/core/place.h"
#include "tools/core/schema.h"
#include "tools/core/schema_keyword.h"
#include "tools/core/text.h"

static enum tr_status refuse(const struct tr_place *place, struct tr_fault *reterr)
{
    tr_auto(text) struct tr_text where;
    tr_text_init(&where, TR_FAULT_WHERE_BYTES - 1);
    tr_place_write_pointer(place, &where);
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, tr_text_string(&where),
                     "This does not fit the schema it stands in");
}

static enum tr_status verify_own(const struct tr_schema *schema, const struct tr_place *place,
                                 struct tr_fault *reterr)
{
    if (schema->default_value != NULL && !tr_check_fits(schema, schema->default_value)) {
        const struct tr_place below = { .parent = place, .key = "default" };
        return refuse(&below, reterr);
    }
    for (size_t i = 0; i < json_array_size(schema->examples); i++) {
        if (!tr_check_fits(schema, json_array_get(schema->examples, i))) {
            const struct tr_place list = { .parent = place, .key = "examples" };
            const struct tr_place below = { .parent = &list, .index = i };
            return refuse(&below, reterr);
        }
    }
    return TR_OK;
}

static enum tr_status verify_node(const struct tr_schema *schema, const struct tr_place *place,
                                  struct tr_fault *reterr);

static enum tr_status verify_keyword(const struct tr_keyword *keyword,
                                     const struct tr_schema *schema, const struct tr_place *place,
                                     struct tr_fault *reterr)
{
    const struct tr_place list = { .parent = place, .key = keyword->name };
    const size_t count = tr_keyword_schema_count(keyword, schema);
    for (size_t i = 0; i < count; i++) {
        struct tr_place below = { .parent = &list, .index = i };
        const struct tr_schema *one = tr_keyword_schema(keyword, schema, i, &below.key);
        const bool is_single = keyword->form == TR_FORM_SCHEMA;
        TR_TRY(verify_node(one, is_single ? &list : &below, reterr));
    }
    return TR_OK;
}

static enum tr_status verify_node(const struct tr_schema *schema, const struct tr_place *place,
                                  struct tr_fault *reterr)
{
    TR_TRY(verify_own(schema, place, reterr));
    for (size_t i = 0; i < tr_keyword_count; i++) {
        TR_TRY(verify_keyword(&tr_keywords[i], schema, place, reterr));
    }
    return TR_OK;
}

enum tr_status tr_schema_verify_values(const struct tr_schema_document *document,
                                       struct tr_fault *reterr)
{
    const struct tr_place root = { .parent = NULL };
    return verify_node(document->root, &root, reterr);
}
