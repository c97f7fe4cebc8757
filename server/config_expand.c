#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/config_parts.h"
#include "server/file.h"
#include "tools/core/place.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

/* A text with everything that was put into it; far above any sensible secret or certificate. */
enum { MAX_EXPANDED_BYTES = 64 * 1024, MAX_PATH_BYTES = 4095 };

static const char file_prefix[] = "file:";

struct expansion {
    const struct tr_config_loading *loading;
    const struct tr_place *place; /* of the text that is expanded */
    struct tr_text out;
};

static inline void tr_expansion_drop(struct expansion *expansion)
{
    tr_text_done(&expansion->out);
}

TR_PRINTF(2, 3)
static enum tr_status refuse(const struct expansion *expansion, const char *format, ...)
{
    char reason[TR_FAULT_WHAT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    tr_auto(text) struct tr_text pointer = { 0 };
    tr_text_init(&pointer, TR_FAULT_WHERE_BYTES);
    tr_place_write_pointer(expansion->place, &pointer);
    return tr_config_refuse(expansion->loading, tr_text_string(&pointer), "%s", reason);
}

/* [A-Za-z_][A-Za-z0-9_]*: other names cannot be set by a shell, so they are slips of the pen. */
static bool is_variable_name(const char *name)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789_");
    return length != 0 && name[length] == '\0' && !(*name >= '0' && *name <= '9');
}

static enum tr_status put_variable(struct expansion *expansion, const char *name)
{
    if (!is_variable_name(name)) {
        return refuse(expansion, "has a ${...} that is neither ${VARIABLE} nor ${file:PATH} "
                                 "(write $${ for a plain ${)");
    }
    const char *value = getenv(name);
    if (value == NULL) {
        return refuse(expansion, "needs the environment variable %s, which is not set", name);
    }
    tr_text_add_string(&expansion->out, value);
    return TR_OK;
}

/* Editors end a file with a newline that is no part of a secret. */
static void cut_newline(struct tr_text *text, size_t start)
{
    if (text->length > start && text->bytes[text->length - 1] == '\n') {
        tr_text_cut(text, text->length - 1);
    }
}

static enum tr_status put_file(struct expansion *expansion, const char *path)
{
    char full[2 * (MAX_PATH_BYTES + 1)];
    const char *folder = *path == '/' ? "" : expansion->loading->folder;
    if (*path == '\0' || snprintf(full, sizeof(full), "%s%s", folder, path) >= (int)sizeof(full)) {
        return refuse(expansion, "has a ${file:PATH} without a usable path");
    }
    const size_t start = expansion->out.length;
    struct tr_fault fault = { .where = "" };
    const enum tr_status status = tr_file_read(full, &expansion->out, &fault);
    if (status == TR_NO_MEMORY) {
        return tr_config_refuse_memory(expansion->loading);
    }
    if (status != TR_OK) {
        return refuse(expansion, "%s", fault.what);
    }
    cut_newline(&expansion->out, start);
    return TR_OK;
}

/* `*text` stands at "${"; on success behind the "}". */
static enum tr_status put_reference(struct expansion *expansion, const char **text)
{
    char name[MAX_PATH_BYTES + sizeof(file_prefix)];
    const char *start = *text + 2;
    const size_t length = strcspn(start, "}");
    if (start[length] != '}' || length >= sizeof(name)) {
        return refuse(expansion, "has a ${ without its } (write $${ for a plain ${)");
    }
    memcpy(name, start, length);
    name[length] = '\0';
    *text = start + length + 1;
    if (strncmp(name, file_prefix, sizeof(file_prefix) - 1) == 0) {
        return put_file(expansion, name + sizeof(file_prefix) - 1);
    }
    return put_variable(expansion, name);
}

static enum tr_status expand_all(struct expansion *expansion, const char *text)
{
    while (*text != '\0') {
        const size_t plain = strcspn(text, "$");
        tr_text_add(&expansion->out, text, plain);
        text += plain;
        if (strncmp(text, "${", 2) == 0) {
            TR_TRY(put_reference(expansion, &text));
        } else if (strncmp(text, "$${", 3) == 0) {
            tr_text_add_string(&expansion->out, "${");
            text += 3;
        } else if (*text == '$') {
            tr_text_add_char(&expansion->out, '$');
            text++;
        }
    }
    return TR_OK;
}

static bool is_utf8(const char *bytes, size_t length)
{
    while (length != 0) {
        const size_t step = tr_utf8_next(bytes, length, NULL);
        if (step == 0) {
            return false;
        }
        bytes += step;
        length -= step;
    }
    return true;
}

static enum tr_status store(const struct expansion *expansion, json_t *string)
{
    const struct tr_text *out = &expansion->out;
    if (out->status == TR_BODY_TOO_LARGE) {
        return refuse(expansion, "is longer than 64 KiB once it is expanded");
    }
    const char *text = tr_text_string(out);
    if (!is_utf8(text, out->length) || memchr(text, '\0', out->length) != NULL) {
        return refuse(expansion, "is not UTF-8 text once it is expanded");
    }
    if (out->status == TR_OK && json_string_setn(string, text, out->length) == 0) {
        return TR_OK;
    }
    return tr_config_refuse_memory(expansion->loading);
}

static enum tr_status expand_string(const struct tr_config_loading *loading, json_t *string,
                                    const struct tr_place *place)
{
    const char *text = json_string_value(string);
    if (strstr(text, "${") == NULL) {
        return TR_OK;
    }
    tr_auto(expansion) struct expansion expansion = { .loading = loading, .place = place };
    tr_text_init(&expansion.out, MAX_EXPANDED_BYTES);
    TR_TRY(expand_all(&expansion, text));
    return store(&expansion, string);
}

static enum tr_status expand(const struct tr_config_loading *loading, json_t *value,
                             const struct tr_place *place)
{
    if (json_is_string(value)) {
        return expand_string(loading, value, place);
    }
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach (value, key, member) {
        const struct tr_place below = { .parent = place, .key = key };
        TR_TRY(expand(loading, member, &below));
    }
    size_t index = 0;
    json_array_foreach (value, index, member) {
        const struct tr_place below = { .parent = place, .index = index };
        TR_TRY(expand(loading, member, &below));
    }
    return TR_OK;
}

enum tr_status tr_config_expand(const struct tr_config_loading *loading, json_t *value)
{
    const struct tr_place root = { .parent = NULL };
    return expand(loading, value, &root);
}
