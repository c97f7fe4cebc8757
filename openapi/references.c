#include "openapi/references.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "openapi/build.h"
#include "openapi/keyword.h"
#include "tools/core/json.h"
#include "tools/core/text.h"

enum { NAME_BYTES = 4096 };

static const char definition_prefix[] = "#/$defs/";
static const char component_prefix[] = "#/components/schemas/";

static bool lead_anew(const char *component, json_t *schema);

static int hex_value(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = strchr(digits, tolower((unsigned char)digit));
    return digit == '\0' || found == NULL ? -1 : (int)(found - digits);
}

/* The next character of a URI fragment that is a JSON Pointer (RFC 6901 section 6). */
static char decode_next(const char **at)
{
    const char *text = *at;
    if (text[0] == '~' && (text[1] == '0' || text[1] == '1')) {
        *at += 2;
        return text[1] == '0' ? '~' : '/';
    }
    if (text[0] == '%' && hex_value(text[1]) >= 0 && hex_value(text[2]) >= 0) {
        *at += 3;
        return (char)(hex_value(text[1]) * 16 + hex_value(text[2]));
    }
    *at += 1;
    return text[0];
}

/* A component's name is of A-Z a-z 0-9 . - _ only; any other byte becomes ".xx". */
static void add_component_byte(struct tr_text *out, char byte)
{
    const unsigned char value = (unsigned char)byte;
    if (value < 0x80 && (isalnum(value) || byte == '_' || byte == '-')) {
        tr_text_add_char(out, byte);
    } else {
        tr_text_printf(out, ".%02x", value);
    }
}

/* The component that the definition `name` of `component` has become. */
static void write_definition(struct tr_text *out, const char *component, const char *name)
{
    tr_text_add_string(out, component);
    tr_text_add_char(out, '.');
    for (; *name != '\0'; name++) {
        add_component_byte(out, *name);
    }
}

static void write_reference(struct tr_text *out, const char *component, const char *reference)
{
    tr_text_add_string(out, component_prefix);
    tr_text_add_string(out, component);
    if (strncmp(reference, definition_prefix, sizeof(definition_prefix) - 1) != 0) {
        tr_text_add_string(out, *reference == '#' ? reference + 1 : reference);
        return;
    }
    tr_text_add_char(out, '.');
    const char *at = reference + sizeof(definition_prefix) - 1;
    while (*at != '\0') {
        add_component_byte(out, decode_next(&at));
    }
}

static bool lead_reference(const char *component, json_t *schema)
{
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    if (reference == NULL) {
        return true;
    }
    tr_auto(text) struct tr_text led;
    tr_text_init(&led, NAME_BYTES);
    write_reference(&led, component, reference);
    return led.status == TR_OK
           && json_object_set_new(schema, "$ref", json_string(tr_text_string(&led))) == 0;
}

static bool lead_map(const char *component, json_t *map)
{
    const char *key;
    json_t *schema;
    json_object_foreach (map, key, schema) {
        if (!lead_anew(component, schema)) {
            return false;
        }
    }
    return true;
}

static bool lead_list(const char *component, json_t *list)
{
    size_t index;
    json_t *schema;
    json_array_foreach (list, index, schema) {
        if (!lead_anew(component, schema)) {
            return false;
        }
    }
    return true;
}

static bool lead_value(const char *component, const char *keyword, json_t *value)
{
    switch (tr_keyword_form(keyword)) {
    case TR_KEYWORD_MAP: return lead_map(component, value);
    case TR_KEYWORD_LIST: return lead_list(component, value);
    case TR_KEYWORD_SCHEMA: return lead_anew(component, value);
    case TR_KEYWORD_PLAIN: break;
    }
    return true;
}

/* Lead every reference in the schema to the components; false when out of memory. */
static bool lead_anew(const char *component, json_t *schema)
{
    const char *keyword;
    json_t *value;
    json_object_foreach (schema, keyword, value) {
        if (!lead_value(component, keyword, value)) {
            return false;
        }
    }
    return lead_reference(component, schema);
}

static void put_definitions(json_t **components, const char *component, json_t *definitions)
{
    const char *key;
    json_t *schema;
    json_object_foreach (definitions, key, schema) {
        tr_auto(text) struct tr_text name;
        tr_text_init(&name, NAME_BYTES);
        write_definition(&name, component, key);
        tr_build_put(components, tr_text_string(&name),
                     name.status == TR_OK ? json_incref(schema) : NULL);
    }
}

void tr_references_put_component(json_t **components, const char *name, json_t *schema)
{
    if (schema != NULL && !lead_anew(name, schema)) {
        json_decref(schema);
        schema = NULL;
    }
    json_auto_t *definitions = json_incref(json_object_get(schema, "$defs"));
    json_object_del(schema, "$defs");
    tr_build_put(components, name, schema);
    put_definitions(components, name, definitions);
}
