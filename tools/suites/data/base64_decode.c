/* base64_decode - what a base64 text holds, as text when it is one. */

#include <string.h>

#include "tools/core/utf8.h"
#include "tools/suites/data/base64.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/hex.h"

enum base64_decode_output {
    BASE64_DECODE_OUTPUT_ABSENT,
    BASE64_DECODE_AUTO,
    BASE64_DECODE_TEXT,
    BASE64_DECODE_HEX,
};

struct base64_decode_request {
    const char *base64;
    enum base64_alphabet alphabet;
    enum base64_padding padding;
    bool ignore_whitespace;
    enum base64_decode_output output;
};

struct base64_decode_response {
    const char *text;
    const char *hex;
    int64_t bytes;
};

static const char *const base64_alphabet_names[] = {
    [BASE64_ANY] = "any",
    [BASE64_STANDARD] = "standard",
    [BASE64_URL_SAFE] = "url_safe",
};

static const char *const base64_padding_names[] = {
    [BASE64_PADDING_OPTIONAL] = "optional",
    [BASE64_PADDING_REQUIRED] = "required",
    [BASE64_PADDING_FORBIDDEN] = "forbidden",
};

static const char *const base64_decode_output_names[] = {
    [BASE64_DECODE_AUTO] = "auto",
    [BASE64_DECODE_TEXT] = "text",
    [BASE64_DECODE_HEX] = "hex",
};

static const struct tr_field base64_decode_request_fields[] = {
    {
        TR_FIELD(base64_decode_request, base64),
        .description = "The base64 text",
        .length = TR_AT_MOST(2000000),
        .required = true,
        .example_json = TR_JSON("SGVsbG8="),
    },
    {
        TR_ENUM(base64_decode_request, alphabet, base64_alphabet),
        .description = "Which characters it may have: standard (+ and /), url_safe (- and _), or "
                       "any of the two, not mixed",
        .default_json = TR_JSON("any"),
    },
    {
        TR_ENUM(base64_decode_request, padding, base64_padding),
        .description = "Whether = must, may or must not fill the end",
        .default_json = TR_JSON("optional"),
    },
    {
        TR_FIELD(base64_decode_request, ignore_whitespace),
        .description = "Whether blanks, tabs and line ends are passed over, as in PEM files and "
                       "mails",
        .default_json = TR_JSON(false),
    },
    {
        TR_ENUM(base64_decode_request, output, base64_decode_output),
        .description = "text, hex, or auto: text when the bytes are UTF-8 without NUL, else hex",
        .default_json = TR_JSON("auto"),
    },
};
static TR_TYPE(base64_decode_request, "What to decode, and how strictly");

static const struct tr_field base64_decode_response_fields[] = {
    {
        TR_FIELD(base64_decode_response, text),
        .description = "The bytes as a text; absent when 'hex' is there",
    },
    {
        TR_FIELD(base64_decode_response, hex),
        .description = "The bytes as hexadecimal digits, when they are no text or hex was asked "
                       "for",
    },
    {
        TR_FIELD(base64_decode_response, bytes),
        .description = "How many bytes there are",
        .required = true,
    },
};
static TR_TYPE(base64_decode_response, "What was encoded");

/* A NUL would end the text early. */
static bool is_text(const char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        const size_t step = tr_utf8_next(bytes + at, length - at, NULL);
        if (step == 0 || bytes[at] == '\0') {
            return false;
        }
        at += step;
    }
    return true;
}

static enum tr_status give_hex(struct tr_call *call, const unsigned char *bytes, size_t length,
                               struct base64_decode_response *response)
{
    char *hex = tr_alloc(call, 2 * length + 1, 1);
    if (hex == NULL) {
        return TR_NO_MEMORY;
    }
    tr_hex_write(bytes, length, hex);
    response->hex = hex;
    return TR_OK;
}

static enum tr_status refuse(struct tr_call *call, const char *base64, size_t at,
                             const char *reason)
{
    return tr_fail(call, "This is not base64: at character %zu there is %s",
                   tr_utf8_count(base64, at) + 1, reason);
}

static enum tr_status decode(struct tr_call *call, const struct base64_decode_request *request,
                             struct base64_decode_response *response)
{
    const struct tr_base64_rules rules = {
        .alphabet = request->alphabet,
        .padding = request->padding,
        .skips_space = request->ignore_whitespace,
    };
    const size_t length = strlen(request->base64);
    unsigned char *bytes = tr_alloc(call, length / 4 * 3 + 4, 1); /* zeroed: a NUL is behind */
    if (bytes == NULL) {
        return TR_NO_MEMORY;
    }
    size_t count = 0;
    size_t at = 0;
    const char *reason = tr_base64_read(request->base64, length, &rules, bytes, &count, &at);
    if (reason != NULL) {
        return refuse(call, request->base64, at, reason);
    }
    response->bytes = (int64_t)count;
    const char *text = (const char *)bytes;
    if (request->output == BASE64_DECODE_HEX) {
        return give_hex(call, bytes, count, response);
    }
    if (is_text(text, count)) {
        response->text = text;
        return TR_OK;
    }
    if (request->output == BASE64_DECODE_AUTO) {
        return give_hex(call, bytes, count, response);
    }
    return tr_fail(call, "The bytes are no UTF-8 text without NUL; ask for output 'hex'");
}

TR_TOOL(base64_decode, decode, base64_decode_request, base64_decode_response,
        .description = "Decode base64 (standard or URL-safe, with or without padding) into text, "
                       "or into hexadecimal digits when the bytes are no text. Use it to read a "
                       "token's parts, a data: URL or an encoded file.",
        .annotations = { .read_only = true, .idempotent = true },
        .output_limit_bytes = (size_t)4 * 1024 * 1024,
        .example_json = TR_JSON({ "base64": "SGVsbG8=" }));
