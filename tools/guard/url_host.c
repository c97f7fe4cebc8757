#include "tools/guard/url_host.h"

#include <arpa/inet.h>
#include <string.h>

enum { MAX_LABEL_BYTES = 63 };

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex_digit(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f');
}

static bool is_name_byte(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_';
}

static bool is_run(const char *text, bool (*is_in)(char byte))
{
    while (is_in(*text)) {
        text++;
    }
    return *text == '\0';
}

/* Would an IPv4 parser take the name for an address? Those of inet_aton() and of browsers do when
 * the last label is decimal, octal or hexadecimal. */
static bool ends_in_number(const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *label = dot != NULL ? dot + 1 : name;
    if (label[0] == '0' && label[1] == 'x') {
        return is_run(label + 2, is_hex_digit);
    }
    return label[0] != '\0' && is_run(label, is_digit);
}

static const char *label_fault(const char *label, size_t length)
{
    if (length == 0 || length > MAX_LABEL_BYTES) {
        return "the host has a part that is empty or longer than 63 characters";
    }
    if (label[0] == '-' || label[length - 1] == '-') {
        return "the host has a part that starts or ends with a hyphen";
    }
    for (size_t i = 0; i < length; i++) {
        if (label[i] == '%') {
            return "the host must not be percent-encoded";
        }
        if (!is_name_byte(label[i])) {
            return "the host has a character that no host name has";
        }
    }
    return NULL;
}

static const char *name_fault(const char *name)
{
    for (;;) {
        const size_t length = strcspn(name, ".");
        const char *fault = label_fault(name, length);
        if (fault != NULL || name[length] == '\0') {
            return fault;
        }
        name += length + 1;
    }
}

static const char *read_v6(const char *bytes, size_t length, struct tr_host *host)
{
    char text[INET6_ADDRSTRLEN];
    const size_t inner = length - 2; /* without the brackets */
    if (length < 4 || bytes[length - 1] != ']' || inner >= sizeof(text)) {
        return "the brackets hold no IPv6 address";
    }
    memcpy(text, bytes + 1, inner);
    text[inner] = '\0';
    if (strlen(text) != inner || inet_pton(AF_INET6, text, host->address) != 1) {
        return "the brackets hold no IPv6 address";
    }
    (void)inet_ntop(AF_INET6, host->address, host->text, sizeof(host->text));
    host->kind = TR_HOST_V6;
    return NULL;
}

static const char *read_name(const char *bytes, size_t length, struct tr_host *host)
{
    const bool has_final_dot = length > 1 && bytes[length - 1] == '.';
    const size_t kept = length - (has_final_dot ? 1 : 0);
    if (kept >= sizeof(host->text)) {
        return "the host is longer than 253 characters";
    }
    for (size_t i = 0; i < kept; i++) {
        if (bytes[i] == '\0' || (unsigned char)bytes[i] > 0x7f) {
            return "the host must be ASCII: write an international name in its xn-- form";
        }
        host->text[i] = lower(bytes[i]);
    }
    host->text[kept] = '\0';
    host->kind = TR_HOST_NAME;
    if (ends_in_number(host->text)) {
        host->kind = TR_HOST_V4;
        const bool is_v4 = !has_final_dot && inet_pton(AF_INET, host->text, host->address) == 1;
        return is_v4 ? NULL : "an IPv4 address must be written as four decimal numbers";
    }
    return name_fault(host->text);
}

bool tr_host_read(const char *bytes, size_t length, struct tr_host *ret_host,
                  const char **ret_reason)
{
    struct tr_host host = { .kind = TR_HOST_NONE };
    const char *reason = "the URL has no host";
    if (length != 0) {
        reason = bytes[0] == '[' ? read_v6(bytes, length, &host) : read_name(bytes, length, &host);
    }
    if (reason != NULL) {
        *ret_reason = reason;
        return false;
    }
    *ret_host = host;
    return true;
}

bool tr_host_matches(const struct tr_host *host, const char *pattern)
{
    if (pattern[0] != '*') {
        return strcmp(host->text, pattern) == 0;
    }
    const char *suffix = pattern + 1; /* ".example.com" */
    const size_t length = strlen(host->text);
    const size_t suffix_length = strlen(suffix);
    return host->kind == TR_HOST_NAME && length > suffix_length
           && strcmp(host->text + length - suffix_length, suffix) == 0;
}
