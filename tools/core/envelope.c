#include "tools/core/envelope.h"

#include <string.h>

#include "tools/core/json.h"
#include "tools/core/report.h"
#include "tools/core/text.h"

static void add_string(struct tr_text *out, const char *prefix, const char *string)
{
    tr_text_add_string(out, prefix);
    if (string == NULL) {
        tr_text_add_string(out, "null");
        return;
    }
    tr_json_write_string(out, string, strlen(string));
}

/* Milliseconds with three decimals, without the cost of a general number format. */
static void add_milliseconds(struct tr_text *out, int64_t duration_ns)
{
    const int64_t us = duration_ns > 0 ? duration_ns / 1000 : 0;
    const int fraction = (int)(us % 1000);
    const char digits[] = {
        '.',
        (char)('0' + fraction / 100),
        (char)('0' + fraction / 10 % 10),
        (char)('0' + fraction % 10),
    };
    tr_text_add_integer(out, us / 1000);
    tr_text_add(out, digits, sizeof(digits));
}

/* One member of the metadata; `*separator` is "{" before the first one. */
static void add_list(struct tr_text *out, const char **separator, const char *name,
                     const struct tr_strings *list)
{
    if (list->count == 0) {
        return;
    }
    tr_text_add_string(out, *separator);
    tr_text_add_string(out, name);
    for (size_t i = 0; i < list->count; i++) {
        add_string(out, i == 0 ? ":[" : ",", list->items[i]);
    }
    tr_text_add_char(out, ']');
    *separator = ",";
}

static void add_flag(struct tr_text *out, const char **separator, const char *name, bool is_set)
{
    if (is_set) {
        tr_text_add_string(out, *separator);
        tr_text_add_string(out, name);
        tr_text_add_string(out, ":true");
        *separator = ",";
    }
}

static void add_metadata(struct tr_text *out, const struct tr_report *report)
{
    const char *separator = "{";
    tr_text_add_string(out, ",\"metadata\":");
    add_list(out, &separator, "\"coerced\"", &report->coerced);
    add_list(out, &separator, "\"renamed\"", &report->renamed);
    add_list(out, &separator, "\"ignored\"", &report->ignored);
    add_list(out, &separator, "\"warnings\"", &report->warnings);
    add_flag(out, &separator, "\"truncated\"", report->is_truncated);
    add_flag(out, &separator, "\"incomplete\"", report->is_incomplete);
    tr_text_add_char(out, '}');
}

void tr_envelope_write(struct tr_text *out, const struct tr_envelope *envelope)
{
    tr_text_add_string(out, envelope->is_success ? "{\"success\":true,\"result\":"
                                                 : "{\"success\":false,\"result\":");
    if (envelope->result != NULL) {
        tr_text_add(out, envelope->result, envelope->result_length);
    } else {
        tr_text_add_string(out, "null");
    }
    add_string(out, ",\"error\":", envelope->error);
    add_string(out, ",\"id\":", envelope->id);
    add_string(out, ",\"name\":", envelope->name);
    tr_text_add_string(out, ",\"execution_time_ms\":");
    add_milliseconds(out, envelope->duration_ns);
    if (envelope->report != NULL && tr_report_any(envelope->report)) {
        add_metadata(out, envelope->report);
    }
    tr_text_add_char(out, '}');
}
