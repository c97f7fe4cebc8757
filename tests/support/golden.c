#include "tests/support/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GOLDEN_BYTES = 1024 * 1024, PATH_BYTES = 1024 };

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* free() the text; "" for a file that is not there. */
static char *read_file(const char *path)
{
    char *text = calloc(1, GOLDEN_BYTES + 1);
    FILE *file = fopen(path, "r");
    assert_non_null(text);
    if (file != NULL) {
        (void)!fread(text, 1, GOLDEN_BYTES, file);
        (void)fclose(file);
    }
    return text;
}

static void print_line(const char *label, const char *line)
{
    print_error("  %s %.*s\n", label, (int)strcspn(line, "\n"), line);
}

static void expect_text(const char *name, const char *have, const char *want)
{
    size_t line = 1;
    const char *line_have = have;
    const char *line_want = want;
    for (size_t i = 0; have[i] == want[i]; i++) {
        if (have[i] == '\0') {
            return;
        }
        if (have[i] == '\n') {
            line++;
            line_have = have + i + 1;
            line_want = want + i + 1;
        }
    }
    print_error("tests/data/%s line %zu differs:\n", name, line);
    print_line("have", line_have);
    print_line("want", line_want);
    fail();
}

void golden_expect(const char *name, const json_t *value)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof(path), "%s/%s", TR_TEST_DATA_DIR, name);
    char *dumped = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    assert_non_null(dumped);
    const size_t length = strlen(dumped);
    char *have = calloc(1, length + 2);
    assert_non_null(have);
    memcpy(have, dumped, length);
    have[length] = '\n';
    free(dumped);
    if (getenv("TR_WRITE_GOLDEN") != NULL) {
        write_file(path, have);
    }
    char *want = read_file(path);
    expect_text(name, have, want);
    free(want);
    free(have);
}
