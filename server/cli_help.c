#include <stdio.h>
#include <string.h>

#include "server/cli.h"

enum { LEFT_COLUMN = 16 };

static void print_usage(const struct tr_cli_command *command)
{
    (void)printf("Usage: toolrest %s%s%s%s\n\n%s.\n", command->name,
                 command->words != NULL ? " " : "", command->words != NULL ? command->words : "",
                 command->flags[0] != NULL ? " [FLAGS]" : "", command->summary);
}

static void print_flag(const struct tr_cli_flag *flag)
{
    char left[64];
    (void)snprintf(left, sizeof(left), "--%s%s%s", flag->name, flag->argument != NULL ? " " : "",
                   flag->argument != NULL ? flag->argument : "");
    (void)printf("  %-*s  %s\n", LEFT_COLUMN, left, flag->summary);
}

void tr_cli_help_command(const struct tr_cli_command *command)
{
    print_usage(command);
    if (command->details != NULL) {
        (void)printf("\n%s\n", command->details);
    }
    (void)printf("\nFlags:\n");
    for (size_t i = 0; i < TR_CLI_MAX_FLAGS && command->flags[i] != NULL; i++) {
        print_flag(command->flags[i]);
    }
    (void)printf("  %-*s  %s\n", LEFT_COLUMN, "--help", "Say this");
}

/* A left side that is too long for its column has a line of its own. */
static void print_row(const char *left, const char *right)
{
    if (strlen(left) > LEFT_COLUMN) {
        (void)printf("  %s\n", left);
        left = "";
    }
    (void)printf("  %-*s  %s\n", LEFT_COLUMN, left, right);
}

void tr_cli_help(void)
{
    size_t count = 0;
    const struct tr_cli_command *const *commands = tr_cli_commands(&count);
    (void)printf("Toolrest exposes tools to agents over HTTP.\n\n"
                 "Usage: toolrest COMMAND [WORDS] [FLAGS]\n\nCommands:\n");
    for (size_t i = 0; i < count; i++) {
        char left[64];
        (void)snprintf(left, sizeof(left), "%s%s%s", commands[i]->name,
                       commands[i]->words != NULL ? " " : "",
                       commands[i]->words != NULL ? commands[i]->words : "");
        print_row(left, commands[i]->summary);
    }
    print_row("help [COMMAND]", "Say this, or what a command can do");
    (void)printf("\nExit codes: 0 success, 1 the tool said no, 2 wrong command line, "
                 "3 refused or failed.\n"
                 "Start with: toolrest serve --dev\n");
}
