#include "openapi/curl_line.h"

#include "openapi/dialect.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"
#include "tools/core/text.h"

enum { LINE_BYTES = 1024 * 1024 };

/* In single quotes, inside of which a POSIX shell obeys nothing. */
static void add_quoted(struct tr_text *line, const char *text)
{
    tr_text_add_char(line, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            tr_text_add_string(line, "'\\''");
        } else {
            tr_text_add_char(line, *text);
        }
    }
    tr_text_add_char(line, '\'');
}

static void add_url(struct tr_text *line, const struct tr_subject *subject)
{
    tr_auto(text) struct tr_text url;
    tr_text_init(&url, LINE_BYTES);
    tr_text_add_string(&url, subject->base_url);
    tr_text_add_string(&url, "/tools/");
    tr_text_add_string(&url, subject->entry->tool->name);
    add_quoted(line, tr_text_string(&url));
    if (url.status != TR_OK) {
        line->status = url.status;
    }
}

static void add_body(struct tr_text *line, const json_t *parameters)
{
    tr_auto(text) struct tr_text body;
    tr_text_init(&body, LINE_BYTES);
    tr_json_write(&body, parameters);
    add_quoted(line, tr_text_string(&body));
    if (body.status != TR_OK) {
        line->status = body.status;
    }
}

json_t *tr_curl_line(const struct tr_subject *subject, const json_t *parameters)
{
    tr_auto(text) struct tr_text line;
    tr_text_init(&line, LINE_BYTES);
    tr_text_add_string(&line, "curl -sS ");
    add_url(&line, subject);
    if (subject->needs_key) {
        tr_text_add_string(&line, " -H \"X-API-Key: $TOOLREST_KEY\"");
    }
    tr_text_add_string(&line, " -H 'Content-Type: application/json' -d ");
    add_body(&line, parameters);
    return line.status == TR_OK ? json_string(tr_text_string(&line)) : NULL;
}
