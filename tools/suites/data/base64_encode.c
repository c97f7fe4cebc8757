/* base64_encode - a text, or bytes given as hexadecimal digits, as base64. */

#include <string.h>

#include "tools/suites/data/base64.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/hex.h"

enum base64_encode_input { BASE64_ENCODE_INPUT_ABSENT, BASE64_ENCODE_TEXT, BASE64_ENCODE_HEX };
enum base64_encode_alphabet {
    BASE64_ENCODE_ALPHABET_ABSENT,
    BASE64_ENCODE_STANDARD,
    BASE64_ENCODE_URL_SAFE,
};

struct base64_encode_request {
    const char *text;
    enum base64_encode_input input;
    enum base64_encode_alphabet alphabet;
    bool padding;
};

struct base64_encode_response {
    const char *base64;
    int64_t bytes;
};

static const char *const base64_encode_input_names[] = {
    [BASE64_ENCODE_TEXT] = "text",
    [BASE64_ENCODE_HEX] = "hex",
};

static const char *const base64_encode_alphabet_names[] = {
    [BASE64_ENCODE_STANDARD] = "standard",
    [BASE64_ENCODE_URL_SAFE] = "url_safe",
};

static const struct tr_field base64_encode_request_fields[] = {
    {
        TR_FIELD(base64_encode_request, text),
        .description = "What to encode: a text (its UTF-8 bytes), or bytes as hexadecimal digits",
        .length = TR_AT_MOST(1000000),
        .required = true,
        .example_json = TR_JSON("Hello"),
    },
    {
        TR_ENUM(base64_encode_request, input, base64_encode_input),
        .description = "What 'text' holds; hex is for bytes that are no text",
        .default_json = TR_JSON("text"),
    },
    {
        TR_ENUM(base64_encode_request, alphabet, base64_encode_alphabet),
        .description = "standard has + and /, url_safe has - and _ in their place, for URLs and "
                       "file names",
        .default_json = TR_JSON("standard"),
    },
    {
        TR_FIELD(base64_encode_request, padding),
        .description = "Whether = fills the end up to a multiple of four characters",
        .default_json = TR_JSON(true),
    },
};
static TR_TYPE(base64_encode_request, "What to encode, and how");

static const struct tr_field base64_encode_response_fields[] = {
    {
        TR_FIELD(base64_encode_response, base64),
        .description = "The base64 text, without line ends",
        .required = true,
    },
    {
        TR_FIELD(base64_encode_response, bytes),
        .description = "How many bytes were encoded",
        .required = true,
    },
};
static TR_TYPE(base64_encode_response, "The encoded bytes");

static const char *check_digits(struct tr_call *call, const struct base64_encode_request *request)
{
    if (request->input != BASE64_ENCODE_HEX) {
        return NULL;
    }
    const size_t digits = strspn(request->text, "0123456789abcdefABCDEF");
    if (request->text[digits] != '\0') {
        return tr_printf(call,
                         "Parameter 'text' has no hexadecimal digit at offset %zu; "
                         "write two digits for every byte and nothing between them",
                         digits);
    }
    return digits % 2 == 0 ? NULL : "Parameter 'text' has an odd number of hexadecimal digits";
}
TR_VALIDATOR(check_digits, base64_encode_request)

static enum tr_status read_input(struct tr_call *call, const struct base64_encode_request *request,
                                 const unsigned char **ret_bytes, size_t *ret_length)
{
    const size_t length = strlen(request->text);
    if (request->input != BASE64_ENCODE_HEX) {
        *ret_bytes = (const unsigned char *)request->text;
        *ret_length = length;
        return TR_OK;
    }
    unsigned char *bytes = tr_alloc(call, length / 2 + 1, 1);
    if (bytes == NULL) {
        return TR_NO_MEMORY;
    }
    if (!tr_hex_read(request->text, length, bytes)) {
        return tr_fail_internal(call, "The digits were checked and are none");
    }
    *ret_bytes = bytes;
    *ret_length = length / 2;
    return TR_OK;
}

static enum tr_status encode(struct tr_call *call, const struct base64_encode_request *request,
                             struct base64_encode_response *response)
{
    const unsigned char *bytes = NULL;
    size_t length = 0;
    TR_TRY(read_input(call, request, &bytes, &length));
    response->base64 = tr_base64_write(
        call, bytes, length, request->alphabet == BASE64_ENCODE_URL_SAFE, request->padding);
    response->bytes = (int64_t)length;
    return response->base64 != NULL ? TR_OK : TR_NO_MEMORY;
}

TR_TOOL(base64_encode, encode, base64_encode_request, base64_encode_response,
        .description = "Encode a text, or bytes given in hexadecimal, as base64 (standard or "
                       "URL-safe). Use it where a protocol wants base64, as in a data: URL or a "
                       "Basic credential.",
        .annotations = { .read_only = true, .idempotent = true },
        .output_limit_bytes = (size_t)6 * 1024 * 1024, /* half a base64 text is of no use */
        .example_json = TR_JSON({ "text": "Hello" }), .validate = check_digits_entry);
