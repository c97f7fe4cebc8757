#include "tools/core/problem.h"

#include <string.h>

#include "tools/core/json.h"
#include "tools/core/text.h"
#include "tools/core/violation.h"

static void add_member(struct tr_text *out, const char *prefix, const char *string)
{
    tr_text_add_string(out, prefix);
    tr_json_write_string(out, string, strlen(string));
}

static void add_violations(struct tr_text *out, const struct tr_violations *violations)
{
    tr_text_add_string(out, ",\"violations\":[");
    for (size_t i = 0; i < violations->count; i++) {
        const struct tr_violation *violation = &violations->items[i];
        add_member(out, i == 0 ? "{\"pointer\":" : ",{\"pointer\":", violation->pointer);
        add_member(out, ",\"code\":", violation->code);
        add_member(out, ",\"message\":", violation->message);
        tr_text_add_char(out, '}');
    }
    tr_text_add_char(out, ']');
    if (violations->dropped != 0) {
        tr_text_add_string(out, ",\"violations_omitted\":");
        tr_text_add_integer(out, (int64_t)violations->dropped);
    }
}

void tr_problem_write(struct tr_text *out, enum tr_status status, const char *detail,
                      const struct tr_violations *violations, const char *request_id)
{
    const struct tr_status_info *info = tr_status_info(status);
    const char *reason = detail != NULL && *detail != '\0' ? detail : info->title;
    tr_text_add_string(out, "{\"type\":\"/problems/");
    tr_text_add_string(out, info->code);
    add_member(out, "\",\"title\":", info->title);
    tr_text_add_string(out, ",\"status\":");
    tr_text_add_integer(out, info->http);
    add_member(out, ",\"detail\":", reason);
    add_member(out, ",\"code\":", info->code);
    add_member(out, ",\"success\":false,\"error\":", reason);
    if (violations != NULL && violations->count != 0) {
        add_violations(out, violations);
    }
    tr_text_add_string(out, info->retryable ? ",\"retryable\":true" : ",\"retryable\":false");
    if (request_id != NULL) {
        add_member(out, ",\"request_id\":", request_id);
    }
    tr_text_add_char(out, '}');
}
