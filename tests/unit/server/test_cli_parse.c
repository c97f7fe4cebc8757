#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/cli.h"

enum { MAX_ARGUMENTS = 8 };

static enum tr_exit never_run(const struct tr_cli_options *options)
{
    (void)options;
    return TR_EXIT_REFUSED;
}

static const struct tr_cli_command sample = {
    .name = "sample",
    .words = "NAME [MORE]",
    .min_words = 1,
    .max_words = 2,
    .summary = "For this test",
    .flags = { &tr_flag_config, &tr_flag_plugin, &tr_flag_dev, &tr_flag_json },
    .run = never_run,
};

struct parsed {
    enum tr_cli_outcome outcome;
    struct tr_cli_options options;
    const char *room[2 * MAX_ARGUMENTS];
};

/* `line` is split at single spaces. */
static void parse(struct parsed *parsed, char *line)
{
    char *argv[MAX_ARGUMENTS];
    int argc = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        argv[argc++] = word;
    }
    parsed->outcome = tr_cli_parse(&sample, argc, argv, parsed->room, &parsed->options);
}

static void parser_takes_flags_and_words_in_any_order(void **state)
{
    (void)state;
    char line[] = "one --config file --plugin=a --dev two --plugin b";
    struct parsed parsed;

    parse(&parsed, line);

    assert_int_equal(parsed.outcome, TR_CLI_RUN);
    assert_string_equal(parsed.options.config, "file");
    assert_true(parsed.options.is_dev);
    assert_false(parsed.options.is_json);
    assert_int_equal(parsed.options.plugins.count, 2);
    assert_string_equal(parsed.options.plugins.items[0], "a");
    assert_string_equal(parsed.options.plugins.items[1], "b");
    assert_int_equal(parsed.options.words.count, 2);
    assert_string_equal(parsed.options.words.items[0], "one");
    assert_string_equal(parsed.options.words.items[1], "two");
}

static void parser_takes_a_value_that_holds_an_equals_sign(void **state)
{
    (void)state;
    char line[] = "--config=a=b -";
    struct parsed parsed;

    parse(&parsed, line);

    assert_int_equal(parsed.outcome, TR_CLI_RUN);
    assert_string_equal(parsed.options.config, "a=b");
    assert_string_equal(parsed.options.words.items[0], "-");
}

static void parser_takes_everything_behind_two_dashes_as_words(void **state)
{
    (void)state;
    char line[] = "-- --dev --";
    struct parsed parsed;

    parse(&parsed, line);

    assert_int_equal(parsed.outcome, TR_CLI_RUN);
    assert_false(parsed.options.is_dev);
    assert_string_equal(parsed.options.words.items[0], "--dev");
    assert_string_equal(parsed.options.words.items[1], "--");
}

static void parser_says_what_is_wrong_with_a_line(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "one two three",
        "one --unknown",
        "one --unknown=x",
        "one --Dev",
        "one --de",
        "one -d",
        "one --config",
        "one --config=",
        "one --config --dev",
        "one --config a --config b",
        "one --dev=yes",
        "one --=x",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char line[64];
        struct parsed parsed;
        memcpy(line, lines[i], strlen(lines[i]) + 1);

        parse(&parsed, line);

        assert_int_equal(parsed.outcome, TR_CLI_WRONG);
    }
}

static void parser_knows_the_wish_for_help(void **state)
{
    (void)state;
    static const char *const lines[] = { "--help", "-h", "one two three -h", "--dev --help" };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char line[64];
        struct parsed parsed;
        memcpy(line, lines[i], strlen(lines[i]) + 1);

        parse(&parsed, line);

        assert_int_equal(parsed.outcome, TR_CLI_HELP);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parser_takes_flags_and_words_in_any_order),
        cmocka_unit_test(parser_takes_a_value_that_holds_an_equals_sign),
        cmocka_unit_test(parser_takes_everything_behind_two_dashes_as_words),
        cmocka_unit_test(parser_says_what_is_wrong_with_a_line),
        cmocka_unit_test(parser_knows_the_wish_for_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
