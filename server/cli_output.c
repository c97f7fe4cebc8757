#include "server/cli_output.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/json.h"
#include "tools/core/text.h"

enum { MAX_LINE_BYTES = 1024, INDENT = 2, DIGITS = 15 };

bool tr_cli_wants_json(const struct tr_cli_options *options)
{
    return options->is_json || !isatty(STDOUT_FILENO);
}

void tr_cli_complain(const char *format, ...)
{
    char line[MAX_LINE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    for (char *byte = line; *byte != '\0'; byte++) {
        if ((unsigned char)*byte < ' ' || *byte == '\x7f') {
            *byte = '?';
        }
    }
    (void)fprintf(stderr, "%s\n", line);
}

enum tr_exit tr_cli_refuse(const struct tr_fault *fault)
{
    tr_cli_complain("%s%s%s", fault->where, fault->where[0] != '\0' ? ": " : "", fault->what);
    return TR_EXIT_REFUSED;
}

enum tr_exit tr_cli_refuse_memory(void)
{
    tr_cli_complain("toolrest: out of memory");
    return TR_EXIT_REFUSED;
}

enum tr_exit tr_cli_print_text(const char *json_text)
{
    (void)printf("%s\n", json_text);
    return TR_EXIT_OK;
}

static enum tr_exit print_indented(const json_t *value)
{
    const size_t flags = JSON_INDENT(INDENT) | JSON_REAL_PRECISION(DIGITS) | JSON_ENCODE_ANY;
    char *text = json_dumps(value, flags);
    if (text == NULL) {
        return tr_cli_refuse_memory();
    }
    const enum tr_exit code = tr_cli_print_text(text);
    free(text);
    return code;
}

static enum tr_exit print_compact(const json_t *value)
{
    tr_auto(text) struct tr_text out = { 0 };
    tr_text_init(&out, SIZE_MAX / 2);
    tr_json_write(&out, value);
    return out.status == TR_OK ? tr_cli_print_text(tr_text_string(&out)) : tr_cli_refuse_memory();
}

enum tr_exit tr_cli_print_json(json_t *value)
{
    json_auto_t *owned = value;
    if (owned == NULL) {
        return tr_cli_refuse_memory();
    }
    return isatty(STDOUT_FILENO) ? print_indented(owned) : print_compact(owned);
}

static bool has_reader_left(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

bool tr_cli_flush(void)
{
    errno = 0;
    if ((fflush(stdout) == 0 && ferror(stdout) == 0) || has_reader_left()) {
        return true;
    }
    tr_cli_complain("toolrest: cannot write to standard output: %s",
                    errno != 0 ? strerror(errno) : "an earlier write failed");
    return false;
}
