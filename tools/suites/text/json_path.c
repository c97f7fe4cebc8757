#include "tools/suites/text/json_path.h"

#include <string.h>

#include "tools/core/call.h"
#include "tools/core/number.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

enum {
    LISTED_MEMBERS = 10,    /* in an error text */
    LISTED_NAME_BYTES = 40, /* of each */
    MESSAGE_BYTES = 1024,
    POINTER_BYTES = 16 * 1024,
};

/* ---- reading a query ---- */

static bool add_step(struct tr_json_path *path, struct tr_json_step step)
{
    if (path->count == TR_JSON_PATH_STEPS) {
        return false;
    }
    path->steps[path->count++] = step;
    return true;
}

/* RFC 6901 section 4: "~1" is '/', "~0" is '~', any other '~' is an error. */
static bool unescape(char *token, size_t *length)
{
    size_t to = 0;
    for (size_t from = 0; from < *length; from++) {
        char byte = token[from];
        if (byte == '~') {
            from++;
            if (from == *length || (token[from] != '0' && token[from] != '1')) {
                return false;
            }
            byte = token[from] == '0' ? '~' : '/';
        }
        token[to++] = byte;
    }
    *length = to;
    return true;
}

static const char too_long[] = "The query has more than 64 steps";

static const char *read_pointer(struct tr_call *call, struct tr_json_path *path)
{
    const char *query = path->query;
    for (size_t at = 0; query[at] == '/';) {
        at++;
        size_t length = strcspn(query + at, "/");
        const size_t end = at + length;
        char *token = tr_alloc(call, length + 1, 1);
        if (token == NULL) {
            return "The call's memory is used up";
        }
        memcpy(token, query + at, length);
        if (!unescape(token, &length)) {
            return "In a JSON Pointer '~' must be written ~0 and a '/' inside of a name ~1";
        }
        if (!add_step(path, (struct tr_json_step){ .name = token, .length = length, .end = end })) {
            return too_long;
        }
        at = end;
    }
    return NULL;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* "[12]" at `at`; gives its length, 0 when it is none. */
static size_t index_length(const char *at)
{
    size_t length = 1;
    while (is_digit(at[length])) {
        length++;
    }
    return length > 1 && at[length] == ']' ? length + 1 : 0;
}

/* One step of a dotted path; *at moves behind it. */
static const char *read_dotted_step(struct tr_json_path *path, size_t *at)
{
    const char *query = path->query;
    struct tr_json_step step = { .is_index = query[*at] == '[' };
    if (step.is_index) {
        const size_t length = index_length(query + *at);
        if (length == 0) {
            return "In a path '[' is followed by an index and ']', as in a[0]; a name with dots or "
                   "brackets needs a JSON Pointer, as in /a.b/c";
        }
        step.name = query + *at + 1;
        step.length = length - 2;
        *at += length;
    } else if (*at != 0 && query[*at] != '.') {
        return "Behind ']' a path goes on with '.' or '['";
    } else {
        *at += query[*at] == '.';
        step.name = query + *at;
        step.length = strcspn(step.name, ".[");
        *at += step.length;
        if (step.length == 0) {
            return "The path has an empty step; an empty name needs a JSON Pointer, as in /a//b";
        }
    }
    step.end = *at;
    return add_step(path, step) ? NULL : too_long;
}

/* A '$' in front, as JSONPath has it, is the document itself. */
static const char *read_dotted(struct tr_json_path *path)
{
    const char *query = path->query;
    size_t at = query[0] == '$' && (query[1] == '\0' || strchr(".[", query[1]) != NULL) ? 1 : 0;
    if (at == 0 && query[0] == '.') {
        return "A path begins with a name, as in a.b, and a JSON Pointer with '/'";
    }
    while (query[at] != '\0') {
        const char *reason = read_dotted_step(path, &at);
        if (reason != NULL) {
            return reason;
        }
    }
    return NULL;
}

enum tr_status tr_json_path_read(struct tr_call *call, const char *query,
                                 struct tr_json_path *ret_path, const char **ret_reason)
{
    *ret_path = (struct tr_json_path){ .query = query };
    *ret_reason = query[0] == '/' ? read_pointer(call, ret_path) : read_dotted(ret_path);
    return *ret_reason == NULL ? TR_OK : TR_INVALID_PARAMETERS;
}

/* ---- walking ---- */

const char *tr_json_type_name(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    case JSON_STRING: return "string";
    case JSON_INTEGER: return "integer";
    case JSON_REAL: return "number";
    case JSON_TRUE:
    case JSON_FALSE: return "boolean";
    case JSON_NULL: return "null";
    }
    return "nothing";
}

static void add_clipped(struct tr_text *out, const char *name, size_t length)
{
    if (length <= LISTED_NAME_BYTES) {
        tr_text_add(out, name, length);
        return;
    }
    tr_text_add(out, name, tr_utf8_cut(name, LISTED_NAME_BYTES));
    tr_text_add_string(out, "...");
}

/* " (it has: y, z)" */
static void add_members(struct tr_text *out, json_t *object)
{
    if (json_object_size(object) == 0) {
        tr_text_add_string(out, " (it is empty)");
        return;
    }
    tr_text_add_string(out, " (it has: ");
    size_t listed = 0;
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (object, key, value) {
        if (listed == LISTED_MEMBERS) {
            tr_text_add_string(out, " and ");
            tr_text_add_integer(out, (int64_t)(json_object_size(object) - listed));
            tr_text_add_string(out, " more");
            break;
        }
        tr_text_add_string(out, listed++ != 0 ? ", " : "");
        add_clipped(out, key, strlen(key));
    }
    tr_text_add_char(out, ')');
}

/* "'a.b'", what the query says up to the step before `step`. */
static void add_place(struct tr_text *out, const struct tr_json_path *path, size_t step)
{
    if (step == 0) {
        tr_text_add_string(out, "the root of the document");
        return;
    }
    tr_text_add_char(out, '\'');
    tr_text_add(out, path->query, path->steps[step - 1].end);
    tr_text_add_char(out, '\'');
}

static bool is_array_index(const struct tr_json_step *step)
{
    const bool has_leading_zero = step->length > 1 && step->name[0] == '0';
    return !has_leading_zero && is_digit(step->name[0]);
}

/* What is at fault at `step`, seen from `value`, where it starts. */
static void explain(struct tr_text *out, const struct tr_json_path *path, size_t step,
                    json_t *value)
{
    const struct tr_json_step *wanted = &path->steps[step];
    const char *kind = wanted->is_index || json_is_array(value) ? "item" : "member";
    tr_text_add_string(out, "No ");
    tr_text_add_string(out, kind);
    tr_text_add_string(out, " '");
    add_clipped(out, wanted->name, wanted->length);
    tr_text_add_string(out, "' at ");
    add_place(out, path, step);
    if (json_is_object(value)) {
        if (wanted->is_index) {
            tr_text_add_string(out, " (it is an object, which has names)");
        } else {
            add_members(out, value);
        }
    } else if (json_is_array(value)) {
        tr_text_add_string(out, " (it is an array with ");
        tr_text_add_integer(out, (int64_t)json_array_size(value));
        tr_text_add_string(out, " items, counted from 0)");
    } else {
        tr_text_add_string(out, " (it is ");
        tr_text_add_string(out, json_is_null(value) ? "null" : "of type ");
        tr_text_add_string(out, json_is_null(value) ? "" : tr_json_type_name(value));
        tr_text_add_string(out, " and has nothing below it)");
    }
}

static json_t *take_step(const struct tr_json_step *step, json_t *value)
{
    if (json_is_object(value)) {
        return step->is_index ? NULL : json_object_getn(value, step->name, step->length);
    }
    int64_t index = 0;
    if (!json_is_array(value) || !is_array_index(step)
        || !tr_parse_int64(step->name, step->length, &index)) {
        return NULL;
    }
    return json_array_get(value, (size_t)index);
}

enum tr_status tr_json_path_walk(struct tr_call *call, const struct tr_json_path *path,
                                 json_t *document, json_t **ret_value)
{
    json_t *value = document;
    for (size_t i = 0; i < path->count; i++) {
        json_t *next = take_step(&path->steps[i], value);
        if (next == NULL) {
            tr_auto(text) struct tr_text message;
            tr_text_init(&message, MESSAGE_BYTES);
            explain(&message, path, i, value);
            return tr_fail(call, "%s", tr_text_string(&message));
        }
        value = next;
    }
    *ret_value = value;
    return TR_OK;
}

const char *tr_json_path_pointer(struct tr_call *call, const struct tr_json_path *path)
{
    tr_auto(text) struct tr_text pointer;
    tr_text_init(&pointer, POINTER_BYTES);
    for (size_t i = 0; i < path->count; i++) {
        const struct tr_json_step *step = &path->steps[i];
        tr_text_add_char(&pointer, '/');
        for (size_t at = 0; at < step->length; at++) {
            switch (step->name[at]) {
            case '~': tr_text_add_string(&pointer, "~0"); break;
            case '/': tr_text_add_string(&pointer, "~1"); break;
            default: tr_text_add_char(&pointer, step->name[at]); break;
            }
        }
    }
    return pointer.status == TR_OK ? tr_printf(call, "%s", tr_text_string(&pointer)) : NULL;
}
