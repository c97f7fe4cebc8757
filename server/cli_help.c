#include <stdio.h>
#include <string.h>

#include "server/cli.h"

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
    (void)printf("  %-18s  %s\n", left, flag->summary);
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
    (void)printf("  %-18s  %s\n", "--help", "Say this");
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
        (void)printf("  %-26s  %s\n", left, commands[i]->summary);
    }
    (void)printf("  %-26s  %s\n", "help [COMMAND]", "Say this, or what a command can do");
    (void)printf("\nExit codes: 0 success, 1 the tool said no, 2 wrong command line, "
                 "3 refused or failed.\n"
                 "Start with: toolrest serve --dev\n");
}
