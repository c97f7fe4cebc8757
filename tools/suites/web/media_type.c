#include "tools/suites/web/media_type.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "tools/core/descriptor.h"

static const struct {
    const char *name;
    enum tr_media_kind kind;
} known[] = {
    { "application/ecmascript", TR_MEDIA_TEXT },
    { "application/javascript", TR_MEDIA_TEXT },
    { "application/json", TR_MEDIA_JSON },
    { "application/octet-stream", TR_MEDIA_UNKNOWN },
    { "application/sql", TR_MEDIA_TEXT },
    { "application/toml", TR_MEDIA_TEXT },
    { "application/x-javascript", TR_MEDIA_TEXT },
    { "application/x-ndjson", TR_MEDIA_TEXT },
    { "application/x-sh", TR_MEDIA_TEXT },
    { "application/x-www-form-urlencoded", TR_MEDIA_TEXT },
    { "application/x-yaml", TR_MEDIA_TEXT },
    { "application/xhtml+xml", TR_MEDIA_HTML },
    { "application/xml", TR_MEDIA_TEXT },
    { "application/yaml", TR_MEDIA_TEXT },
    { "text/html", TR_MEDIA_HTML },
    { "text/json", TR_MEDIA_JSON },
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    const size_t end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static enum tr_media_kind kind_of(const char *name)
{
    for (size_t i = 0; i < TR_COUNT_OF(known); i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i].kind;
        }
    }
    if (ends_with(name, "+json")) {
        return TR_MEDIA_JSON;
    }
    const bool is_text =
        strncmp(name, "text/", 5) == 0 || ends_with(name, "+xml") || ends_with(name, "+yaml");
    return is_text ? TR_MEDIA_TEXT : TR_MEDIA_BINARY;
}

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Names have a limited alphabet, which keeps them fit for an error text. */
static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')
           || (byte != '\0' && strchr("/!#$&-^_.+", byte) != NULL);
}

static bool copy_name(char room[TR_MEDIA_NAME_BYTES], const char *text, size_t length)
{
    if (length >= TR_MEDIA_NAME_BYTES) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        room[i] = lower(text[i]);
        if (!is_name_byte(room[i])) {
            return false;
        }
    }
    room[length] = '\0';
    const char *slash = strchr(room, '/');
    return slash != NULL && slash != room && slash[1] != '\0' && strchr(slash + 1, '/') == NULL;
}

/* The value of a parameter, which ends at `end`; quotes around it are no part of it. */
static void copy_charset(char room[TR_MEDIA_CHARSET_BYTES], const char *value, const char *end)
{
    size_t length = (size_t)(end - value);
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value++;
        length -= 2;
    }
    if (length < TR_MEDIA_CHARSET_BYTES) {
        memcpy(room, value, length);
        room[length] = '\0';
    }
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

static const char *trim_end(const char *start, const char *end)
{
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    return end;
}

struct tr_media_type tr_media_type_read(const char *content_type)
{
    static const char charset[] = "charset=";
    struct tr_media_type type = { .kind = TR_MEDIA_UNKNOWN };
    if (content_type == NULL) {
        return type;
    }
    const char *start = skip_spaces(content_type);
    const char *end = start + strcspn(start, ";");
    if (!copy_name(type.name, start, (size_t)(trim_end(start, end) - start))) {
        return (struct tr_media_type){ .kind = TR_MEDIA_UNKNOWN };
    }
    type.kind = kind_of(type.name);
    while (*end == ';' && type.charset[0] == '\0') {
        start = skip_spaces(end + 1);
        end = start + strcspn(start, ";");
        if (strncasecmp(start, charset, sizeof(charset) - 1) == 0) {
            copy_charset(type.charset, start + sizeof(charset) - 1, trim_end(start, end));
        }
    }
    return type;
}
