#include "server/yaml.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <yaml.h>

#include "tools/core/arena.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"

/* The same tree as the document's, without the values. Items of a list have no key and are found by
 * position. */
struct tr_yaml_marks {
    const char *key;
    size_t line;
    struct tr_yaml_marks *first_child, *last_child, *next;
};

struct reader {
    yaml_parser_t *parser;
    const struct tr_yaml_source *source;
    struct tr_arena *arena;
    size_t depth;
    struct tr_fault *reterr;
};

static inline void tr_yaml_parser_drop(yaml_parser_t *parser)
{
    yaml_parser_delete(parser);
}

static inline void tr_yaml_event_drop(yaml_event_t *event)
{
    yaml_event_delete(event);
}

/* ---- refusing ---- */

static size_t line_of_mark(const yaml_mark_t *mark)
{
    return mark->line + 1;
}

static size_t line_of_offset(const struct reader *reader, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < reader->source->length; i++) {
        if (reader->source->bytes[i] == '\n') {
            line++;
        }
    }
    return line;
}

/* libyaml says where its reader stood in bytes, and where its parser stood in lines; at the end of
 * the text that may be one line further than there are lines. */
static size_t line_of_problem(const struct reader *reader)
{
    const yaml_parser_t *parser = reader->parser;
    if (parser->error == YAML_READER_ERROR) {
        return line_of_offset(reader, parser->problem_offset);
    }
    const size_t line = line_of_mark(&parser->problem_mark);
    const size_t last = line_of_offset(reader, reader->source->length);
    return line < last ? line : last;
}

static enum tr_status refuse(struct reader *reader, size_t line, const char *reason)
{
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "%s:%zu", reader->source->name, line);
    return tr_refuse(TR_INVALID_PARAMETERS, reader->reterr, where, "%s", reason);
}

static enum tr_status refuse_memory(struct reader *reader)
{
    return tr_refuse(TR_NO_MEMORY, reader->reterr, reader->source->name, "Out of memory");
}

/* libyaml's own complaint. Its texts are constants, so none of them repeats a value. */
static enum tr_status refuse_syntax(struct reader *reader)
{
    const yaml_parser_t *parser = reader->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        return refuse_memory(reader);
    }
    const size_t line = line_of_problem(reader);
    char reason[TR_FAULT_WHAT_BYTES];
    (void)snprintf(reason, sizeof(reason), "Not valid YAML: %s",
                   parser->problem != NULL ? parser->problem : "unknown reason");
    return refuse(reader, line, reason);
}

/* ---- marks ---- */

/* Append a child to `parent`; NULL when out of memory. */
static struct tr_yaml_marks *mark_add(struct reader *reader, struct tr_yaml_marks *parent,
                                      const char *key, size_t line)
{
    struct tr_yaml_marks *child = TR_NEW(reader->arena, struct tr_yaml_marks, 1);
    if (child == NULL) {
        return NULL;
    }
    child->key = key;
    child->line = line;
    if (parent->last_child != NULL) {
        parent->last_child->next = child;
    } else {
        parent->first_child = child;
    }
    parent->last_child = child;
    return child;
}

/* Does the escaped reference token (RFC 6901) of `length` bytes spell `key`? */
static bool token_is(const char *token, size_t length, const char *key)
{
    for (size_t i = 0; i < length; i++, key++) {
        char byte = token[i];
        if (byte == '~' && i + 1 < length) {
            i++;
            byte = token[i] == '1' ? '/' : '~';
        }
        if (*key != byte) {
            return false;
        }
    }
    return *key == '\0';
}

static const struct tr_yaml_marks *mark_find(const struct tr_yaml_marks *parent, const char *token,
                                             size_t length)
{
    size_t index = 0;
    for (const struct tr_yaml_marks *child = parent->first_child; child != NULL;
         child = child->next) {
        char position[24];
        (void)snprintf(position, sizeof(position), "%zu", index++);
        if (token_is(token, length, child->key != NULL ? child->key : position)) {
            return child;
        }
    }
    return NULL;
}

size_t tr_yaml_line(const struct tr_yaml_marks *marks, const char *pointer)
{
    if (marks == NULL) {
        return 0;
    }
    const struct tr_yaml_marks *deepest = marks;
    while (*pointer == '/') {
        const char *token = pointer + 1;
        const size_t length = strcspn(token, "/");
        const struct tr_yaml_marks *child = mark_find(deepest, token, length);
        if (child == NULL) {
            break;
        }
        deepest = child;
        pointer = token + length;
    }
    return deepest->line;
}

/* ---- reading ---- */

static enum tr_status next_event(struct reader *reader, yaml_event_t *ret_event)
{
    if (!yaml_parser_parse(reader->parser, ret_event)) {
        return refuse_syntax(reader);
    }
    return TR_OK;
}

static bool is_null(const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE
           && (*text == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

/* What YAML can say and JSON cannot. */
static enum tr_status check_features(struct reader *reader, const yaml_event_t *event)
{
    const size_t line = line_of_mark(&event->start_mark);
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT) {
        return refuse(reader, line, "Aliases (*name) are not supported: write the value out");
    }
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor != NULL) {
        return refuse(reader, line, "Anchors (&name) are not supported: write the value out");
    }
    if (tag != NULL) {
        return refuse(reader, line, "Tags (!name) are not supported: put quotes around the value");
    }
    return TR_OK;
}

static enum tr_status read_scalar(struct reader *reader, const yaml_event_t *event,
                                  json_t **ret_value)
{
    const char *text = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    if (memchr(text, '\0', length) != NULL) {
        return refuse(reader, line_of_mark(&event->start_mark), "A text must not hold a NUL");
    }
    *ret_value = is_null(event) ? json_null() : json_stringn(text, length);
    return *ret_value != NULL ? TR_OK : refuse_memory(reader);
}

static enum tr_status read_node(struct reader *reader, const yaml_event_t *event,
                                struct tr_yaml_marks *mark, json_t **ret_value);

static enum tr_status read_list(struct reader *reader, struct tr_yaml_marks *mark,
                                json_t **ret_value)
{
    json_auto_t *list = json_array();
    if (list == NULL) {
        return refuse_memory(reader);
    }
    for (;;) {
        tr_auto(yaml_event) yaml_event_t event = { 0 };
        TR_TRY(next_event(reader, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            *ret_value = tr_json_take(&list);
            return TR_OK;
        }
        struct tr_yaml_marks *child = mark_add(reader, mark, NULL, line_of_mark(&event.start_mark));
        if (child == NULL) {
            return refuse_memory(reader);
        }
        json_t *item = NULL;
        TR_TRY(read_node(reader, &event, child, &item));
        if (json_array_append_new(list, item) != 0) {
            return refuse_memory(reader);
        }
    }
}

/* A key may hold line breaks, and a refusal may not. */
static enum tr_status refuse_key(struct reader *reader, size_t line, const char *key)
{
    char reason[TR_FAULT_WHAT_BYTES];
    (void)snprintf(reason, sizeof(reason), "The key '%.64s' is there twice", key);
    for (char *byte = reason; *byte != '\0'; byte++) {
        if ((unsigned char)*byte < ' ') {
            *byte = '?';
        }
    }
    return refuse(reader, line, reason);
}

/* The key of a member, copied to the arena, not yet in `object`. */
static enum tr_status read_key(struct reader *reader, const yaml_event_t *event,
                               const json_t *object, const char **ret_key)
{
    const size_t line = line_of_mark(&event->start_mark);
    TR_TRY(check_features(reader, event));
    if (event->type != YAML_SCALAR_EVENT) {
        return refuse(reader, line, "A key must be a plain word or a text in quotes");
    }
    const char *text = (const char *)event->data.scalar.value;
    if (memchr(text, '\0', event->data.scalar.length) != NULL) {
        return refuse(reader, line, "A key must not hold a NUL");
    }
    if (json_object_get(object, text) != NULL) {
        return refuse_key(reader, line, text);
    }
    *ret_key = tr_arena_strndup(reader->arena, text, event->data.scalar.length);
    return *ret_key != NULL ? TR_OK : refuse_memory(reader);
}

static enum tr_status read_member(struct reader *reader, const yaml_event_t *key_event,
                                  struct tr_yaml_marks *mark, json_t *object)
{
    const char *key = NULL;
    TR_TRY(read_key(reader, key_event, object, &key));
    struct tr_yaml_marks *child = mark_add(reader, mark, key, line_of_mark(&key_event->start_mark));
    if (child == NULL) {
        return refuse_memory(reader);
    }
    tr_auto(yaml_event) yaml_event_t event = { 0 };
    TR_TRY(next_event(reader, &event));
    json_t *value = NULL;
    TR_TRY(read_node(reader, &event, child, &value));
    return json_object_set_new(object, key, value) == 0 ? TR_OK : refuse_memory(reader);
}

static enum tr_status read_mapping(struct reader *reader, struct tr_yaml_marks *mark,
                                   json_t **ret_value)
{
    json_auto_t *object = json_object();
    if (object == NULL) {
        return refuse_memory(reader);
    }
    for (;;) {
        tr_auto(yaml_event) yaml_event_t event = { 0 };
        TR_TRY(next_event(reader, &event));
        if (event.type == YAML_MAPPING_END_EVENT) {
            *ret_value = tr_json_take(&object);
            return TR_OK;
        }
        TR_TRY(read_member(reader, &event, mark, object));
    }
}

/* The value that starts with `event`, which the caller keeps. */
static enum tr_status read_node(struct reader *reader, const yaml_event_t *event,
                                struct tr_yaml_marks *mark, json_t **ret_value)
{
    TR_TRY(check_features(reader, event));
    if (event->type == YAML_SCALAR_EVENT) {
        return read_scalar(reader, event, ret_value);
    }
    if (reader->depth == TR_MAX_JSON_DEPTH) {
        return refuse(reader, line_of_mark(&event->start_mark),
                      "The document is nested too deeply");
    }
    reader->depth++;
    TR_TRY(event->type == YAML_SEQUENCE_START_EVENT ? read_list(reader, mark, ret_value)
                                                    : read_mapping(reader, mark, ret_value));
    reader->depth--;
    return TR_OK;
}

static enum tr_status expect_end(struct reader *reader)
{
    tr_auto(yaml_event) yaml_event_t document_end = { 0 };
    TR_TRY(next_event(reader, &document_end));
    tr_auto(yaml_event) yaml_event_t event = { 0 };
    TR_TRY(next_event(reader, &event));
    if (event.type != YAML_STREAM_END_EVENT) {
        return refuse(reader, line_of_mark(&event.start_mark), "A second document starts here");
    }
    return TR_OK;
}

/* The root's value, NULL when the stream holds no document. */
static enum tr_status read_stream(struct reader *reader, struct tr_yaml_marks *root,
                                  json_t **ret_value)
{
    tr_auto(yaml_event) yaml_event_t stream_start = { 0 };
    TR_TRY(next_event(reader, &stream_start));
    tr_auto(yaml_event) yaml_event_t document_start = { 0 };
    TR_TRY(next_event(reader, &document_start));
    if (document_start.type == YAML_STREAM_END_EVENT) {
        return TR_OK;
    }
    tr_auto(yaml_event) yaml_event_t event = { 0 };
    TR_TRY(next_event(reader, &event));
    root->line = line_of_mark(&event.start_mark);
    json_auto_t *value = NULL;
    TR_TRY(read_node(reader, &event, root, &value));
    TR_TRY(expect_end(reader));
    *ret_value = tr_json_take(&value);
    return TR_OK;
}

enum tr_status tr_yaml_parse(const struct tr_yaml_source *source, struct tr_arena *arena,
                             json_t **ret_value, const struct tr_yaml_marks **ret_marks,
                             struct tr_fault *reterr)
{
    tr_auto(yaml_parser) yaml_parser_t parser = { 0 };
    struct reader reader = {
        .parser = &parser,
        .source = source,
        .arena = arena,
        .reterr = reterr,
    };
    struct tr_yaml_marks *root = TR_NEW(arena, struct tr_yaml_marks, 1);
    if (root == NULL || !yaml_parser_initialize(&parser)) {
        return refuse_memory(&reader);
    }
    root->line = 1;
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->bytes, source->length);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);

    json_auto_t *value = NULL;
    TR_TRY(read_stream(&reader, root, &value));
    if (value == NULL || json_is_null(value)) {
        json_decref(value);
        value = json_object();
    }
    if (value == NULL) {
        return refuse_memory(&reader);
    }
    *ret_value = tr_json_take(&value);
    if (ret_marks) {
        *ret_marks = root;
    }
    return TR_OK;
}

const char *tr_yaml_version(void)
{
    return yaml_get_version_string();
}
