#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/cli.h"
#include "server/cli_output.h"
#include "tools/core/nearest.h"

/* Where the parser is. */
struct parser {
    const struct tr_cli_command *command;
    int argc;
    char *const *argv;
    int next;        /* index of the argument that is read next */
    bool only_words; /* "--" was read */
    struct tr_cli_options *options;
};

static enum tr_cli_outcome wrong(const struct parser *parser, const char *reason)
{
    tr_cli_complain("toolrest %s: %s", parser->command->name, reason);
    return TR_CLI_WRONG;
}

TR_PRINTF(2, 3)
static enum tr_cli_outcome wrong_about(const struct parser *parser, const char *format, ...)
{
    char reason[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    return wrong(parser, reason);
}

/* The flag that `name` of `length` bytes spells; otherwise NULL, and `nearest` knows the likely
 * one. */
static const struct tr_cli_flag *find_flag(const struct tr_cli_command *command, const char *name,
                                           size_t length, struct tr_nearest *nearest)
{
    for (size_t i = 0; i < TR_CLI_MAX_FLAGS && command->flags[i] != NULL; i++) {
        const struct tr_cli_flag *flag = command->flags[i];
        if (strlen(flag->name) == length && strncmp(flag->name, name, length) == 0) {
            return flag;
        }
        tr_nearest_offer(nearest, flag->name);
    }
    return NULL;
}

static enum tr_cli_outcome unknown_flag(const struct parser *parser, const char *argument,
                                        const char *nearest)
{
    const int length = (int)strcspn(argument, "=");
    if (nearest == NULL) {
        return wrong_about(parser, "there is no flag %.*s; see toolrest %s --help", length,
                           argument, parser->command->name);
    }
    return wrong_about(parser, "there is no flag %.*s; did you mean --%s?", length, argument,
                       nearest);
}

static void *member_of(const struct parser *parser, const struct tr_cli_flag *flag)
{
    return (char *)parser->options + flag->offset;
}

static enum tr_cli_outcome set_switch(const struct parser *parser, const struct tr_cli_flag *flag,
                                      const char *value)
{
    bool *is_set = member_of(parser, flag);
    if (value != NULL) {
        return wrong_about(parser, "--%s takes no value", flag->name);
    }
    *is_set = true;
    return TR_CLI_RUN;
}

static enum tr_cli_outcome set_text(const struct parser *parser, const struct tr_cli_flag *flag,
                                    const char *value)
{
    const char **text = member_of(parser, flag);
    if (*text != NULL) {
        return wrong_about(parser, "--%s is given twice", flag->name);
    }
    *text = value;
    return TR_CLI_RUN;
}

static enum tr_cli_outcome add_to_list(const struct parser *parser, const struct tr_cli_flag *flag,
                                       const char *value)
{
    struct tr_cli_words *list = member_of(parser, flag);
    list->items[list->count++] = value;
    return TR_CLI_RUN;
}

/* What stands behind '=', or else in the next argument. NULL: there is no value. */
static const char *take_value(struct parser *parser, const char *attached)
{
    const char *value = attached;
    if (value == NULL && parser->next < parser->argc
        && strncmp(parser->argv[parser->next], "--", 2) != 0) {
        value = parser->argv[parser->next++];
    }
    return value != NULL && *value != '\0' ? value : NULL;
}

/* `argument` is "--name" or "--name=value". */
static enum tr_cli_outcome read_flag(struct parser *parser, const char *argument)
{
    const char *name = argument + 2;
    const size_t length = strcspn(name, "=");
    const char *attached = name[length] == '=' ? name + length + 1 : NULL;
    char wanted[64];
    (void)snprintf(wanted, sizeof(wanted), "%.*s", (int)length, name);
    struct tr_nearest nearest = { .wanted = wanted };
    const struct tr_cli_flag *flag = find_flag(parser->command, name, length, &nearest);
    if (flag == NULL) {
        return unknown_flag(parser, argument, nearest.best);
    }
    if (flag->kind == TR_FLAG_SWITCH) {
        return set_switch(parser, flag, attached);
    }
    const char *value = take_value(parser, attached);
    if (value == NULL) {
        return wrong_about(parser, "--%s needs a value: --%s %s", flag->name, flag->name,
                           flag->argument);
    }
    return flag->kind == TR_FLAG_TEXT ? set_text(parser, flag, value)
                                      : add_to_list(parser, flag, value);
}

static enum tr_cli_outcome read_argument(struct parser *parser)
{
    const char *argument = parser->argv[parser->next++];
    if (parser->only_words || argument[0] != '-' || argument[1] == '\0') {
        parser->options->words.items[parser->options->words.count++] = argument;
        return TR_CLI_RUN;
    }
    if (strcmp(argument, "--") == 0) {
        parser->only_words = true;
        return TR_CLI_RUN;
    }
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        return TR_CLI_HELP;
    }
    if (argument[1] != '-') {
        return unknown_flag(parser, argument, NULL);
    }
    return read_flag(parser, argument);
}

static enum tr_cli_outcome check_words(const struct parser *parser)
{
    const struct tr_cli_command *command = parser->command;
    const struct tr_cli_words *words = &parser->options->words;
    if (words->count < command->min_words) {
        return wrong_about(parser, "needs %s", command->words);
    }
    if (words->count > command->max_words) {
        return wrong_about(parser, "cannot use '%s'; see toolrest %s --help",
                           words->items[command->max_words], command->name);
    }
    return TR_CLI_RUN;
}

enum tr_cli_outcome tr_cli_parse(const struct tr_cli_command *command, int argc, char *const *argv,
                                 const char **room, struct tr_cli_options *ret_options)
{
    *ret_options = (struct tr_cli_options){
        .words = { .items = room },
        .plugins = { .items = room + argc },
    };
    struct parser parser = {
        .command = command,
        .argc = argc,
        .argv = argv,
        .options = ret_options,
    };
    while (parser.next < argc) {
        const enum tr_cli_outcome outcome = read_argument(&parser);
        if (outcome != TR_CLI_RUN) {
            return outcome;
        }
    }
    return check_words(&parser);
}
