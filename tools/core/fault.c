#include "tools/core/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/core/utf8.h"

/* Cut at a character when the text did not fit. */
static void end_at_character(char *text, size_t room, int wanted)
{
    if (wanted >= 0 && (size_t)wanted >= room) {
        text[tr_utf8_cut(text, room - 1)] = '\0';
    }
}

enum tr_status tr_refuse(enum tr_status status, struct tr_fault *fault, const char *where,
                         const char *format, ...)
{
    if (fault == NULL) {
        return status;
    }
    /* Both texts may be made from the old content of the same fault. */
    struct tr_fault made = { .where = "" };
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(made.what, sizeof(made.what), format, args);
    va_end(args);
    end_at_character(made.what, sizeof(made.what), wanted);
    wanted = snprintf(made.where, sizeof(made.where), "%s", where != NULL ? where : "");
    end_at_character(made.where, sizeof(made.where), wanted);
    *fault = made;
    return status;
}
