#include "server/routes/format.h"

#include <stddef.h>

#include "middleware/exchange.h"
#include "openapi/dialect.h"
#include "tools/core/text.h"

enum { NAMES_BYTES = 256 };

static void refuse(struct tr_exchange *exchange, const char *name)
{
    tr_auto(text) struct tr_text names;
    tr_text_init(&names, NAMES_BYTES);
    size_t count;
    const struct tr_dialect *const *dialects = tr_dialects(&count);
    for (size_t i = 0; i < count; i++) {
        tr_text_add_string(&names, i == 0 ? "" : ", ");
        tr_text_add_string(&names, dialects[i]->name);
    }
    tr_answer_problem(exchange, TR_BAD_REQUEST,
                      "Query parameter 'format' must be one of: %s; not '%s'",
                      tr_text_string(&names), name);
}

const struct tr_dialect *tr_route_format(struct tr_exchange *exchange)
{
    const char *name = tr_exchange_query(exchange, "format");
    if (name == NULL || *name == '\0') {
        size_t count;
        return tr_dialects(&count)[0];
    }
    const struct tr_dialect *dialect = tr_dialect_find(name);
    if (dialect == NULL) {
        refuse(exchange, name);
    }
    return dialect;
}
