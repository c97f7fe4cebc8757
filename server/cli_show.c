/* toolrest show NAME: one tool, for people with a call that is ready to be pasted. */
#include <stdio.h>
#include <string.h>

#include "openapi/dialect.h"
#include "server/cli.h"
#include "server/cli_load.h"
#include "server/cli_output.h"
#include "server/shell_word.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"
#include "tools/core/schema.h"
#include "tools/core/text.h"

enum { MAX_TEXT_BYTES = 64 * 1024 };

/* ---- parameters ---- */

static void write_type(struct tr_text *out, const struct tr_schema *schema)
{
    char room[96];
    tr_text_add_string(out, tr_schema_type_name(schema->types, room, sizeof(room)));
    const struct tr_schema *items = schema->items != NULL ? tr_schema_resolve(schema->items) : NULL;
    if ((schema->types & TR_TYPE_ARRAY) != 0 && items != NULL && items->types != 0) {
        tr_text_add_string(out, " of ");
        tr_text_add_string(out, tr_schema_type_name(items->types, room, sizeof(room)));
    }
}

static void write_choices(struct tr_text *out, const json_t *choices)
{
    size_t index = 0;
    json_t *choice = NULL;
    json_array_foreach (choices, index, choice) {
        tr_text_add_string(out, index == 0 ? "; one of: " : ", ");
        if (json_is_string(choice)) {
            tr_text_add_string(out, json_string_value(choice));
        } else {
            tr_json_write(out, choice);
        }
    }
}

static void write_parameter(struct tr_text *out, const struct tr_schema_property *property)
{
    const struct tr_schema *schema = tr_schema_resolve(property->schema);
    tr_text_printf(out, "  %-20s  ", property->name);
    if (schema == NULL) {
        tr_text_add_string(out, "any\n");
        return;
    }
    write_type(out, schema);
    tr_text_add_string(out, property->is_required ? ", required" : "");
    if (schema->default_value != NULL) {
        tr_text_add_string(out, ", default ");
        tr_json_write(out, schema->default_value);
    }
    write_choices(out, schema->enum_values);
    tr_text_add_char(out, '\n');
    const char *description =
        property->schema->description != NULL ? property->schema->description : schema->description;
    if (description != NULL) {
        tr_text_printf(out, "  %-20s  %s\n", "", description);
    }
}

static void write_parameters(struct tr_text *out, const struct tr_schema *schema)
{
    const struct tr_schema *root = tr_schema_resolve(schema);
    if (root == NULL || root->properties.count == 0) {
        tr_text_add_string(out, "It takes no parameters.\n");
        return;
    }
    tr_text_add_string(out, "Parameters:\n");
    for (size_t i = 0; i < root->properties.count; i++) {
        write_parameter(out, &root->properties.items[i]);
    }
}

/* ---- the example ---- */

/* "key=text" or "key:=JSON". */
static void write_argument(struct tr_text *out, const char *key, const json_t *value)
{
    tr_auto(text) struct tr_text word = { 0 };
    tr_text_init(&word, MAX_TEXT_BYTES);
    tr_text_add_string(&word, key);
    if (json_is_string(value)) {
        tr_text_add_char(&word, '=');
        tr_text_add(&word, json_string_value(value), json_string_length(value));
    } else {
        tr_text_add_string(&word, ":=");
        tr_json_write(&word, value);
    }
    tr_text_add_char(out, ' ');
    tr_shell_word(out, tr_text_string(&word));
}

static void write_example(struct tr_text *out, const struct tr_tool *tool)
{
    json_auto_t *example = NULL;
    const char *text = tool->example_json;
    if (text == NULL || tr_json_parse(text, strlen(text), &example, NULL) != TR_OK) {
        return;
    }
    tr_text_printf(out, "\nExample:\n  toolrest call %s", tool->name);
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach (example, key, value) {
        write_argument(out, key, value);
    }
    tr_text_add_char(out, '\n');
}

/* ---- the command ---- */

static enum tr_exit print_for_people(const struct tr_entry *entry)
{
    tr_auto(text) struct tr_text out = { 0 };
    tr_text_init(&out, MAX_TEXT_BYTES);
    tr_text_printf(&out, "%s %s (suite %s, %lld ms)\n\n%s\n\n", entry->tool->name, entry->version,
                   entry->suite->suite->name, (long long)entry->timeout_ms,
                   entry->tool->description);
    write_parameters(&out, entry->request.root);
    write_example(&out, entry->tool);
    if (out.status != TR_OK) {
        return tr_cli_refuse_memory();
    }
    (void)fputs(tr_text_string(&out), stdout);
    return TR_EXIT_OK;
}

static enum tr_exit print_described(const struct tr_cli_load *load, const struct tr_entry *entry,
                                    const struct tr_dialect *dialect)
{
    const struct tr_subject subject = {
        .entry = entry,
        .base_url = load->config.base_url,
        .needs_key = load->config.key_count != 0,
    };
    return tr_cli_print_json(dialect->describe(&subject, NULL));
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    const struct tr_dialect *dialect = tr_cli_dialect(options);
    if (dialect == NULL) {
        return TR_EXIT_USAGE;
    }
    tr_auto(cli_load) struct tr_cli_load load;
    if (!tr_cli_load(options, &load)) {
        return TR_EXIT_REFUSED;
    }
    const char *name = options->words.items[0];
    const struct tr_entry *entry = tr_registry_find(load.registry, name);
    if (entry == NULL) {
        return tr_cli_refuse_tool(options, load.registry, name);
    }
    if (options->format == NULL && !tr_cli_wants_json(options)) {
        return print_for_people(entry);
    }
    return print_described(&load, entry, dialect);
}

const struct tr_cli_command tr_cli_show = {
    .name = "show",
    .words = "NAME",
    .min_words = 1,
    .max_words = 1,
    .summary = "Show what a tool does, takes and gives",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_format, &tr_flag_json },
    .run = run,
};
