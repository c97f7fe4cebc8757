#include "tools/base/http_head.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* False when the line is no field. */
static bool read_field(const char *line, size_t length, struct tr_header_field *ret_field)
{
    const char *colon = memchr(line, ':', length);
    if (colon == NULL || colon == line || is_blank(*line) || is_blank(colon[-1])) {
        return false;
    }
    const char *value = colon + 1;
    const char *end = line + length;
    while (value < end && is_blank(*value)) {
        value++;
    }
    while (end > value && is_blank(end[-1])) {
        end--;
    }
    *ret_field = (struct tr_header_field){
        .name = line,
        .name_length = (size_t)(colon - line),
        .value = value,
        .value_length = (size_t)(end - value),
    };
    return true;
}

bool tr_http_head_next(const char **at, struct tr_header_field *ret_field)
{
    while (**at != '\0') {
        const char *line = *at;
        const size_t length = strcspn(line, "\n");
        *at = line + length + (line[length] == '\n' ? 1 : 0);
        if (read_field(line, length, ret_field)) {
            return true;
        }
    }
    return false;
}

const char *tr_http_head_find(const char *head, const char *name, size_t *ret_length)
{
    struct tr_header_field field;
    while (tr_http_head_next(&head, &field)) {
        if (field.name_length == strlen(name)
            && strncasecmp(field.name, name, field.name_length) == 0) {
            *ret_length = field.value_length;
            return field.value;
        }
    }
    return NULL;
}
