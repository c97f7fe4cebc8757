/* hostname, ipv4, ipv6, email and uri. */

#include <arpa/inet.h>
#include <netinet/in.h>

#include "tools/core/format_rules.h"
#include "tools/core/format_text.h"

/* ---- names and addresses ---- */

/* RFC 1123 section 2.1: letters, digits and inner hyphens. */
static bool is_label(const char *bytes, size_t length)
{
    enum { MAX_LABEL_BYTES = 63 };
    if (length == 0 || length > MAX_LABEL_BYTES || bytes[0] == '-' || bytes[length - 1] == '-') {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (!tr_ascii_is_alnum(bytes[i]) && bytes[i] != '-') {
            return false;
        }
    }
    return true;
}

bool tr_is_hostname(const char *bytes, size_t length)
{
    enum { MAX_HOSTNAME_BYTES = 253 };
    if (length > MAX_HOSTNAME_BYTES) {
        return false;
    }
    size_t start = 0;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '.') {
            if (!is_label(bytes + start, i - start)) {
                return false;
            }
            start = i + 1;
        }
    }
    return is_label(bytes + start, length - start);
}

/* inet_pton() knows exactly the two standard notations: no leading zeros, no zone. */
static bool is_address(int family, const char *bytes, size_t length)
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    if (length >= sizeof(text) || memchr(bytes, '\0', length) != NULL) {
        return false;
    }
    memcpy(text, bytes, length);
    text[length] = '\0';
    return inet_pton(family, text, &address) == 1;
}

bool tr_is_ipv4(const char *bytes, size_t length)
{
    return length > 0 && is_address(AF_INET, bytes, length);
}

bool tr_is_ipv6(const char *bytes, size_t length)
{
    return length > 0 && is_address(AF_INET6, bytes, length);
}

/* ---- email: RFC 5321 section 4.1.2, Mailbox ---- */

/* Dot-string: atoms with single dots between them. */
static bool is_dot_string(const char *bytes, size_t length)
{
    bool is_after_dot = true;
    for (size_t i = 0; i < length; i++) {
        const bool is_dot = bytes[i] == '.';
        if (is_dot ? is_after_dot
                   : !tr_ascii_is_alnum(bytes[i])
                         && !tr_ascii_is_in(bytes[i], "!#$%&'*+-/=?^_`{|}~")) {
            return false;
        }
        is_after_dot = is_dot;
    }
    return !is_after_dot;
}

/* Quoted-string, quotes included. */
static bool is_quoted_string(const char *bytes, size_t length)
{
    if (length < 2 || bytes[0] != '"' || bytes[length - 1] != '"') {
        return false;
    }
    for (size_t i = 1; i < length - 1; i++) {
        if (bytes[i] == '\\') {
            i++;
        } else if (bytes[i] == '"') {
            return false;
        }
        if (i == length - 1 || bytes[i] < ' ' || bytes[i] > '~') {
            return false;
        }
    }
    return true;
}

/* Address-literal without its brackets. The tag is of one case in every mail system there is. */
static bool is_address_literal(const char *bytes, size_t length)
{
    static const char tag[] = "IPv6:";
    const size_t tag_length = sizeof(tag) - 1;
    if (length > tag_length && memcmp(bytes, tag, tag_length) == 0) {
        return tr_is_ipv6(bytes + tag_length, length - tag_length);
    }
    return tr_is_ipv4(bytes, length);
}

static bool is_mail_domain(const char *bytes, size_t length)
{
    if (length >= 2 && bytes[0] == '[' && bytes[length - 1] == ']') {
        return is_address_literal(bytes + 1, length - 2);
    }
    return tr_is_hostname(bytes, length);
}

bool tr_is_email(const char *bytes, size_t length)
{
    enum { MAX_LOCAL_BYTES = 64, MAX_MAILBOX_BYTES = 254 };
    size_t at = length;
    while (at > 0 && bytes[at - 1] != '@') {
        at--;
    }
    if (at < 2 || at - 1 > MAX_LOCAL_BYTES || length > MAX_MAILBOX_BYTES) {
        return false;
    }
    const size_t local = at - 1;
    return (is_dot_string(bytes, local) || is_quoted_string(bytes, local))
           && is_mail_domain(bytes + at, length - at);
}

/* ---- uri: RFC 3986 section 3 ---- */

#define SUB_DELIMS "!$&'()*+,;="

/* Every byte unreserved, in `also`, or a complete percent-encoding. */
static bool is_uri_text(const char *bytes, size_t length, const char *also)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '%') {
            if (length - i < 3 || !tr_ascii_is_hex(bytes[i + 1])
                || !tr_ascii_is_hex(bytes[i + 2])) {
                return false;
            }
            i += 2;
        } else if (!tr_ascii_is_alnum(bytes[i]) && !tr_ascii_is_in(bytes[i], "-._~")
                   && !tr_ascii_is_in(bytes[i], also)) {
            return false;
        }
    }
    return true;
}

/* Length of the scheme, 0 when the text does not start with one and its colon. */
static size_t scheme_length(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length && (tr_ascii_is_alnum(bytes[at]) || tr_ascii_is_in(bytes[at], "+-."))) {
        at++;
    }
    const bool is_scheme =
        at > 0 && at < length && bytes[at] == ':' && tr_ascii_is_letter(bytes[0]);
    return is_scheme ? at : 0;
}

/* IPvFuture without its brackets: "v1.anything". */
static bool is_future_address(const char *bytes, size_t length)
{
    size_t at = 1;
    while (at < length && tr_ascii_is_hex(bytes[at])) {
        at++;
    }
    return length > 0 && tr_ascii_is_in(bytes[0], "vV") && at > 1 && at + 1 < length
           && bytes[at] == '.' && memchr(bytes, '%', length) == NULL
           && is_uri_text(bytes + at + 1, length - at - 1, SUB_DELIMS ":");
}

static bool is_port(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!tr_ascii_is_digit(bytes[i])) {
            return false;
        }
    }
    return true;
}

/* host [ ":" port ] */
static bool is_host_and_port(const char *bytes, size_t length)
{
    if (length > 0 && bytes[0] == '[') {
        const char *end = memchr(bytes, ']', length);
        if (end == NULL) {
            return false;
        }
        const size_t inner = (size_t)(end - bytes) - 1;
        const size_t rest = length - inner - 2;
        return (tr_is_ipv6(bytes + 1, inner) || is_future_address(bytes + 1, inner))
               && (rest == 0 || (end[1] == ':' && is_port(end + 2, rest - 1)));
    }
    const char *colon = memchr(bytes, ':', length);
    const size_t host = colon != NULL ? (size_t)(colon - bytes) : length;
    return is_uri_text(bytes, host, SUB_DELIMS)
           && (colon == NULL || is_port(colon + 1, length - host - 1));
}

static bool is_authority(const char *bytes, size_t length)
{
    const char *at = memchr(bytes, '@', length);
    if (at == NULL) {
        return is_host_and_port(bytes, length);
    }
    const size_t user = (size_t)(at - bytes);
    return is_uri_text(bytes, user, SUB_DELIMS ":") && is_host_and_port(at + 1, length - user - 1);
}

/* Everything between the scheme's colon and the query. */
static bool is_hierarchy(const char *bytes, size_t length)
{
    if (length < 2 || bytes[0] != '/' || bytes[1] != '/') {
        return is_uri_text(bytes, length, SUB_DELIMS ":@/");
    }
    const char *path = memchr(bytes + 2, '/', length - 2);
    const size_t end = path != NULL ? (size_t)(path - bytes) : length;
    return is_authority(bytes + 2, end - 2)
           && is_uri_text(bytes + end, length - end, SUB_DELIMS ":@/");
}

/* The offset of `mark` from `start` on, `length` when there is none. */
static size_t find(const char *bytes, size_t start, size_t length, char mark)
{
    const char *found = start < length ? memchr(bytes + start, mark, length - start) : NULL;
    return found != NULL ? (size_t)(found - bytes) : length;
}

bool tr_is_uri(const char *bytes, size_t length)
{
    const size_t scheme = scheme_length(bytes, length);
    if (scheme == 0) {
        return false;
    }
    const size_t fragment = find(bytes, scheme, length, '#');
    const size_t query = find(bytes, scheme, fragment, '?');
    return is_hierarchy(bytes + scheme + 1, query - scheme - 1)
           && (query == fragment
               || is_uri_text(bytes + query + 1, fragment - query - 1, SUB_DELIMS ":@/?"))
           && (fragment == length
               || is_uri_text(bytes + fragment + 1, length - fragment - 1, SUB_DELIMS ":@/?"));
}
