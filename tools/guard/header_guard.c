#include "tools/guard/header_guard.h"

#include <string.h>

#include "tools/core/descriptor.h"
#include "tools/core/utf8.h"

/* ---- the names ---- */

/* In lower case with hyphens; '*' at the end stands for anything, at the start too. */

/* RFC 9110 section 7.6.1, and what else ends at the next hop. */
static const char *const hop_by_hop[] = {
    "alt-used", "connection", "early-data", "http2-settings",    "keep-alive",
    "proxy-*",  "te",         "trailer",    "transfer-encoding", "upgrade",
};

/* The client library writes these itself. Two spellings of the length of a body are an attack on
 * whoever reads it; the encodings of the answer are those that we can undo under a limit. */
static const char *const managed[] = {
    "accept-encoding", "content-length", "expect", "host", "sec-*", "via",
};

static const char *const spoofable[] = {
    /* where from */
    "cf-connecting-ip*",
    "client-ip",
    "fastly-client-ip",
    "forwarded",
    "forwarded-*",
    "remote-addr",
    "remote-host",
    "true-client-ip",
    "x-azure-*ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-coming-from",
    "x-envoy-*",
    "x-forwarded",
    "x-forwarded-*",
    "x-originating-*",
    "x-proxyuser-ip",
    "x-real-*",
    "x-remote-*",
    /* who */
    "remote-user*",
    "ssl-client-*",
    "x-amzn-oidc-*",
    "x-appengine-*",
    "x-auth-request-*",
    "x-auth-roles",
    "x-auth-subject",
    "x-auth-user*",
    "x-authenticated-*",
    "x-client-cert*",
    "x-consumer-*",
    "x-credential-*",
    "x-goog-authenticated-*",
    "x-goog-iap-*",
    "x-ms-client-principal*",
    "x-ssl-*",
    "x-user",
    "x-user-*",
    "x-username",
    "x-webauth-*",
    /* what */
    "x-host",
    "x-http-host-*",
    "x-http-method*",
    "x-method-override",
    "x-original-*",
    "x-rewrite-*",
};

/* Without one of these, the metadata services of clouds do not answer. */
static const char *const metadata[] = {
    "metadata", "metadata-*", "x-aws-ec2-metadata-*", "x-google-metadata-*", "x-metadata-*",
};

static const char *const credentials[] = {
    "*api-key", "*apikey", "*access-key",   "*auth-key", "*subscription-key", "*password",
    "*secret",  "*token",  "authorization", "cookie",    "x-authorization",   "x-auth-email",
};

/* They describe the call, or are written anew for the request to the upstream. */
static const char *const of_the_call[] = { "content-*", "traceparent", "tracestate" };

static const char *const cookies[] = { "set-cookie", "set-cookie2" };

static const char *const steering[] = {
    "x-accel-*",
    "x-lighttpd-send*",
    "x-reproxy-*",
    "x-sendfile*",
};

static char canonical(char byte)
{
    if (byte >= 'A' && byte <= 'Z') {
        return (char)(byte - 'A' + 'a');
    }
    return byte == '_' ? '-' : byte;
}

static bool is_same(const char *name, const char *pattern, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (canonical(name[i]) != pattern[i]) {
            return false;
        }
    }
    return true;
}

/* At most one '*', at any place. */
static bool matches(const char *name, size_t length, const char *pattern)
{
    const size_t head = strcspn(pattern, "*");
    if (pattern[head] == '\0') {
        return length == head && is_same(name, pattern, head);
    }
    const char *tail_pattern = pattern + head + 1;
    const size_t tail = strlen(tail_pattern);
    return length >= head + tail && is_same(name, pattern, head)
           && is_same(name + length - tail, tail_pattern, tail);
}

static bool is_listed(const char *name, size_t length, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (matches(name, length, patterns[i])) {
            return true;
        }
    }
    return false;
}

bool tr_header_guard_is_spoofable(const char *name, size_t name_length)
{
    return is_listed(name, name_length, spoofable, TR_COUNT_OF(spoofable));
}

/* A list of names and what becomes of them, with the reason. */
struct rule {
    const char *const *patterns;
    size_t count;
    enum tr_header_verdict verdict;
    const char *reason;
};

#define PATTERNS(list) .patterns = (list), .count = TR_COUNT_OF(list)

static enum tr_header_verdict judge_name(const struct rule *rules, size_t count,
                                         const struct tr_header_field *field,
                                         const char **ret_reason)
{
    for (size_t i = 0; i < count; i++) {
        if (is_listed(field->name, field->name_length, rules[i].patterns, rules[i].count)) {
            *ret_reason = rules[i].reason;
            return rules[i].verdict;
        }
    }
    return TR_HEADER_PASS;
}

/* ---- the bytes ---- */

static bool is_token(const char *bytes, size_t length)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < length; i++) {
        const char byte = bytes[i];
        const bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        const bool is_digit = byte >= '0' && byte <= '9';
        if (!is_letter && !is_digit && (byte == '\0' || strchr(marks, byte) == NULL)) {
            return false;
        }
    }
    return length != 0;
}

/* Not other characters: a server that cuts U+560A down to a byte has a line break. */
static bool is_plain(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\t' && (bytes[i] < ' ' || bytes[i] > '~')) {
            return false;
        }
    }
    return true;
}

/* "%0d", "%0A" or "%00", which a careless server decodes before it looks for line breaks. */
static bool has_encoded_break(const char *bytes, size_t length)
{
    for (size_t i = 0; i + 2 < length; i++) {
        if (bytes[i] == '%' && bytes[i + 1] == '0' && strchr("aAdD0", bytes[i + 2]) != NULL
            && bytes[i + 2] != '\0') {
            return true;
        }
    }
    return false;
}

_Static_assert(TR_MAX_HEADER_NAME_BYTES == 128 && TR_MAX_HEADER_VALUE_BYTES == 8192
                   && TR_MAX_OUT_HEADERS == 64 && TR_MAX_OUT_HEADER_BYTES == 16384,
               "the sentences below say these numbers");

static const char *fault_of(const struct tr_header_field *field)
{
    if (field->name_length > TR_MAX_HEADER_NAME_BYTES) {
        return "a name must not be longer than 128 bytes";
    }
    if (!is_token(field->name, field->name_length)
        || has_encoded_break(field->name, field->name_length)) {
        return "a name consists of letters, digits and hyphens";
    }
    if (field->value_length > TR_MAX_HEADER_VALUE_BYTES) {
        return "a value must not be longer than 8192 bytes";
    }
    if (!is_plain(field->value, field->value_length)) {
        return "a value must be printable ASCII: encode other characters";
    }
    if (has_encoded_break(field->value, field->value_length)) {
        return "a value must not hold a line break or NUL, percent-encoded or not";
    }
    return NULL;
}

/* ---- going out ---- */

enum tr_header_verdict tr_header_guard_out(const struct tr_header_field *field,
                                           const char **ret_reason)
{
    static const struct rule rules[] = {
        { PATTERNS(hop_by_hop), TR_HEADER_REMOVE, "it is for one connection only" },
        { PATTERNS(managed), TR_HEADER_REMOVE, "the gateway sets it itself" },
        { PATTERNS(spoofable), TR_HEADER_REMOVE, "it claims an identity, an origin or a meaning" },
        { PATTERNS(metadata), TR_HEADER_REMOVE, "it opens the metadata services of clouds" },
        { PATTERNS(credentials), TR_HEADER_WARN, "it sends a credential to the upstream" },
    };
    const char *reason = fault_of(field);
    const enum tr_header_verdict verdict =
        reason != NULL ? TR_HEADER_REFUSE : judge_name(rules, TR_COUNT_OF(rules), field, &reason);
    if (ret_reason != NULL) {
        *ret_reason = reason;
    }
    return verdict;
}

static bool is_same_name(const struct tr_header_field *left, const struct tr_header_field *right)
{
    if (left->name_length != right->name_length) {
        return false;
    }
    for (size_t i = 0; i < left->name_length; i++) {
        if (canonical(left->name[i]) != canonical(right->name[i])) {
            return false;
        }
    }
    return true;
}

static bool is_repeated(const struct tr_header_field *fields, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (is_same_name(&fields[i], &fields[index])) {
            return true;
        }
    }
    return false;
}

static const char *fault_of_all(const struct tr_header_field *fields, size_t count)
{
    size_t bytes = 0;
    if (count > TR_MAX_OUT_HEADERS) {
        return "there must not be more than 64";
    }
    for (size_t i = 0; i < count; i++) {
        const char *fault = fault_of(&fields[i]);
        if (fault != NULL) {
            return fault;
        }
        bytes += fields[i].name_length + fields[i].value_length;
        if (bytes > TR_MAX_OUT_HEADER_BYTES) {
            return "all together must not be longer than 16384 bytes";
        }
        if (is_repeated(fields, i)) {
            return "a name must be there once only, whatever its case";
        }
    }
    return NULL;
}

enum tr_header_verdict tr_header_guard_out_all(const struct tr_header_field *fields, size_t count,
                                               const char **ret_reason)
{
    const char *reason = fault_of_all(fields, count);
    if (ret_reason != NULL) {
        *ret_reason = reason;
    }
    return reason != NULL ? TR_HEADER_REFUSE : TR_HEADER_PASS;
}

/* ---- passed on ---- */

bool tr_header_guard_may_forward(const char *name, const char **ret_reason)
{
    const struct tr_header_field field = {
        .name = name,
        .name_length = strlen(name),
        .value = "",
    };
    enum tr_header_verdict verdict = tr_header_guard_out(&field, ret_reason);
    if (verdict == TR_HEADER_PASS
        && is_listed(name, field.name_length, of_the_call, TR_COUNT_OF(of_the_call))) {
        *ret_reason = "it is about the call itself";
        verdict = TR_HEADER_REMOVE;
    }
    return verdict == TR_HEADER_PASS;
}

bool tr_header_guard_is_same_name(const char *left, const char *right)
{
    const struct tr_header_field fields[] = {
        { .name = left, .name_length = strlen(left) },
        { .name = right, .name_length = strlen(right) },
    };
    return is_same_name(&fields[0], &fields[1]);
}

/* ---- coming back ---- */

/* JSON can hold it, and a person can read it. */
static bool is_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t point = 0;
        const size_t step = tr_utf8_next(bytes + i, length - i, &point);
        if (step == 0 || (point < ' ' && point != '\t') || (point >= 0x7f && point < 0xa0)) {
            return false;
        }
        i += step;
    }
    return true;
}

enum tr_header_verdict tr_header_guard_back(const struct tr_header_field *field,
                                            const char **ret_reason)
{
    static const struct rule rules[] = {
        { PATTERNS(cookies), TR_HEADER_REMOVE, "it is a credential of the upstream's" },
        { PATTERNS(hop_by_hop), TR_HEADER_REMOVE, "it is for one connection only" },
        { PATTERNS(steering), TR_HEADER_REMOVE, "it is for a proxy" },
    };
    const char *reason = NULL;
    enum tr_header_verdict verdict = TR_HEADER_REMOVE;
    if (field->name_length > TR_MAX_HEADER_NAME_BYTES
        || field->value_length > TR_MAX_HEADER_VALUE_BYTES) {
        reason = "it is too long";
    } else if (!is_token(field->name, field->name_length)
               || !is_text(field->value, field->value_length)) {
        reason = "it is no text";
    } else {
        verdict = judge_name(rules, TR_COUNT_OF(rules), field, &reason);
    }
    if (ret_reason != NULL) {
        *ret_reason = reason;
    }
    return verdict;
}
