/* corpus_judge KIND [--except FILE] FILE... - judges the rows of corpus files by the product's
 * code.
 *
 * Names each row that fails, with what it wants and what came, and ends with "N passed, N failed",
 * followed by ", N skipped" for rows that this program has no means to judge.
 * The exit code is 0 when all passed, 1 when one failed or none was judged, 2 for a wrong command
 * line. A row whose id stands in the exceptions file (id and reason, a line each) counts neither as
 * passed nor as failed; one that passes all the same is a failure, because its entry is stale. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/contract/judge.h"

enum { MAX_TEXT_BYTES = 64 * 1024 * 1024, MAX_SHOWN_BYTES = 400, MAX_ID_BYTES = 64 };

static const struct judge_kind {
    const char *name;
    judge_fn *judge;
} kinds[] = {
    { "coerce", judge_coerce },       { "headers", judge_headers },
    { "json_body", judge_json_body }, { "json_schema", judge_json_schema },
    { "paths", judge_paths },         { "ssrf", judge_ssrf },
};

/* One run over all files. */
struct tally {
    const struct judge_kind *kind;
    const char *exceptions; /* path, or NULL */
    size_t passed, failed, excepted, skipped;
};

void judge_fail(struct judgement *judgement, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    judgement->has_passed = false;
    tr_text_add_string(&judgement->came, text);
}

static const struct judge_kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Is `id` the first word of a line? */
static bool is_excepted(const char *path, const char *id)
{
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    if (file == NULL) {
        return false;
    }
    bool is_found = false;
    char *line = NULL;
    size_t room = 0;
    while (!is_found && getline(&line, &room, file) >= 0) {
        const size_t length = strcspn(line, " \t\r\n");
        is_found = length == strlen(id) && strncmp(line, id, length) == 0;
    }
    free(line);
    (void)fclose(file);
    return is_found;
}

static void count(struct tally *tally, const char *id, const struct judgement *judgement)
{
    const bool is_exception = is_excepted(tally->exceptions, id);
    if (judgement->is_skipped) {
        tally->skipped++;
        (void)printf("SKIP %s %s: wants %.*s\n", tally->kind->name, id, MAX_SHOWN_BYTES,
                     tr_text_string(&judgement->wanted));
        return;
    }
    if (is_exception && !judgement->has_passed) {
        tally->excepted++;
        return;
    }
    if (is_exception) {
        (void)printf("FAIL %s %s: is listed as an exception, but passes\n", tally->kind->name, id);
    }
    if (judgement->has_passed && !is_exception) {
        tally->passed++;
        return;
    }
    tally->failed++;
    (void)printf("FAIL %s %s: wanted %.*s, came %.*s\n", tally->kind->name, id, MAX_SHOWN_BYTES,
                 tr_text_string(&judgement->wanted), MAX_SHOWN_BYTES,
                 tr_text_string(&judgement->came));
}

/* jansson has no NUL in a key. Another control character takes its place, which is as wrong. */
static json_t *read_row(char *line, size_t length)
{
    json_t *row = json_loadb(line, length, JSON_ALLOW_NUL, NULL);
    if (row != NULL) {
        return row;
    }
    for (char *at = line; (at = strstr(at, "\\u0000")) != NULL;) {
        memcpy(at, "\\u0001", strlen("\\u0001"));
    }
    return json_loadb(line, length, JSON_ALLOW_NUL, NULL);
}

static void judge_line(struct tally *tally, char *line, size_t length, size_t number)
{
    struct judgement judgement = { 0 };
    tr_text_init(&judgement.wanted, MAX_TEXT_BYTES);
    tr_text_init(&judgement.came, MAX_TEXT_BYTES);
    json_auto_t *row = read_row(line, length);
    char id[MAX_ID_BYTES];
    const char *given = json_string_value(json_object_get(row, "id"));
    (void)snprintf(id, sizeof(id), "line-%zu", number);
    if (given != NULL) {
        (void)snprintf(id, sizeof(id), "%s", given);
    }
    if (json_is_object(row)) {
        tally->kind->judge(row, &judgement);
    } else {
        judge_fail(&judgement, "a line that is no JSON object");
    }
    count(tally, id, &judgement);
    tr_text_done(&judgement.wanted);
    tr_text_done(&judgement.came);
}

static bool judge_file(struct tally *tally, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)fprintf(stderr, "corpus_judge: cannot open %s\n", path);
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    size_t number = 0;
    for (ssize_t length = 0; (length = getline(&line, &room, file)) >= 0;) {
        number++;
        if (strspn(line, " \t\r\n") < (size_t)length) {
            judge_line(tally, line, (size_t)length, number);
        }
    }
    free(line);
    (void)fclose(file);
    return true;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: corpus_judge KIND [--except FILE] FILE...\nkinds:");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        (void)fprintf(stderr, " %s", kinds[i].name);
    }
    (void)fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct tally tally = { .kind = argc > 1 ? find_kind(argv[1]) : NULL };
    if (tally.kind == NULL) {
        return usage();
    }
    bool are_read = true;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--except") != 0) {
            are_read = judge_file(&tally, argv[i]) && are_read;
        } else if (i + 1 < argc) {
            tally.exceptions = argv[++i];
        } else {
            return usage();
        }
    }
    if (tally.excepted > 0) {
        (void)printf("%zu excepted\n", tally.excepted);
    }
    (void)printf("%zu passed, %zu failed", tally.passed, tally.failed);
    if (tally.skipped > 0) {
        (void)printf(", %zu skipped", tally.skipped);
    }
    (void)printf("\n");
    return are_read && tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}
