/* Any bytes as header fields: a line each, the name up to the first ':'. What goes out is one line
 * of a token and plain text, and what is shown is text. */
#include <stdbool.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/utf8.h"
#include "tools/guard/header_guard.h"

enum { MAX_FIELDS = 80 };

static void require_plain(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        FUZZ_REQUIRE(bytes[i] == '\t' || (bytes[i] >= ' ' && bytes[i] <= '~'));
    }
}

static void require_text(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t step = tr_utf8_next(bytes + i, length - i, NULL);
        FUZZ_REQUIRE(step != 0);
        i += step;
    }
}

static void judge(const struct tr_header_field *field)
{
    const char *reason = NULL;
    const enum tr_header_verdict out = tr_header_guard_out(field, &reason);
    FUZZ_REQUIRE((out == TR_HEADER_PASS) == (reason == NULL));
    FUZZ_REQUIRE(out == tr_header_guard_out(field, NULL));
    if (out != TR_HEADER_REFUSE) {
        FUZZ_REQUIRE(field->name_length != 0);
        FUZZ_REQUIRE(memchr(field->name, ':', field->name_length) == NULL);
        FUZZ_REQUIRE(memchr(field->name, ' ', field->name_length) == NULL);
        require_plain(field->name, field->name_length);
        require_plain(field->value, field->value_length);
    }
    if (tr_header_guard_is_spoofable(field->name, field->name_length)) {
        FUZZ_REQUIRE(out == TR_HEADER_REMOVE || out == TR_HEADER_REFUSE);
    }
    const enum tr_header_verdict back = tr_header_guard_back(field, &reason);
    FUZZ_REQUIRE((back == TR_HEADER_PASS) == (reason == NULL));
    FUZZ_REQUIRE(back == TR_HEADER_PASS || back == TR_HEADER_REMOVE);
    if (back == TR_HEADER_PASS) {
        require_text(field->value, field->value_length);
    }
}

/* The next line of what is left. */
static struct tr_header_field take_line(const char **at, size_t *left)
{
    const char *line = *at;
    const char *end = memchr(line, '\n', *left);
    const size_t length = end != NULL ? (size_t)(end - line) : *left;
    const size_t taken = length + (end != NULL ? 1 : 0);
    const char *colon = length > 0 ? memchr(line, ':', length) : NULL;
    const size_t name = colon != NULL ? (size_t)(colon - line) : length;
    const size_t value = colon != NULL ? name + 1 : length;
    *at += taken;
    *left -= taken;
    return (struct tr_header_field){
        .name = line,
        .value = line + value,
        .name_length = name,
        .value_length = length - value,
    };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_header_field fields[MAX_FIELDS] = { 0 };
    size_t count = 0;
    const char *at = (const char *)data;
    for (size_t left = size; left != 0 && count < MAX_FIELDS; count++) {
        fields[count] = take_line(&at, &left);
        judge(&fields[count]);
    }
    const char *reason = NULL;
    if (tr_header_guard_out_all(fields, count, &reason) == TR_HEADER_PASS) {
        FUZZ_REQUIRE(count <= TR_MAX_OUT_HEADERS && reason == NULL);
        for (size_t i = 0; i < count; i++) {
            FUZZ_REQUIRE(tr_header_guard_out(&fields[i], NULL) != TR_HEADER_REFUSE);
        }
    } else {
        FUZZ_REQUIRE(reason != NULL);
    }
    return 0;
}
