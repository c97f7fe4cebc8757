#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "server/config_parts.h"
#include "server/yaml.h"
#include "tools/core/place.h"
#include "tools/core/text.h"

/* "file:12", "file", or "command line" when there is no file. */
static void write_where(const struct tr_config *config, const char *pointer, struct tr_text *out)
{
    tr_text_add_string(out, config->path != NULL ? config->path : "command line");
    const size_t line = tr_yaml_line(config->marks, pointer);
    if (line != 0) {
        tr_text_printf(out, ":%zu", line);
    }
}

static bool is_index(const char *token, size_t length)
{
    return length != 0 && strspn(token, "0123456789") >= length;
}

static void write_key(const char *token, size_t length, struct tr_text *out)
{
    for (size_t i = 0; i < length; i++) {
        if (token[i] == '~' && i + 1 < length) {
            i++;
            tr_text_add_char(out, token[i] == '1' ? '/' : '~');
        } else {
            tr_text_add_char(out, (unsigned char)token[i] < ' ' ? '?' : token[i]);
        }
    }
}

/* "/auth/keys/0/name" as "auth.keys[0].name". */
static void write_name(const char *pointer, struct tr_text *out)
{
    while (*pointer == '/') {
        const char *token = pointer + 1;
        const size_t length = strcspn(token, "/");
        if (is_index(token, length)) {
            tr_text_printf(out, "[%.*s]", (int)length, token);
        } else {
            tr_text_add_string(out, out->length != 0 ? "." : "");
            write_key(token, length, out);
        }
        pointer = token + length;
    }
}

static enum tr_status refuse(const struct tr_config *config, const char *pointer,
                             const char *reason, struct tr_fault *reterr)
{
    tr_auto(text) struct tr_text where = { 0 };
    tr_auto(text) struct tr_text name = { 0 };
    tr_text_init(&where, TR_FAULT_WHERE_BYTES);
    tr_text_init(&name, TR_FAULT_WHERE_BYTES);
    write_where(config, pointer, &where);
    write_name(pointer, &name);
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, tr_text_string(&where), "%s%s%s",
                     tr_text_string(&name), name.length != 0 ? ": " : "", reason);
}

enum tr_status tr_config_refuse(const struct tr_config_loading *loading, const char *pointer,
                                const char *format, ...)
{
    char reason[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    return refuse(loading->config, pointer, reason, loading->reterr);
}

void tr_config_blame(const struct tr_config *config, const struct tr_place *place,
                     struct tr_fault *fault)
{
    if (config->path == NULL) {
        return;
    }
    char reason[TR_FAULT_WHERE_BYTES + sizeof(": ") + TR_FAULT_WHAT_BYTES];
    (void)snprintf(reason, sizeof(reason), "%s%s%s", fault->where,
                   fault->where[0] != '\0' ? ": " : "", fault->what);
    tr_auto(text) struct tr_text pointer;
    tr_text_init(&pointer, TR_FAULT_WHERE_BYTES);
    tr_place_write_pointer(place, &pointer);
    (void)refuse(config, tr_text_string(&pointer), reason, fault);
}

enum tr_status tr_config_refuse_memory(const struct tr_config_loading *loading)
{
    const char *path = loading->source->path;
    return tr_refuse(TR_NO_MEMORY, loading->reterr, path != NULL ? path : "command line",
                     "Out of memory");
}
