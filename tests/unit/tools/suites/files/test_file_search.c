#include "tests/unit/tools/suites/files/files_fixture.h"

enum { WINDOW_BYTES = 256 * 1024 };

static void names_are_found(void **state)
{
    (void)state;
    folder_mkdir(&folder, "data/sub");
    files_put("data/a.txt", "");
    files_put("data/b.md", "");
    files_put("data/sub/c.txt", "");
    files_put("data/x.key", "");

    assert_tool_gives(registry, "file_search", "{\"path\":\"/data\",\"glob\":\"*.txt\"}",
                      "{\"matches\":[{\"path\":\"/data/a.txt\"},{\"path\":\"/data/sub/c.txt\"}],"
                      "\"files_searched\":2,\"files_skipped\":0,\"truncated\":false}");
    assert_tool_gives(registry, "file_search",
                      "{\"path\":\"/data\",\"glob\":\"*.txt\",\"depth\":1}",
                      "{\"matches\":[{\"path\":\"/data/a.txt\"}],"
                      "\"files_searched\":1,\"files_skipped\":0,\"truncated\":false}");
}

static void lines_are_found_with_their_numbers(void **state)
{
    (void)state;
    files_put("data/a", "one\nTwo two\r\n\nfour\ntwo");
    files_put("data/b", "three\n");

    assert_tool_gives(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"two$\"}",
                      "{\"matches\":[{\"path\":\"/data/a\",\"line\":2,\"text\":\"Two two\"},"
                      "{\"path\":\"/data/a\",\"line\":5,\"text\":\"two\"}],"
                      "\"files_searched\":2,\"files_skipped\":0,\"truncated\":false}");
    assert_tool_gives(
        registry, "file_search",
        "{\"path\":\"/data\",\"pattern\":\"^TWO TWO\",\"ignore_case\":true,\"glob\":\"a\"}",
        "{\"matches\":[{\"path\":\"/data/a\",\"line\":2,\"text\":\"Two two\"}],"
        "\"files_searched\":1,\"files_skipped\":0,\"truncated\":false}");
    assert_tool_gives(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"^$\"}",
                      "{\"matches\":[{\"path\":\"/data/a\",\"line\":3,\"text\":\"\"}],"
                      "\"files_searched\":2,\"files_skipped\":0,\"truncated\":false}");
}

static void what_is_no_text_is_passed_over(void **state)
{
    (void)state;
    folder_write(&folder, "data/nul", "two\0two", 7);
    folder_write(&folder, "data/latin", "two\xe9", 4);
    folder_fifo(&folder, "data/fifo");
    folder_link(&folder, "data/link", "../secret");
    files_put("secret", "two");
    files_put("data/text", "two");

    assert_tool_gives(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"two\"}",
                      "{\"matches\":[{\"path\":\"/data/text\",\"line\":1,\"text\":\"two\"}],"
                      "\"files_searched\":1,\"files_skipped\":2,\"truncated\":false}");
}

static void folders_without_rights_are_not_entered(void **state)
{
    (void)state;
    folder_mkdir(&folder, "data/closed");
    files_put("data/closed/a", "two");
    files_put("data/d", "two");

    assert_tool_gives(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"two\"}",
                      "{\"matches\":[{\"path\":\"/data/d\",\"line\":1,\"text\":\"two\"}],"
                      "\"files_searched\":1,\"files_skipped\":0,\"truncated\":false}");
}

static void the_limit_of_matches_is_told(void **state)
{
    (void)state;
    files_put("data/a", "x\nx\nx\n");
    for (int limit = 2; limit <= 4; limit++) {
        char body[128];
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data\",\"pattern\":\"x\",\"limit\":%d}",
                       limit);

        json_t *result = files_result("file_search", body);

        assert_int_equal(json_array_size(json_object_get(result, "matches")),
                         limit < 3 ? limit : 3);
        assert_int_equal(json_is_true(json_object_get(result, "truncated")), limit < 3);
        json_decref(result);
    }
}

/* Around the size of the window that a file is read by. */
static void lines_are_found_across_windows(void **state)
{
    (void)state;
    enum { LENGTH = 3 * WINDOW_BYTES };
    char *text = test_calloc(LENGTH + 1, 1);
    for (int shift = -3; shift <= 3; shift++) {
        memset(text, 'a', LENGTH);
        for (size_t i = 80; i < LENGTH; i += 80) {
            text[i] = '\n';
        }
        memcpy(text + WINDOW_BYTES + shift, "needle", 6);
        text[WINDOW_BYTES + shift + 6] = '\n';
        size_t line = 1;
        for (size_t i = 0; i < (size_t)(WINDOW_BYTES + shift); i++) {
            line += text[i] == '\n';
        }
        folder_write(&folder, "data/long", text, LENGTH);

        json_t *result = files_result("file_search", "{\"path\":\"/data\",\"pattern\":\"needle\"}");

        const json_t *match = json_array_get(json_object_get(result, "matches"), 0);
        assert_int_equal(json_array_size(json_object_get(result, "matches")), 1);
        assert_int_equal(files_number(match, "line"), line);
        json_decref(result);
    }
    test_free(text);
}

static void a_line_without_end_is_searched_in_pieces(void **state)
{
    (void)state;
    enum { LENGTH = 3 * WINDOW_BYTES };
    char *text = test_calloc(LENGTH + 1, 1);
    memset(text, 'a', LENGTH);
    memcpy(text + LENGTH - 6, "needle", 6);
    folder_write(&folder, "data/long", text, LENGTH);

    json_t *result = files_result("file_search", "{\"path\":\"/data\",\"pattern\":\"needle\"}");

    const json_t *match = json_array_get(json_object_get(result, "matches"), 0);
    assert_int_equal(files_number(match, "line"), 1);
    assert_int_equal(strlen(files_text(match, "text")), 300);
    json_decref(result);
    test_free(text);
}

static void wrong_patterns_and_costly_ones_are_refused(void **state)
{
    (void)state;
    files_put("data/a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n");
    enum tr_status status = TR_OK;

    json_t *wrong =
        tool_call(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"(\"}", &status);
    assert_int_equal(status, TR_TOOL_FAILED);
    assert_non_null(strstr(files_text(wrong, "error"), "The pattern is no regular expression: "));
    json_decref(wrong);
    assert_tool_refuses(registry, "file_search", "{\"path\":\"/data\",\"pattern\":\"^(a+)+$\"}",
                        TR_TOOL_FAILED,
                        "The pattern takes too many steps at line 1 of /data/a: make it simpler, "
                        "without nested repetitions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(names_are_found),
        files_test(lines_are_found_with_their_numbers),
        files_test(what_is_no_text_is_passed_over),
        files_test(folders_without_rights_are_not_entered),
        files_test(the_limit_of_matches_is_told),
        files_test(lines_are_found_across_windows),
        files_test(a_line_without_end_is_searched_in_pieces),
        files_test(wrong_patterns_and_costly_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
