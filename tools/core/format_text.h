/* format_text.h - the ASCII character classes that the format rules are made of; no locale. */
#ifndef TR_TOOLS_CORE_FORMAT_TEXT_H
#define TR_TOOLS_CORE_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool tr_ascii_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static inline bool tr_ascii_is_letter(char byte)
{
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'z';
}

static inline bool tr_ascii_is_alnum(char byte)
{
    return tr_ascii_is_digit(byte) || tr_ascii_is_letter(byte);
}

static inline bool tr_ascii_is_hex(char byte)
{
    const char lower = (char)(byte | 0x20);
    return tr_ascii_is_digit(byte) || (lower >= 'a' && lower <= 'f');
}

/* Is the byte in the C string `set`? NUL never is. */
static inline bool tr_ascii_is_in(char byte, const char *set)
{
    return byte != '\0' && strchr(set, byte) != NULL;
}

#endif
