#include <stdlib.h>

#include "tests/unit/tools/suites/files/files_fixture.h"

enum { ANSWER_BYTES = 256 * 1024 };

static void a_text_is_read_with_its_size_and_time(void **state)
{
    (void)state;
    files_put("data/a", "one\ntwo\r\n\xc3\xa9");

    assert_tool_gives(registry, "file_read", "{\"path\":\"/data/a\"}",
                      "{\"path\":\"/data/a\",\"content\":\"one\\ntwo\\r\\n\xc3\xa9\","
                      "\"encoding\":\"utf-8\",\"size_bytes\":11,\"modified\":"
                      "\"" FIXTURE_TIME_TEXT "\",\"offset\":0,\"first_line\":1,\"last_line\":3,"
                      "\"truncated\":false}");
}

static void an_empty_file_has_no_line(void **state)
{
    (void)state;
    files_put("data/a", "");

    assert_tool_gives(registry, "file_read", "{\"path\":\"/data/a\"}",
                      "{\"path\":\"/data/a\",\"content\":\"\",\"encoding\":\"utf-8\","
                      "\"size_bytes\":0,\"modified\":\"" FIXTURE_TIME_TEXT "\",\"offset\":0,"
                      "\"first_line\":1,\"last_line\":0,\"truncated\":false}");
}

static void lines_are_read_by_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *range, *content;
        json_int_t offset, first, last, next;
    } cases[] = {
        { "\"start_line\":1", "a\nbb\nccc", 0, 1, 3, 0 },
        { "\"start_line\":2", "bb\nccc", 2, 2, 3, 0 },
        { "\"start_line\":3", "ccc", 5, 3, 3, 0 },
        { "\"max_lines\":1", "a\n", 0, 1, 1, 2 },
        { "\"start_line\":2,\"max_lines\":1", "bb\n", 2, 2, 2, 3 },
        { "\"start_line\":2,\"max_lines\":2", "bb\nccc", 2, 2, 3, 0 },
        { "\"max_lines\":99", "a\nbb\nccc", 0, 1, 3, 0 },
    };
    files_put("data/a", "a\nbb\nccc");
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[128];
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data/a\",%s}", cases[i].range);

        json_t *result = files_result("file_read", body);

        assert_string_equal(files_text(result, "content"), cases[i].content);
        assert_int_equal(files_number(result, "offset"), cases[i].offset);
        assert_int_equal(files_number(result, "first_line"), cases[i].first);
        assert_int_equal(files_number(result, "last_line"), cases[i].last);
        assert_int_equal(files_number(result, "next_line"), cases[i].next);
        assert_int_equal(json_is_true(json_object_get(result, "truncated")), cases[i].next != 0);
        json_decref(result);
    }
}

static void a_line_behind_the_end_is_refused_with_their_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *sentence;
    } cases[] = {
        { "a\nb", 3, "Behind the end: /data/a has 2 lines" },
        { "a\nb\n", 3, "Behind the end: /data/a has 2 lines" },
        { "a\nb\n", 9, "Behind the end: /data/a has 2 lines" },
        { "a", 2, "Behind the end: /data/a has 1 lines" },
        { "", 2, "Behind the end: /data/a has 0 lines" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[128];
        files_put("data/a", cases[i].text);
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data/a\",\"start_line\":%d}",
                       cases[i].line);
        assert_tool_refuses(registry, "file_read", body, TR_TOOL_FAILED, cases[i].sentence);
    }
}

static void bytes_are_read_by_their_offset(void **state)
{
    (void)state;
    static const struct {
        const char *range, *content;
        json_int_t offset, next;
    } cases[] = {
        { "\"offset\":0", "ab\xc3\xa9yz", 0, 0 },
        { "\"offset\":4", "yz", 4, 0 },
        { "\"max_bytes\":2", "ab", 0, 2 },
        { "\"max_bytes\":3", "ab", 0, 2 },
        { "\"max_bytes\":4", "ab\xc3\xa9", 0, 4 },
        { "\"offset\":6", "", 6, 0 },
        { "\"offset\":1,\"max_bytes\":1", "b", 1, 2 },
    };
    files_put("data/a", "ab\xc3\xa9yz");
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        char body[128];
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data/a\",%s}", cases[i].range);

        json_t *result = files_result("file_read", body);

        assert_string_equal(files_text(result, "content"), cases[i].content);
        assert_int_equal(files_number(result, "offset"), cases[i].offset);
        assert_int_equal(files_number(result, "next_offset"), cases[i].next);
        assert_null(json_object_get(result, "first_line"));
        json_decref(result);
    }
    assert_tool_refuses(registry, "file_read", "{\"path\":\"/data/a\",\"offset\":7}",
                        TR_TOOL_FAILED, "Behind the end: /data/a has 6 bytes");
    assert_tool_refuses(registry, "file_read", "{\"path\":\"/data/a\",\"offset\":3}",
                        TR_TOOL_FAILED,
                        "Not UTF-8 text: /data/a at byte 3; ask with encoding 'base64', or with "
                        "an offset at the start of a character");
    assert_tool_refuses(registry, "file_read",
                        "{\"path\":\"/data/a\",\"offset\":2,\"max_bytes\":1}", TR_TOOL_FAILED,
                        "max_bytes is too small for the character at byte 2 of /data/a");
}

static void what_is_no_text_is_read_as_base64(void **state)
{
    (void)state;
    folder_write(&folder, "data/a", "\0\xff\x01", 3);
    folder_touch(&folder, "data/a", FIXTURE_TIME);

    assert_tool_refuses(registry, "file_read", "{\"path\":\"/data/a\"}", TR_TOOL_FAILED,
                        "Not UTF-8 text: /data/a at byte 0; ask with encoding 'base64', or with "
                        "an offset at the start of a character");
    assert_tool_gives(registry, "file_read", "{\"path\":\"/data/a\",\"encoding\":\"base64\"}",
                      "{\"path\":\"/data/a\",\"content\":\"AP8B\",\"encoding\":\"base64\","
                      "\"size_bytes\":3,\"modified\":\"" FIXTURE_TIME_TEXT "\",\"offset\":0,"
                      "\"truncated\":false}");
    assert_tool_gives(registry, "file_read",
                      "{\"path\":\"/data/a\",\"encoding\":\"base64\",\"max_bytes\":1}",
                      "{\"path\":\"/data/a\",\"content\":\"AA==\",\"encoding\":\"base64\","
                      "\"size_bytes\":3,\"modified\":\"" FIXTURE_TIME_TEXT "\",\"offset\":0,"
                      "\"truncated\":true,\"next_offset\":1}");
}

static void ranges_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_tool_refuses(
        registry, "file_read", "{\"path\":\"/data/a\",\"start_line\":1,\"offset\":1}",
        TR_INVALID_PARAMETERS,
        "Ask for lines (start_line, max_lines) or for bytes (offset, max_bytes), not both");
    assert_tool_refuses(
        registry, "file_read", "{\"path\":\"/data/a\",\"max_lines\":1,\"encoding\":\"base64\"}",
        TR_INVALID_PARAMETERS, "base64 has no lines: ask for bytes (offset, max_bytes)");
}

/* Follow next_line and next_offset to the end: the parts make up the whole. */
static void assert_reads_in_parts(const char *text, size_t length, size_t parts)
{
    char *joined = test_calloc(length + 1, 1);
    char body[128] = "{\"path\":\"/data/a\"}";
    size_t used = 0;
    size_t count = 0;
    for (bool goes_on = true; goes_on; count++) {
        json_t *result = files_result("file_read", body);
        const char *content = files_text(result, "content");
        assert_true(strlen(content) <= ANSWER_BYTES && used + strlen(content) <= length);
        memcpy(joined + used, content, strlen(content));
        used += strlen(content);
        goes_on = json_is_true(json_object_get(result, "truncated"));
        const bool at_line = json_object_get(result, "next_line") != NULL;
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data/a\",\"%s\":%lld}",
                       at_line ? "start_line" : "offset",
                       (long long)files_number(result, at_line ? "next_line" : "next_offset"));
        json_decref(result);
    }
    assert_int_equal(used, length);
    assert_memory_equal(joined, text, length);
    assert_int_equal(count, parts);
    test_free(joined);
}

static void a_long_file_comes_in_parts(void **state)
{
    (void)state;
    enum { LENGTH = 2 * ANSWER_BYTES + 100 };
    char *text = test_calloc(LENGTH + 1, 1);
    memset(text, 'x', LENGTH);
    for (size_t i = 99; i < LENGTH; i += 100) {
        text[i] = '\n';
    }
    folder_write(&folder, "data/a", text, LENGTH);
    assert_reads_in_parts(text, LENGTH, 3);

    folder_write(&folder, "data/a", text, ANSWER_BYTES);
    assert_reads_in_parts(text, ANSWER_BYTES, 1);
    folder_write(&folder, "data/a", text, ANSWER_BYTES + 1);
    assert_reads_in_parts(text, ANSWER_BYTES + 1, 2);

    /* One line that is longer than an answer, of characters that the end of an answer cuts in two.
     */
    for (size_t i = 0; i + 2 < LENGTH; i += 3) {
        memcpy(text + i, "\xe2\x82\xac", 3);
    }
    const size_t whole = LENGTH / 3 * 3;
    folder_write(&folder, "data/a", text, whole);
    assert_reads_in_parts(text, whole, 3);
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_text_is_read_with_its_size_and_time),
        files_test(an_empty_file_has_no_line),
        files_test(lines_are_read_by_their_numbers),
        files_test(a_line_behind_the_end_is_refused_with_their_number),
        files_test(bytes_are_read_by_their_offset),
        files_test(what_is_no_text_is_read_as_base64),
        files_test(ranges_that_make_no_sense_are_refused),
        files_test(a_long_file_comes_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
