#include "server/cli.h"

#include <stdlib.h>
#include <string.h>

#include "server/cli_output.h"
#include "tools/core/descriptor.h"
#include "tools/core/nearest.h"

/* In the order of the help. */
static const struct tr_cli_command *const commands[] = {
    &tr_cli_serve,   &tr_cli_tools, &tr_cli_show,    &tr_cli_call,
    &tr_cli_openapi, &tr_cli_check, &tr_cli_key_new, &tr_cli_version,
};

const struct tr_cli_command *const *tr_cli_commands(size_t *ret_count)
{
    *ret_count = TR_COUNT_OF(commands);
    return commands;
}

/* How many arguments spell `name`, one or two words; 0 when they do not. */
static int words_of_name(const char *name, int argc, char *const *argv)
{
    const size_t first = strcspn(name, " ");
    if (argc == 0 || strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0) {
        return 0;
    }
    if (name[first] == '\0') {
        return 1;
    }
    return argc > 1 && strcmp(argv[1], name + first + 1) == 0 ? 2 : 0;
}

const struct tr_cli_command *tr_cli_find(int argc, char *const *argv, int *ret_words)
{
    for (size_t i = 0; i < TR_COUNT_OF(commands); i++) {
        const int words = words_of_name(commands[i]->name, argc, argv);
        if (words != 0) {
            *ret_words = words;
            return commands[i];
        }
    }
    return NULL;
}

static enum tr_exit refuse_command(const char *name)
{
    struct tr_nearest nearest = { .wanted = name };
    for (size_t i = 0; i < TR_COUNT_OF(commands); i++) {
        tr_nearest_offer(&nearest, commands[i]->name);
        /* "key" alone is nearer to "key new" than any count of edits says. */
        if (strncmp(commands[i]->name, name, strlen(name)) == 0) {
            nearest.best = commands[i]->name;
            break;
        }
    }
    if (nearest.best != NULL) {
        tr_cli_complain("toolrest: there is no command '%s'; did you mean '%s'?", name,
                        nearest.best);
    } else {
        tr_cli_complain("toolrest: there is no command '%s'; see toolrest help", name);
    }
    return TR_EXIT_USAGE;
}

static enum tr_exit run_command(const struct tr_cli_command *command, int argc, char *const *argv)
{
    const char **room = calloc(2 * (size_t)argc + 1, sizeof(*room));
    if (room == NULL) {
        return tr_cli_refuse_memory();
    }
    struct tr_cli_options options;
    enum tr_exit code = TR_EXIT_USAGE;
    switch (tr_cli_parse(command, argc, argv, room, &options)) {
    case TR_CLI_RUN: code = command->run(&options); break;
    case TR_CLI_HELP:
        tr_cli_help_command(command);
        code = TR_EXIT_OK;
        break;
    case TR_CLI_WRONG: break;
    }
    free(room);
    return code;
}

static bool is_one_of(const char *argument, const char *const *spellings)
{
    for (size_t i = 0; spellings[i] != NULL; i++) {
        if (strcmp(argument, spellings[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum tr_exit help(int argc, char *const *argv)
{
    if (argc == 0) {
        tr_cli_help();
        return TR_EXIT_OK;
    }
    int words = 0;
    const struct tr_cli_command *command = tr_cli_find(argc, argv, &words);
    if (command == NULL) {
        return refuse_command(argv[0]);
    }
    tr_cli_help_command(command);
    return TR_EXIT_OK;
}

/* `argv` without the program's name. */
static enum tr_exit dispatch(int argc, char *const *argv)
{
    static const char *const help_spellings[] = { "help", "--help", "-h", NULL };
    static const char *const version_spellings[] = { "--version", "-V", NULL };
    if (argc == 0) {
        tr_cli_help();
        return TR_EXIT_USAGE;
    }
    if (is_one_of(argv[0], help_spellings)) {
        return help(argc - 1, argv + 1);
    }
    if (is_one_of(argv[0], version_spellings)) {
        return run_command(&tr_cli_version, argc - 1, argv + 1);
    }
    int words = 0;
    const struct tr_cli_command *command = tr_cli_find(argc, argv, &words);
    if (command == NULL) {
        return refuse_command(argv[0]);
    }
    return run_command(command, argc - words, argv + words);
}

enum tr_exit tr_cli_run(int argc, char **argv)
{
    const enum tr_exit code = argc > 0 ? dispatch(argc - 1, argv + 1) : dispatch(0, argv);
    return tr_cli_flush() ? code : TR_EXIT_REFUSED;
}
