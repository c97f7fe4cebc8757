/* GET /problems/{code} - what the `type` of a problem document leads to. */
#include "openapi/build.h"
#include "server/route.h"
#include "server/routes/answer_json.h"
#include "tools/core/status.h"

static bool is_problem(enum tr_status status)
{
    return tr_status_info(status)->http >= 400;
}

bool tr_route_problem(struct tr_app *app, struct tr_exchange *exchange, struct tr_pending *pending)
{
    (void)app;
    (void)pending;
    const char *code = tr_route_argument(exchange);
    enum tr_status status = TR_OK;
    if (!tr_status_from_code(code, &status) || !is_problem(status)) {
        tr_answer_problem(exchange, TR_NOT_FOUND, "There is no error code '%s'", code);
        return true;
    }
    const struct tr_status_info *info = tr_status_info(status);
    json_t *out = json_object();
    tr_build_put(&out, "type", tr_build_printf("/problems/%s", info->code));
    tr_build_put_text(&out, "title", info->title);
    tr_build_put_integer(&out, "status", info->http);
    tr_build_put_text(&out, "code", info->code);
    tr_build_put_text(&out, "advice", info->advice);
    tr_build_put_bool(&out, "retryable", info->retryable);
    return tr_answer_json(exchange, out);
}
