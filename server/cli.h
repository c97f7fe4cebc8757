/* cli.h - the command line: a table of commands, each with a table of flags; one parser and one
 * help text for all of them. */
#ifndef TR_SERVER_CLI_H
#define TR_SERVER_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

/* What the program ends with; a part of the contract. */
enum tr_exit {
    TR_EXIT_OK = 0,
    TR_EXIT_TOOL_SAID_NO = 1, /* the tool ran, and could not do what was asked */
    TR_EXIT_USAGE = 2,        /* the command line is wrong */
    TR_EXIT_REFUSED = 3,      /* refused by the configuration, a schema, a server; or failed */
};

/* Texts of the command line. Borrowed from argv. */
struct tr_cli_words {
    const char **items;
    size_t count;
};

/* Everything that flags and words can say. Zeroed: nothing was said. */
struct tr_cli_options {
    const char *config, *listen, *url, *key, *name, *format;
    bool is_dev, is_json, is_live;
    struct tr_cli_words plugins;
    struct tr_cli_words words; /* what is no flag, without the command */
};

enum tr_cli_flag_kind { TR_FLAG_NONE, TR_FLAG_SWITCH, TR_FLAG_TEXT, TR_FLAG_LIST };

/* A flag sets one member of the options, whose C type says what kind of flag it is. */
struct tr_cli_flag {
    const char *name;     /* without the dashes */
    const char *argument; /* how the help names its value; NULL for a switch */
    const char *summary;
    enum tr_cli_flag_kind kind;
    size_t offset;
};

#define TR_CLI_FLAG(member) \
    .offset = offsetof(struct tr_cli_options, member),                                             \
    .kind = _Generic(((struct tr_cli_options *)0)->member,                                         \
        bool: TR_FLAG_SWITCH,                                                                      \
        const char *: TR_FLAG_TEXT,                                                                \
        struct tr_cli_words: TR_FLAG_LIST)

/* The flags that several commands know. */
extern const struct tr_cli_flag tr_flag_config, tr_flag_plugin, tr_flag_listen, tr_flag_dev,
    tr_flag_json, tr_flag_url, tr_flag_key, tr_flag_name, tr_flag_format, tr_flag_live;

enum { TR_CLI_MAX_FLAGS = 8 };

struct tr_cli_command {
    const char *name;  /* one word, or two as in "key new" */
    const char *words; /* how the help names what is no flag; NULL: nothing */
    size_t min_words, max_words;
    const char *summary;                               /* one line */
    const char *details;                               /* lines for its own help; NULL: none */
    const struct tr_cli_flag *flags[TR_CLI_MAX_FLAGS]; /* NULL ends the list */
    enum tr_exit (*run)(const struct tr_cli_options *options);
};

/* Each command, in its own file: server/cli_<name>.c */
extern const struct tr_cli_command tr_cli_serve, tr_cli_tools, tr_cli_show, tr_cli_call,
    tr_cli_openapi, tr_cli_check, tr_cli_key_new, tr_cli_version;

/* All commands, in the order of the help. */
const struct tr_cli_command *const *tr_cli_commands(size_t *ret_count);

/* Run the command line; what main() returns. */
enum tr_exit tr_cli_run(int argc, char **argv);

/* ---- for the parser's tests and for help ---- */

/* The command that `argv` starts with; *ret_words is how many words its name took. NULL when there
 * is none. */
const struct tr_cli_command *tr_cli_find(int argc, char *const *argv, int *ret_words);

enum tr_cli_outcome { TR_CLI_RUN, TR_CLI_HELP, TR_CLI_WRONG };

/* Read flags and words behind the command's name. `--flag value`, `--flag=value`, and `--` before
 * words that start with dashes. Complains to standard error, with the nearest flag. The words are
 * kept in `room`, which has room for 2 * argc texts. */
TR_MUST_USE enum tr_cli_outcome tr_cli_parse(const struct tr_cli_command *command, int argc,
                                             char *const *argv, const char **room,
                                             struct tr_cli_options *ret_options);

/* The help of everything, or of one command, to standard output. */
void tr_cli_help(void);
void tr_cli_help_command(const struct tr_cli_command *command);

#endif
