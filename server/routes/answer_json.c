#include "server/routes/answer_json.h"

#include "middleware/exchange.h"
#include "tools/core/json.h"

bool tr_answer_json(struct tr_exchange *exchange, json_t *value)
{
    if (value == NULL) {
        tr_answer_problem(exchange, TR_NO_MEMORY, NULL);
        return true;
    }
    tr_json_write(&exchange->answer.body, value);
    json_decref(value);
    tr_answer_ready(exchange, TR_OK, "application/json");
    return true;
}
