#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "middleware/secret.h"
#include "server/cli.h"
#include "tests/e2e/program.h"
#include "tools/core/compiler.h"

#define FIXTURES TR_TEST_PLUGIN_DIR "/fixtures.so"

enum { MAX_ARGUMENTS = 12 };

static void tr_ran_drop(struct ran *ran)
{
    ran_done(ran);
}

#define RUN(...) \
    program_run((struct program){ .arguments = (const char *const[]){ __VA_ARGS__, NULL } })

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        assert_string_equal(text, part);
    }
}

/* The one JSON value that a run wrote. */
static json_t *json_of(const struct ran *ran)
{
    json_error_t error;
    json_t *value = json_loads(ran->out, JSON_DECODE_ANY, &error);
    if (value == NULL) {
        assert_string_equal(ran->out, error.text);
    }
    return value;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return text;
}

/* ---- files ---- */

static char folder[] = "/tmp/toolrest-test-cli-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* ---- exit codes and what is said ---- */

struct line {
    const char *arguments[MAX_ARGUMENTS];
    enum tr_exit code;
    const char *out, *err; /* what each must contain; NULL: it must be empty */
};

static const struct line lines[] = {
    /* help */
    { { NULL }, TR_EXIT_USAGE, "Usage: toolrest COMMAND", NULL },
    { { "help" }, TR_EXIT_OK, "Exit codes: 0 success", NULL },
    { { "--help" }, TR_EXIT_OK, "  key new", NULL },
    { { "-h" }, TR_EXIT_OK, "  serve", NULL },
    { { "help", "call" }, TR_EXIT_OK, "Usage: toolrest call NAME", NULL },
    { { "help", "key", "new" }, TR_EXIT_OK, "Usage: toolrest key new", NULL },
    { { "serve", "--help" }, TR_EXIT_OK, "--listen ADDRESS", NULL },
    { { "key", "new", "-h" }, TR_EXIT_OK, "--name NAME", NULL },
    { { "--version" }, TR_EXIT_OK, TR_VERSION, NULL },
    /* usage */
    { { "tool" }, TR_EXIT_USAGE, NULL, "there is no command 'tool'; did you mean 'tools'?" },
    { { "key" }, TR_EXIT_USAGE, NULL, "did you mean 'key new'?" },
    { { "xyzzy" }, TR_EXIT_USAGE, NULL, "there is no command 'xyzzy'; see toolrest help" },
    { { "help", "xyzzy" }, TR_EXIT_USAGE, NULL, "there is no command 'xyzzy'" },
    { { "serve", "--lisen", "x" }, TR_EXIT_USAGE, NULL, "did you mean --listen?" },
    { { "tools", "x" }, TR_EXIT_USAGE, NULL, "toolrest tools: cannot use 'x'" },
    { { "show" }, TR_EXIT_USAGE, NULL, "toolrest show: needs NAME" },
    { { "tools", "--config" }, TR_EXIT_USAGE, NULL, "--config needs a value" },
    { { "tools", "--format", "soap" }, TR_EXIT_USAGE, NULL, "must be one of: native, " },
    { { "call", "translate", "text" }, TR_EXIT_USAGE, NULL, "'text' is no parameter" },
    { { "call", "translate", "=x" }, TR_EXIT_USAGE, NULL, "'=x' is no parameter" },
    { { "call", "translate", "a=1", "a=2" }, TR_EXIT_USAGE, NULL, "a: is given twice" },
    { { "call", "translate", "a:={" }, TR_EXIT_USAGE, NULL, "a: " },
    { { "call", "translate", "@a", "@b" }, TR_EXIT_USAGE, NULL, "only one @FILE" },
    { { "call", "translate", "--key", "k" }, TR_EXIT_USAGE, NULL, "--key goes with --url" },
    { { "call", "x/y", "--url", "http://127.0.0.1:1" }, TR_EXIT_USAGE, NULL, "no name of a tool" },
    { { "call", "x", "--url", "u", "--config", "f" }, TR_EXIT_USAGE, NULL, "--url is for another" },
    { { "check", "--url", "x" }, TR_EXIT_USAGE, NULL, "--url goes with --live" },
    { { "key", "new", "--name=\n" }, TR_EXIT_USAGE, NULL, "--name: must be" },
    /* refused */
    { { "call", "tranlate" }, TR_EXIT_REFUSED, "unknown_tool", "did you mean 'translate'?" },
    { { "show", "tranlate" }, TR_EXIT_REFUSED, "unknown_tool", "did you mean 'translate'?" },
    { { "call", "translate", "text=x" }, TR_EXIT_REFUSED, "invalid_parameters", NULL },
    { { "call", "translate", "@/no/file" }, TR_EXIT_REFUSED, NULL, "No such file" },
    { { "tools", "--plugin", "/no/plugin.so" }, TR_EXIT_REFUSED, NULL, "/no/plugin.so" },
    { { "tools", "--config", "/no/file" }, TR_EXIT_REFUSED, NULL, "/no/file: cannot read" },
    { { "call", "x", "--url", "ftp://a" }, TR_EXIT_REFUSED, NULL, "must start with http" },
    { { "call", "x", "--url", "http://127.0.0.1:1" }, TR_EXIT_REFUSED, NULL, "onnect" },
    { { "check", "--live", "--url", "http://127.0.0.1:1" }, TR_EXIT_REFUSED, NULL, "onnect" },
    { { "serve", "--listen", "0.0.0.0:0" }, TR_EXIT_REFUSED, NULL, "command line: --listen: " },
    { { "serve", "--dev", "--listen", ":0" }, TR_EXIT_REFUSED, NULL, "loopback addresses only" },
    { { "check", "--listen", "nonsense" }, TR_EXIT_REFUSED, NULL, "--listen: needs a port" },
    /* success */
    { { "tools" }, TR_EXIT_OK, "\"name\":\"translate\"", NULL },
    { { "tools", "--format", "openai" }, TR_EXIT_OK, "\"type\":\"function\"", NULL },
    { { "tools", "--plugin", FIXTURES }, TR_EXIT_OK, "\"name\":\"echo\"", NULL },
    { { "show", "translate" }, TR_EXIT_OK, "\"name\":\"translate\"", NULL },
    { { "call", "text_stats", "text=a b" }, TR_EXIT_OK, "\"words\":2", NULL },
    { { "call", "echo", "--plugin=" FIXTURES, "text=a", "repeat=2" }, TR_EXIT_OK, "\"aa\"", NULL },
    { { "call", "reflect", "--plugin", FIXTURES, "query=q", "tags:=[\"x\"]" },
      TR_EXIT_OK,
      "[\"x\"]",
      NULL },
    { { "openapi" }, TR_EXIT_OK, "\"/tools/translate\"", NULL },
    { { "check" }, TR_EXIT_OK, "\"ok\":true", NULL },
    { { "version" }, TR_EXIT_OK, "\"libyaml\"", NULL },
    /* the tool said no */
    { { "call", "soft_fail", "--plugin", FIXTURES, "kind=error" },
      TR_EXIT_TOOL_SAID_NO,
      "\"error\":\"E1\"",
      NULL },
    { { "call", "boom", "--plugin", FIXTURES }, TR_EXIT_REFUSED, "\"code\":\"internal\"", NULL },
};

static void assert_said(const char *text, const char *part)
{
    if (part == NULL) {
        assert_string_equal(text, "");
    } else {
        assert_contains(text, part);
    }
}

static void cli_ends_with_the_code_of_the_contract_and_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        tr_auto(ran) struct ran ran =
            program_run((struct program){ .arguments = lines[i].arguments });

        assert_said(ran.out, lines[i].out);
        assert_said(ran.err, lines[i].err);
        assert_int_equal(ran.code, lines[i].code);
    }
}

/* What a person sees. */
static const struct line terminal_lines[] = {
    { { "tools" }, TR_EXIT_OK, "translate                 Translate a text into", NULL },
    { { "tools", "--json" }, TR_EXIT_OK, "      \"name\": \"translate\"", NULL },
    { { "show", "translate" }, TR_EXIT_OK, "  text                  string, required", NULL },
    { { "show", "translate" }, TR_EXIT_OK, "toolrest call translate text=Hello", NULL },
    { { "show", "json_query" }, TR_EXIT_OK, "'document:={\"users\":", NULL },
    { { "show", "no_params", "--plugin", FIXTURES }, TR_EXIT_OK, "takes no parameters", NULL },
    { { "show", "enum_tool", "--plugin", FIXTURES }, TR_EXIT_OK, "one of: RED, GREEN, BLUE", NULL },
    { { "show", "list_tool", "--plugin", FIXTURES }, TR_EXIT_OK, "array of string", NULL },
    { { "show", "echo", "--plugin", FIXTURES }, TR_EXIT_OK, "integer, default 1", NULL },
    { { "call", "text_stats", "text=a b" }, TR_EXIT_OK, "  \"words\": 2,\n", NULL },
    { { "call", "translate" }, TR_EXIT_REFUSED, NULL, "Required parameter 'text' is missing\n" },
    { { "call", "tranlate" }, TR_EXIT_REFUSED, NULL, "did you mean 'translate'?" },
    { { "call", "soft_fail", "--plugin", FIXTURES, "kind=bare" }, TR_EXIT_TOOL_SAID_NO, "{", NULL },
    { { "check" }, TR_EXIT_OK, "  listen   127.0.0.1:8080\n", NULL },
    { { "key", "new", "--name", "ci" }, TR_EXIT_OK, "    - name: \"ci\"\n", NULL },
    { { "version" }, TR_EXIT_OK, "toolrest " TR_VERSION "\n  jansson ", NULL },
};

static void cli_speaks_to_people_on_a_terminal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(terminal_lines) / sizeof(terminal_lines[0]); i++) {
        tr_auto(ran) struct ran ran = program_run((struct program){
            .arguments = terminal_lines[i].arguments,
            .output = PROGRAM_TERMINAL,
        });

        assert_said(ran.out, terminal_lines[i].out);
        assert_said(ran.err, terminal_lines[i].err);
        assert_int_equal(ran.code, terminal_lines[i].code);
    }
}

/* ---- parameters ---- */

static void call_reads_parameters_from_standard_input_and_words_go_over_them(void **state)
{
    (void)state;
    static const char *const arguments[] = {
        "call", "reflect", "@-", "query=word", "--plugin", FIXTURES, NULL,
    };
    tr_auto(ran) struct ran ran = program_run((struct program){
        .arguments = arguments,
        .input = "{\"query\": \"input\", \"max_results\": 3}",
    });

    assert_int_equal(ran.code, TR_EXIT_OK);
    assert_contains(ran.out, "\"query\":\"word\"");
    assert_contains(ran.out, "\"max_results\":3");
}

static void call_reads_parameters_from_a_file(void **state)
{
    (void)state;
    char argument[80];
    (void)snprintf(argument, sizeof(argument), "@%s", path);
    write_file("{\"text\": \"a b c\"}");
    tr_auto(ran) struct ran right = RUN("call", "text_stats", argument);
    write_file("[1]");
    tr_auto(ran) struct ran list = RUN("call", "text_stats", argument);
    write_file("{\"text\": ");
    tr_auto(ran) struct ran broken = RUN("call", "text_stats", argument);

    assert_int_equal(right.code, TR_EXIT_OK);
    assert_contains(right.out, "\"words\":3");
    assert_int_equal(list.code, TR_EXIT_REFUSED);
    assert_contains(list.err, "must hold a JSON object");
    assert_int_equal(broken.code, TR_EXIT_REFUSED);
    assert_contains(broken.err, argument);
}

/* ---- check, key new ---- */

static void check_names_file_line_key_and_reason(void **state)
{
    (void)state;
    char expected[128];
    write_file("server:\n  lisen: 127.0.0.1:1\n");
    (void)snprintf(expected, sizeof(expected), "%s:2: server.lisen: ", path);

    tr_auto(ran) struct ran ran = RUN("check", "--config", path);

    assert_int_equal(ran.code, TR_EXIT_REFUSED);
    assert_contains(ran.err, expected);
    assert_contains(ran.err, "did you mean 'listen'?");
    assert_string_equal(strchr(ran.err, '\n'), "\n");
}

static void check_refuses_what_no_tool_and_no_suite_knows(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *place, *reason;
    } cases[] = {
        { "tools:\n- json_query\n- tranlate",
          ":3: tools[1]: ", "there is no tool 'tranlate'; did you mean 'translate'?" },
        { "tools: [translate: {defaults: {txt: x}}]", ":1: tools[0]: ", "txt" },
        { "\nsuites:\n  txt: {}",
          ":3: suites.txt: ", "no suite of this name is loaded; did you mean 'text'?" },
        { "\nsuites:\n  text: {a: 1}", ":3: suites.text: ", "no settings of its own" },
        { "suites: {a/b~c: {}}", ":1: suites.a/b~c: ", "no suite of this name" },
        { "plugins: [missing.so]", ":1: plugins[0]: ", "missing.so: there is no such" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        write_file(cases[i].yaml);

        tr_auto(ran) struct ran ran = RUN("check", "--config", path);

        assert_int_equal(ran.code, TR_EXIT_REFUSED);
        assert_memory_equal(ran.err, path, strlen(path));
        assert_memory_equal(ran.err + strlen(path), cases[i].place, strlen(cases[i].place));
        assert_contains(ran.err, cases[i].reason);
        assert_string_equal(strchr(ran.err, '\n'), "\n");
    }
}

static void check_notes_keys_that_have_expired(void **state)
{
    (void)state;
    write_file("auth: {keys: [{name: old, expires: 2001-01-01, sha256: "
               "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}]}");

    tr_auto(ran) struct ran ran = RUN("check", "--config", path);
    json_auto_t *said = json_of(&ran);

    assert_int_equal(ran.code, TR_EXIT_OK);
    assert_contains(ran.err, "the key 'old' has expired");
    assert_int_equal(json_integer_value(json_object_get(said, "expired_keys")), 1);
}

static void a_line_break_in_a_key_does_not_break_the_line_of_its_refusal(void **state)
{
    (void)state;
    write_file("\"two\\nlines\\e[2J\": 1");

    tr_auto(ran) struct ran ran = RUN("check", "--config", path);

    assert_int_equal(ran.code, TR_EXIT_REFUSED);
    assert_contains(ran.err, "two?lines?[2J");
}

static void key_new_prints_a_key_and_a_configuration_that_knows_it(void **state)
{
    (void)state;
    tr_auto(ran) struct ran ran = RUN("key", "new", "--name", "a: \"b\"", "--json");
    assert_int_equal(ran.code, TR_EXIT_OK);
    json_auto_t *made = json_of(&ran);
    const char *key = text_of(made, "key");
    char digest[TR_SHA256_HEX_BYTES];
    assert_true(tr_sha256_hex(key, strlen(key), digest));
    write_file(text_of(made, "yaml"));

    tr_auto(ran) struct ran check = RUN("check", "--config", path);
    json_auto_t *checked = json_of(&check);

    assert_string_equal(text_of(made, "name"), "a: \"b\"");
    assert_string_equal(text_of(made, "sha256"), digest);
    assert_int_equal(check.code, TR_EXIT_OK);
    assert_int_equal(json_integer_value(json_object_get(checked, "keys")), 1);
}

/* ---- where output cannot go ---- */

static void cli_survives_an_output_that_nobody_reads(void **state)
{
    (void)state;
    static const char *const arguments[] = { "tools", NULL };
    tr_auto(ran) struct ran closed = program_run((struct program){
        .arguments = arguments,
        .output = PROGRAM_CLOSED,
    });
    tr_auto(ran) struct ran broken = program_run((struct program){
        .arguments = arguments,
        .output = PROGRAM_BROKEN_PIPE,
    });

    assert_int_equal(closed.code, TR_EXIT_OK);
    assert_int_equal(broken.code, TR_EXIT_OK);
}

static void cli_complains_about_a_full_disk(void **state)
{
    (void)state;
    const int full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        skip();
    }
    (void)close(full);
    tr_auto(ran) struct ran ran = program_run((struct program){
        .arguments = (const char *const[]){ "tools", NULL },
        .output = PROGRAM_FULL_DISK,
    });

    assert_int_equal(ran.code, TR_EXIT_REFUSED);
    assert_contains(ran.err, "cannot write to standard output");
}

/* ---- serve ---- */

/* What a gateway announced on standard output, and where it is. */
struct announced {
    struct running running;
    char said[4096];
    json_t *line;
};

static void announce(struct announced *announced, const char *const *arguments)
{
    announced->running = program_start(arguments);
    program_wait_for(&announced->running, "\"url\"", announced->said, sizeof(announced->said));
    announced->line = json_loads(announced->said, JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(announced->line);
}

static void serve_dev_announces_a_key_that_works_and_ends_on_sigterm(void **state)
{
    (void)state;
    static const char *const arguments[] = {
        "serve", "--dev", "--json", "--listen", "127.0.0.1:0", NULL,
    };
    struct announced gateway;
    announce(&gateway, arguments);
    const char *url = text_of(gateway.line, "url");
    const char *key = text_of(gateway.line, "key");

    tr_auto(ran) struct ran live = RUN("check", "--live", "--url", url);
    tr_auto(ran) struct ran with_key =
        RUN("call", "text_stats", "text=a b", "--url", url, "--key", key);
    tr_auto(ran) struct ran without_key = RUN("call", "text_stats", "text=a b", "--url", url);
    tr_auto(ran) struct ran unknown = RUN("call", "nope", "--url", url, "--key", key);
    const int code = program_stop(&gateway.running, SIGTERM);
    tr_auto(ran) struct ran dead = RUN("check", "--live", "--url", url);

    assert_int_equal(live.code, TR_EXIT_OK);
    assert_int_equal(with_key.code, TR_EXIT_OK);
    assert_contains(with_key.out, "\"words\":2");
    assert_int_equal(without_key.code, TR_EXIT_REFUSED);
    assert_contains(without_key.out, "unauthenticated");
    assert_int_equal(unknown.code, TR_EXIT_REFUSED);
    assert_contains(text_of(gateway.line, "curl"), key);
    assert_int_equal(code, TR_EXIT_OK);
    assert_int_equal(dead.code, TR_EXIT_REFUSED);
    json_decref(gateway.line);
}

static void serve_reads_the_configuration_and_ends_on_sigint(void **state)
{
    (void)state;
    write_file("server: {listen: '127.0.0.1:0', access_log: no}\ntools: [text_stats]\n");
    const char *const arguments[] = { "serve", "--config", path, "--json", NULL };
    struct announced gateway;
    announce(&gateway, arguments);
    const char *url = text_of(gateway.line, "url");

    tr_auto(ran) struct ran chosen = RUN("call", "text_stats", "text=a", "--url", url);
    tr_auto(ran) struct ran left_out = RUN("call", "translate", "text=a", "--url", url);
    const int code = program_stop(&gateway.running, SIGINT);

    assert_int_equal(chosen.code, TR_EXIT_OK);
    assert_contains(left_out.out, "unknown_tool");
    assert_null(json_object_get(gateway.line, "key"));
    assert_int_equal(code, TR_EXIT_OK);
    json_decref(gateway.line);
}

static void serve_refuses_an_address_that_is_taken(void **state)
{
    (void)state;
    static const char *const arguments[] = {
        "serve", "--dev", "--json", "--listen", "127.0.0.1:0", NULL,
    };
    struct announced gateway;
    announce(&gateway, arguments);
    const char *address = text_of(gateway.line, "url") + strlen("http://");

    tr_auto(ran) struct ran second = RUN("serve", "--dev", "--listen", address);
    const int code = program_stop(&gateway.running, SIGTERM);

    assert_int_equal(second.code, TR_EXIT_REFUSED);
    assert_contains(second.err, address);
    assert_int_equal(code, TR_EXIT_OK);
    json_decref(gateway.line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cli_ends_with_the_code_of_the_contract_and_says_why),
        cmocka_unit_test(cli_speaks_to_people_on_a_terminal),
        cmocka_unit_test(call_reads_parameters_from_standard_input_and_words_go_over_them),
        cmocka_unit_test(call_reads_parameters_from_a_file),
        cmocka_unit_test(check_names_file_line_key_and_reason),
        cmocka_unit_test(check_refuses_what_no_tool_and_no_suite_knows),
        cmocka_unit_test(check_notes_keys_that_have_expired),
        cmocka_unit_test(a_line_break_in_a_key_does_not_break_the_line_of_its_refusal),
        cmocka_unit_test(key_new_prints_a_key_and_a_configuration_that_knows_it),
        cmocka_unit_test(cli_survives_an_output_that_nobody_reads),
        cmocka_unit_test(cli_complains_about_a_full_disk),
        cmocka_unit_test(serve_dev_announces_a_key_that_works_and_ends_on_sigterm),
        cmocka_unit_test(serve_reads_the_configuration_and_ends_on_sigint),
        cmocka_unit_test(serve_refuses_an_address_that_is_taken),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
