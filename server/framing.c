#include "server/framing.h"

#include <string.h>

#include "server/request_target.h"

/* Headers that may occur once: with two of them, two readers could go by different ones. */
static const enum tr_known_header singles[] = {
    TR_HEADER_HOST,          TR_HEADER_CONTENT_LENGTH, TR_HEADER_TRANSFER_ENCODING,
    TR_HEADER_AUTHORIZATION, TR_HEADER_X_API_KEY,      TR_HEADER_CONTENT_TYPE,
    TR_HEADER_EXPECT,
};

enum { INT64_SAFE_DIGITS = 18 };

enum { IN_TOKEN = 1, IN_VALUE = 2 };

/* Where a byte may stand: in a token (RFC 9110 section 5.6.2), in a field value (section 5.5).
 * Every byte of every head is looked up. */
static const unsigned char places[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, /* 0x00 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 0x10 */
    2, 3, 2, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2, 3, 3, 2, /* 0x20 */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, /* 0x30 */
    2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, /* 0x40 */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 3, 3, /* 0x50 */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, /* 0x60 */
    3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 3, 2, 3, 0, /* 0x70 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x80 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0x90 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xA0 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xB0 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xC0 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xD0 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xE0 */
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, /* 0xF0 */
};

static bool are_all(const char *text, size_t length, unsigned char place)
{
    unsigned char common = place;
    for (size_t at = 0; at < length; at++) {
        common &= places[(unsigned char)text[at]];
    }
    return common != 0;
}

static bool is_token(const char *text, size_t length)
{
    return length != 0 && are_all(text, length, IN_TOKEN);
}

static enum tr_status check_header(const struct tr_header *header, struct tr_fault *reterr)
{
    if (!is_token(header->name, header->name_length)) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "A header has a name that is no token");
    }
    if (!are_all(header->value, header->value_length, IN_VALUE)) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "The header '%.*s' holds a control character", (int)header->name_length,
                         header->name);
    }
    return TR_OK;
}

static enum tr_status check_singles(const struct tr_header_index *known, struct tr_fault *reterr)
{
    for (size_t at = 0; known->repeated != 0 && at < sizeof(singles) / sizeof(singles[0]); at++) {
        if ((known->repeated >> singles[at] & 1u) != 0) {
            return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The header '%s' is given twice",
                             tr_known_header_name(singles[at]));
        }
    }
    return TR_OK;
}

static enum tr_status check_host(struct tr_value host, bool is_required, struct tr_fault *reterr)
{
    if (host.bytes == NULL) {
        return is_required ? tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The header 'Host' is missing")
                           : TR_OK;
    }
    if (!tr_authority_is_valid(host.bytes, host.length)) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "The header 'Host' must be a host name or address with an optional port");
    }
    return TR_OK;
}

static enum tr_status read_content_length(struct tr_value value, int64_t *ret_length,
                                          struct tr_fault *reterr)
{
    int64_t length = 0;
    size_t digits = 0;
    for (size_t at = 0; at < value.length; at++) {
        const char byte = value.bytes[at];
        if (byte < '0' || byte > '9') {
            return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                             "The header 'Content-Length' must be a whole number");
        }
        digits += length != 0 || byte != '0';
        length = digits <= INT64_SAFE_DIGITS ? length * 10 + (byte - '0') : length;
    }
    if (value.length == 0) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The header 'Content-Length' is empty");
    }
    if (digits > INT64_SAFE_DIGITS) {
        return tr_refuse(TR_BODY_TOO_LARGE, reterr, NULL,
                         "The header 'Content-Length' is too large");
    }
    *ret_length = length;
    return TR_OK;
}

/* Exactly: libmicrohttpd below 1.0 takes "chunked" with a blank behind it for another coding. */
static bool is_chunked_exactly(const struct tr_request *request)
{
    const struct tr_value coding = request->known.values[TR_HEADER_TRANSFER_ENCODING];
    for (size_t at = 0; at < request->header_count; at++) {
        const struct tr_header *header = &request->headers[at];
        if (header->value == coding.bytes && header->value_length != coding.length) {
            return false;
        }
    }
    return tr_value_is(coding, "chunked");
}

static enum tr_status check_coding(const struct tr_request *request, bool is_http_1_1,
                                   struct tr_fault *reterr)
{
    if (!is_http_1_1) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "HTTP/1.0 has no 'Transfer-Encoding'");
    }
    if (request->known.values[TR_HEADER_CONTENT_LENGTH].bytes != NULL) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "'Content-Length' and 'Transfer-Encoding' exclude each other");
    }
    if (!is_chunked_exactly(request)) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "The header 'Transfer-Encoding' must be 'chunked'");
    }
    return TR_OK;
}

/* What the headers that delimit the message say together. */
static enum tr_status check_known(const struct tr_request *request, bool is_http_1_1,
                                  struct tr_framing *framing, struct tr_fault *reterr)
{
    const struct tr_header_index *known = &request->known;
    TR_TRY(check_singles(known, reterr));
    TR_TRY(check_host(known->values[TR_HEADER_HOST], is_http_1_1, reterr));
    if (known->values[TR_HEADER_TRANSFER_ENCODING].bytes != NULL) {
        TR_TRY(check_coding(request, is_http_1_1, reterr));
        framing->is_chunked = true;
    }
    const struct tr_value length = known->values[TR_HEADER_CONTENT_LENGTH];
    if (length.bytes != NULL) {
        TR_TRY(read_content_length(length, &framing->content_length, reterr));
    }
    return TR_OK;
}

enum tr_status tr_framing_check(const struct tr_request *request, size_t header_limit_bytes,
                                struct tr_framing *ret_framing, struct tr_fault *reterr)
{
    const bool is_http_1_1 = strcmp(request->version, "HTTP/1.1") == 0;
    if (!is_http_1_1 && strcmp(request->version, "HTTP/1.0") != 0) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL,
                         "Only HTTP/1.1 and HTTP/1.0 are spoken here");
    }
    if (request->header_bytes > header_limit_bytes) {
        return tr_refuse(TR_HEADERS_TOO_LARGE, reterr, NULL,
                         "The request head has %zu bytes; %zu are accepted", request->header_bytes,
                         header_limit_bytes);
    }
    if (!is_token(request->method_text, strlen(request->method_text))) {
        return tr_refuse(TR_BAD_REQUEST, reterr, NULL, "The method is no token");
    }
    for (size_t at = 0; at < request->header_count; at++) {
        TR_TRY(check_header(&request->headers[at], reterr));
    }
    struct tr_framing framing = { .content_length = -1 };
    TR_TRY(check_known(request, is_http_1_1, &framing, reterr));
    *ret_framing = framing;
    return TR_OK;
}

/* The start of the line behind the one that `text` ends with, given how the library left the line
 * end: CR and LF both overwritten with NUL. NULL when something else is there. */
static const char *behind_line(const char *text)
{
    while (*text == ' ' || *text == '\t') {
        text++;
    }
    return *text == '\0' ? text + 2 : NULL;
}

bool tr_head_is_plain(const struct tr_head_layout *layout)
{
    if (layout->target != layout->method + strlen(layout->method) + 1
        || layout->version != layout->target + layout->target_length + 1) {
        return false;
    }
    const char *next = behind_line(layout->version + strlen(layout->version));
    for (size_t at = 0; at < layout->header_count; at++) {
        const struct tr_header *header = &layout->headers[at];
        if (header->name != next) {
            return false;
        }
        next = behind_line(header->value + header->value_length);
    }
    return next != NULL && next + 2 == layout->method + layout->head_bytes;
}
