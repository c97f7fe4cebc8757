#include "tools/core/glob.h"

#include <stddef.h>
#include <string.h>

#include "tools/core/limits.h"
#include "tools/core/utf8.h"

bool tr_glob_is_valid(const char *glob)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-*?";
    const size_t length = strspn(glob, allowed);
    return length != 0 && length <= TR_MAX_TOOL_NAME_BYTES && glob[length] == '\0';
}

/* Bytes of the character at `text`, which is not at its end. */
static size_t character(const char *text)
{
    const size_t length = strnlen(text, 4);
    const size_t bytes = tr_utf8_next(text, length, NULL);
    return bytes != 0 ? bytes : 1;
}

bool tr_glob_match(const char *glob, const char *text)
{
    /* After a mismatch the last '*' takes one character more; earlier ones need no second try. */
    const char *after_star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*glob == '*') {
            after_star = ++glob;
            retry = text;
        } else if (*glob == '?') {
            glob++;
            text += character(text);
        } else if (*glob == *text) {
            glob++;
            text++;
        } else if (after_star != NULL) {
            glob = after_star;
            retry += character(retry);
            text = retry;
        } else {
            return false;
        }
    }
    glob += strspn(glob, "*");
    return *glob == '\0';
}
