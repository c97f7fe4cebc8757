/* Any bytes as CSV: the records stay within the document and their lines ascend, and what they say,
 * written down again with every field in quotes, says the same once more. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/text.h"
#include "tools/suites/data/csv_parser.h"

enum { MAX_WRITTEN_BYTES = 1024 * 1024 };

static void write_field(struct tr_text *out, const char *bytes, size_t length)
{
    tr_text_add_char(out, '"');
    for (size_t i = 0; i < length; i++) {
        tr_text_add(out, bytes[i] == '"' ? "\"\"" : bytes + i, bytes[i] == '"' ? 2 : 1);
    }
    tr_text_add_char(out, '"');
}

static void write_record(struct tr_text *out, const struct tr_csv_parser *parser)
{
    for (size_t i = 0; i < parser->field_count; i++) {
        size_t length = 0;
        const char *bytes = tr_csv_field(parser, i, &length);
        tr_text_add(out, ",", i != 0 ? 1 : 0);
        write_field(out, bytes, length);
    }
    tr_text_add_char(out, '\n');
}

/* All of the document's records in one form. */
static enum tr_csv_outcome rewrite(const char *bytes, size_t size, char delimiter,
                                   struct tr_text *out)
{
    static struct tr_csv_parser parser;
    tr_csv_init(&parser, bytes, size, delimiter);
    int64_t line = 0;
    enum tr_csv_outcome outcome = tr_csv_next(&parser);
    for (; outcome == TR_CSV_RECORD; outcome = tr_csv_next(&parser)) {
        FUZZ_REQUIRE(parser.line > line);
        FUZZ_REQUIRE(parser.field_count >= 1 && parser.field_count <= TR_CSV_MAX_FIELDS);
        FUZZ_REQUIRE(parser.bytes.length <= size);
        line = parser.line;
        write_record(out, &parser);
    }
    FUZZ_REQUIRE(outcome == TR_CSV_END || parser.line >= line);
    FUZZ_REQUIRE(tr_csv_next(&parser) == TR_CSV_END);
    tr_csv_done(&parser);
    return outcome;
}

/* The first byte chooses the delimiter. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = { ',', ';', '\t', '|' };
    if (size == 0) {
        return 0;
    }
    const char *bytes = (const char *)data + 1;
    struct tr_text first, second;
    tr_text_init(&first, MAX_WRITTEN_BYTES);
    tr_text_init(&second, MAX_WRITTEN_BYTES);
    (void)rewrite(bytes, size - 1, delimiters[data[0] % sizeof(delimiters)], &first);
    FUZZ_REQUIRE(rewrite(tr_text_string(&first), first.length, ',', &second) == TR_CSV_END);
    FUZZ_REQUIRE(first.length == second.length);
    FUZZ_REQUIRE(memcmp(tr_text_string(&first), tr_text_string(&second), first.length) == 0);
    tr_text_done(&first);
    tr_text_done(&second);
    return 0;
}
