#include "tools/suites/web/foreign.h"

#include <string.h>

#include "tools/core/call.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"
#include "tools/suites/web/charset.h"
#include "tools/suites/web/prose.h"

enum { UTF8_GROWTH = 3 }; /* no byte of any encoding becomes more bytes of UTF-8 */

static const char *keep(struct tr_call *call, const struct tr_text *text)
{
    return text->status == TR_OK
               ? tr_arena_strndup(&call->arena, tr_text_string(text), text->length)
               : NULL;
}

const char *tr_foreign_line(struct tr_call *call, const json_t *text, size_t max_bytes)
{
    const char *bytes = json_string_value(text);
    const size_t length = json_string_length(text);
    tr_auto(prose) struct tr_prose line;
    tr_prose_init(&line, max_bytes);
    if (bytes != NULL) {
        tr_prose_add(&line, bytes, length <= max_bytes ? length : tr_utf8_cut(bytes, max_bytes));
    }
    return keep(call, &line.text);
}

enum tr_status tr_foreign_text(struct tr_call *call, const char *bytes, size_t length,
                               const char *charset, const char **ret_text)
{
    const struct tr_charset_clues clues = { .label = charset };
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, UTF8_GROWTH * length);
    TR_TRY(tr_charset_decode(&text, bytes, length, tr_charset_find(bytes, length, &clues)));
    *ret_text = keep(call, &text);
    return *ret_text != NULL ? TR_OK : tr_arena_status(&call->arena);
}
