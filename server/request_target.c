#include "server/request_target.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "tools/core/utf8.h"

enum { HIGHEST_PORT_DIGITS = 5 };

static int hex_digit(char byte)
{
    if (byte >= '0' && byte <= '9') {
        return byte - '0';
    }
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The byte that "%XX" at `text` stands for, -1 when it is none. */
static int escaped_byte(const char *text)
{
    const int high = hex_digit(text[1]);
    const int low = high < 0 ? -1 : hex_digit(text[2]);
    return low < 0 ? -1 : high * 16 + low;
}

/* What is wrong with the bytes of the target, NULL when nothing is. */
static const char *bytes_complaint(const char *raw)
{
    for (const char *at = raw; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte <= ' ' || byte >= 0x7F) {
            return "holds a byte that must be percent-encoded";
        }
        if (byte == '#') {
            return "holds a fragment";
        }
        if (byte == '%' && escaped_byte(at) < 0) {
            return "holds a '%' without two hex digits";
        }
        if (byte == '%' && escaped_byte(at) == 0) {
            return "holds an encoded NUL";
        }
    }
    return NULL;
}

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

/* The bytes of the host at the start of `text`, 0 when there is none. */
static size_t host_length(const char *text, size_t length)
{
    size_t at = 0;
    if (length == 0 || text[0] != '[') {
        while (at < length && is_name_byte(text[at])) {
            at++;
        }
        return at;
    }
    for (at = 1; at < length && text[at] != ']'; at++) {
        if (!isxdigit((unsigned char)text[at]) && text[at] != ':' && text[at] != '.') {
            return 0;
        }
    }
    return at < length && at > 1 ? at + 1 : 0;
}

bool tr_authority_is_valid(const char *text, size_t length)
{
    const size_t host = host_length(text, length);
    if (host == 0) {
        return false;
    }
    if (host == length) {
        return true;
    }
    if (text[host] != ':' || length - host - 1 > HIGHEST_PORT_DIGITS) {
        return false;
    }
    for (size_t at = host + 1; at < length; at++) {
        if (!isdigit((unsigned char)text[at])) {
            return false;
        }
    }
    return true;
}

/* Where the path begins; NULL when `raw` is neither the origin form nor the absolute form of http
 * or https. An absolute form without a path points to its query or its end. */
static const char *path_start(const char *raw)
{
    if (raw[0] == '/') {
        return raw;
    }
    const size_t scheme = strncasecmp(raw, "http://", 7) == 0    ? 7
                          : strncasecmp(raw, "https://", 8) == 0 ? 8
                                                                 : 0;
    const char *authority = raw + scheme;
    const size_t length = strcspn(authority, "/?");
    if (scheme == 0 || !tr_authority_is_valid(authority, length)) {
        return NULL;
    }
    return authority + length;
}

/* Undo the percent-encoding of `length` bytes into `out`, which is as long and zeroed. */
static const char *decode(const char *raw, size_t length, char *out)
{
    for (size_t at = 0; at < length; at++) {
        if (raw[at] != '%') {
            *out++ = raw[at];
            continue;
        }
        const int byte = escaped_byte(raw + at);
        if (byte == '/') {
            return "holds an encoded '/'";
        }
        if (byte < ' ' || byte == 0x7F) {
            return "holds an encoded control character";
        }
        *out++ = (char)byte;
        at += 2;
    }
    return NULL;
}

static const char *utf8_complaint(const char *path)
{
    for (size_t left = strlen(path); left != 0;) {
        const size_t bytes = tr_utf8_next(path, left, NULL);
        if (bytes == 0) {
            return "is not UTF-8 once decoded";
        }
        path += bytes;
        left -= bytes;
    }
    return NULL;
}

/* Look at each segment of the decoded path. */
static const char *segments_complaint(const char *path)
{
    while (*path == '/') {
        const size_t length = strcspn(++path, "/");
        if (length == 0 && path[0] == '/') {
            return "holds an empty segment";
        }
        if ((length == 1 && path[0] == '.') || (length == 2 && path[0] == '.' && path[1] == '.')) {
            return "holds a '.' or '..' segment";
        }
        path += length;
    }
    return NULL;
}

static void drop_trailing_slash(char *path)
{
    const size_t length = strlen(path);
    if (length > 1 && path[length - 1] == '/') {
        path[length - 1] = '\0';
    }
}

/* The decoded path of `length` raw bytes in *ret_path; the complaint otherwise. */
static enum tr_status decode_path(struct tr_arena *arena, const char *raw, size_t length,
                                  const char **ret_path, struct tr_fault *reterr)
{
    char *path = tr_arena_alloc(arena, length + 2, 1);
    if (path == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "Out of memory");
    }
    const char *complaint = decode(raw, length, path);
    if (length == 0) {
        path[0] = '/';
    }
    if (complaint == NULL) {
        complaint = utf8_complaint(path);
    }
    if (complaint == NULL) {
        complaint = segments_complaint(path);
    }
    if (complaint != NULL) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The path of the request %s", complaint);
    }
    drop_trailing_slash(path);
    *ret_path = path;
    return TR_OK;
}

enum tr_status tr_target_parse(struct tr_arena *arena, const char *raw, bool allows_asterisk,
                               struct tr_target *ret_target, struct tr_fault *reterr)
{
    if (allows_asterisk && strcmp(raw, "*") == 0) {
        *ret_target = (struct tr_target){ .path = "*", .query = "" };
        return TR_OK;
    }
    const char *complaint = bytes_complaint(raw);
    if (complaint != NULL) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The request target %s", complaint);
    }
    const char *start = path_start(raw);
    if (start == NULL) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "The request target must be a path, or an http or https URL");
    }
    const size_t length = strcspn(start, "?");
    struct tr_target target = { .query = start[length] == '?' ? start + length + 1 : "" };
    TR_TRY(decode_path(arena, start, length, &target.path, reterr));
    *ret_target = target;
    return TR_OK;
}
