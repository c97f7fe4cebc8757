#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/alloc_fail.h"
#include "tools/core/descriptor.h"
#include "tools/suites/data/csv_parser.h"

/* The records as "1[a][b]2[c]" with their lines; quoted fields as <a>. Then how it ended. */
static enum tr_csv_outcome list(const char *document, size_t length, char delimiter,
                                struct tr_text *out)
{
    tr_auto(csv) struct tr_csv_parser parser;
    tr_csv_init(&parser, document, length, delimiter);
    enum tr_csv_outcome outcome = tr_csv_next(&parser);
    for (; outcome == TR_CSV_RECORD; outcome = tr_csv_next(&parser)) {
        tr_text_add_integer(out, parser.line);
        for (size_t i = 0; i < parser.field_count; i++) {
            size_t field_length = 0;
            const char *field = tr_csv_field(&parser, i, &field_length);
            tr_text_add_char(out, parser.fields[i].is_quoted ? '<' : '[');
            tr_text_add(out, field, field_length);
            tr_text_add_char(out, parser.fields[i].is_quoted ? '>' : ']');
        }
    }
    if (outcome != TR_CSV_END) {
        tr_text_printf(out, "!%d", (int)parser.line);
    }
    return outcome;
}

static void parser_reads_records(void **state)
{
    (void)state;
    static const struct {
        const char *document, *records;
    } cases[] = {
        { "", "" },
        { "\n\r\n\r", "" },
        { "a", "1[a]" },
        { "a,b", "1[a][b]" },
        { "a,b\n", "1[a][b]" },
        { "a\nb\r\nc\rd", "1[a]2[b]3[c]4[d]" },
        { "a\n\nb\r\r\nc", "1[a]3[b]5[c]" },
        { ",", "1[][]" },
        { "a,\n,b", "1[a][]2[][b]" },
        { "a,b\nc\nd,e,f", "1[a][b]2[c]3[d][e][f]" },
        { " a , b ", "1[ a ][ b ]" },
        { "\"a\",b", "1<a>[b]" },
        { "\"a,b\"", "1<a,b>" },
        { "\"\"", "1<>" },
        { "\"\",\"\"", "1<><>" },
        { "\"\"\"\"", "1<\">" },
        { "\"a\"\"b\"\"\"", "1<a\"b\">" },
        { "\"a\nb\"\nc", "1<a\nb>3[c]" },
        { "\"a\r\nb\rc\"\r\nd", "1<a\r\nb\rc>4[d]" },
        { "\"a\n\n\",b\nc", "1<a\n\n>[b]4[c]" },
        { "5\" disk,x", "1[5\" disk][x]" },
        { "\xef\xbb\xbf\"a\",b", "1<a>[b]" },
        { "\xef\xbb", "1[\xef\xbb]" },
        { "\xc3\xa9,\xe2\x82\xac", "1[\xc3\xa9][\xe2\x82\xac]" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text records;
        tr_text_init(&records, 1000);

        const enum tr_csv_outcome outcome =
            list(cases[i].document, strlen(cases[i].document), ',', &records);

        if (strcmp(tr_text_string(&records), cases[i].records) != 0) {
            fail_msg("%s: %s", cases[i].document, tr_text_string(&records));
        }
        assert_int_equal(outcome, TR_CSV_END);
        tr_text_done(&records);
    }
}

static void parser_takes_other_delimiters(void **state)
{
    (void)state;
    static const char delimiters[] = ";\t| :";
    for (size_t i = 0; delimiters[i] != '\0'; i++) {
        char document[] = "a,b?\"c?\"\"d\"\n";
        document[3] = delimiters[i];
        document[6] = delimiters[i];
        char wanted[] = "1[a,b]<c?\"d>";
        wanted[8] = delimiters[i];
        struct tr_text records;
        tr_text_init(&records, 1000);

        assert_int_equal(list(document, strlen(document), delimiters[i], &records), TR_CSV_END);

        assert_string_equal(tr_text_string(&records), wanted);
        tr_text_done(&records);
    }
}

static void parser_names_the_line_of_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *document, *records;
        enum tr_csv_outcome outcome;
    } cases[] = {
        { "a\n\"b", "1[a]!2", TR_CSV_OPEN_QUOTE },
        { "a\nx,\"b\n\nc", "1[a]!2", TR_CSV_OPEN_QUOTE },
        { "\"a\n\",\"b\nc", "!2", TR_CSV_OPEN_QUOTE },
        { "\"", "!1", TR_CSV_OPEN_QUOTE },
        { "\"a\"\"", "!1", TR_CSV_OPEN_QUOTE },
        { "\"a\"b", "!1", TR_CSV_TEXT_AFTER_QUOTE },
        { "a\n\"b\nc\" ,d", "1[a]!3", TR_CSV_TEXT_AFTER_QUOTE },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        struct tr_text records;
        tr_text_init(&records, 1000);

        const enum tr_csv_outcome outcome =
            list(cases[i].document, strlen(cases[i].document), ',', &records);

        assert_int_equal(outcome, cases[i].outcome);
        assert_string_equal(tr_text_string(&records), cases[i].records);
        tr_text_done(&records);
    }
}

static void parser_is_at_its_end_behind_what_is_wrong(void **state)
{
    (void)state;
    static const char document[] = "\"a\"b\nc";
    tr_auto(csv) struct tr_csv_parser parser;
    tr_csv_init(&parser, document, strlen(document), ',');

    assert_int_equal(tr_csv_next(&parser), TR_CSV_TEXT_AFTER_QUOTE);
    assert_int_equal(tr_csv_next(&parser), TR_CSV_END);
}

static void parser_takes_1000_fields_and_no_more(void **state)
{
    (void)state;
    char document[TR_CSV_MAX_FIELDS + 1];
    memset(document, ',', sizeof(document));
    for (size_t fields = TR_CSV_MAX_FIELDS - 1; fields <= TR_CSV_MAX_FIELDS + 1; fields++) {
        tr_auto(csv) struct tr_csv_parser parser;
        tr_csv_init(&parser, document, fields - 1, ',');

        assert_int_equal(tr_csv_next(&parser),
                         fields <= TR_CSV_MAX_FIELDS ? TR_CSV_RECORD : TR_CSV_TOO_MANY_FIELDS);
    }
}

static bool parse_once(void *context)
{
    (void)context;
    static const char document[] = "a,\"b\"\"c\"\nd";
    struct tr_text records;
    tr_text_init(&records, 1000);
    const enum tr_csv_outcome outcome = list(document, strlen(document), ',', &records);
    const bool is_fine = outcome == TR_CSV_END && records.status == TR_OK;
    assert_true(outcome == TR_CSV_END || outcome == TR_CSV_NO_MEMORY);
    tr_text_done(&records);
    return is_fine;
}

static void parser_survives_every_failing_allocation(void **state)
{
    (void)state;
    alloc_fail_each(parse_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parser_reads_records),
        cmocka_unit_test(parser_takes_other_delimiters),
        cmocka_unit_test(parser_names_the_line_of_what_is_wrong),
        cmocka_unit_test(parser_is_at_its_end_behind_what_is_wrong),
        cmocka_unit_test(parser_takes_1000_fields_and_no_more),
        cmocka_unit_test(parser_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
