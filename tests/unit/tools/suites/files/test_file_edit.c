#include "tests/unit/tools/suites/files/files_fixture.h"

static void one_place_is_replaced(void **state)
{
    (void)state;
    files_put("work/a", "one\ntwo\nthree\n");

    assert_tool_gives(
        registry, "file_edit", "{\"path\":\"/work/a\",\"old_text\":\"two\",\"new_text\":\"2\"}",
        "{\"path\":\"/work/a\",\"replacements\":1,\"written\":true,\"size_bytes\":12,\"diff\":"
        "\"@@ -1,3 +1,3 @@\\n one\\n-two\\n+2\\n three\\n\"}");

    assert_string_equal(folder_text(&folder, "work/a"), "one\n2\nthree\n");
}

static void a_dry_run_writes_nothing(void **state)
{
    (void)state;
    files_put("work/a", "one\n");
    files_put("data/a", "one\n");

    assert_tool_gives(
        registry, "file_edit",
        "{\"path\":\"/data/a\",\"old_text\":\"one\\n\",\"new_text\":\"\",\"dry_run\":true}",
        "{\"path\":\"/data/a\",\"replacements\":1,\"written\":false,\"size_bytes\":0,\"diff\":"
        "\"@@ -1,1 +0,0 @@\\n-one\\n\"}");

    assert_string_equal(folder_text(&folder, "data/a"), "one\n");
    assert_tool_refuses(
        registry, "file_edit", "{\"path\":\"/data/a\",\"old_text\":\"one\",\"new_text\":\"1\"}",
        TR_PATH_BLOCKED, "Path blocked: the mount /data does not allow changing /data/a");
}

static void a_text_that_is_there_more_than_once_is_ambiguous(void **state)
{
    (void)state;
    files_put("work/a", "x\ny\nx x\n");

    assert_tool_refuses(registry, "file_edit",
                        "{\"path\":\"/work/a\",\"old_text\":\"x\",\"new_text\":\"z\"}",
                        TR_TOOL_FAILED,
                        "Text found 3 times in /work/a, at line 1, 3, 3: give more of what is "
                        "around it, or set 'all'");
    assert_string_equal(folder_text(&folder, "work/a"), "x\ny\nx x\n");
    assert_tool_gives(
        registry, "file_edit",
        "{\"path\":\"/work/a\",\"old_text\":\"x\",\"new_text\":\"zz\",\"all\":true}",
        "{\"path\":\"/work/a\",\"replacements\":3,\"written\":true,\"size_bytes\":11,\"diff\":"
        "\"@@ -1,3 +1,3 @@\\n-x\\n+zz\\n y\\n-x x\\n+zz zz\\n\"}");
    assert_string_equal(folder_text(&folder, "work/a"), "zz\ny\nzz zz\n");
}

static void what_cannot_be_edited_is_refused(void **state)
{
    (void)state;
    files_put("work/a", "one\r\ntwo\r\n");
    folder_write(&folder, "work/b", "a\0b", 3);

    assert_tool_refuses(
        registry, "file_edit", "{\"path\":\"/work/a\",\"old_text\":\"three\",\"new_text\":\"3\"}",
        TR_TOOL_FAILED, "Text not found in /work/a: read the file and give the text to the letter");
    assert_tool_refuses(registry, "file_edit",
                        "{\"path\":\"/work/a\",\"old_text\":\"one\\ntwo\",\"new_text\":\"3\"}",
                        TR_TOOL_FAILED,
                        "Text not found in /work/a, whose lines end in CR LF, which old_text does "
                        "not have: read the file and give the text to the letter");
    assert_tool_refuses(
        registry, "file_edit", "{\"path\":\"/work/b\",\"old_text\":\"a\",\"new_text\":\"b\"}",
        TR_TOOL_FAILED, "Not UTF-8 text: /work/b; file_write replaces it as a whole");
    assert_tool_refuses(registry, "file_edit",
                        "{\"path\":\"/work/a\",\"old_text\":\"a\",\"new_text\":\"a\"}",
                        TR_INVALID_PARAMETERS,
                        "Parameters 'old_text' and 'new_text' are the same: nothing would change");
    assert_tool_refuses(registry, "file_edit",
                        "{\"path\":\"/work/no\",\"old_text\":\"a\",\"new_text\":\"b\"}",
                        TR_TOOL_FAILED, "File not found: /work/no");
}

static void a_long_diff_is_cut_at_a_hunk(void **state)
{
    (void)state;
    enum { LINES = 20 * 1000, LINE_BYTES = 10 };
    char *text = test_calloc(LINES * LINE_BYTES + 1, 1);
    for (size_t i = 0; i < LINES; i++) {
        memcpy(text + i * LINE_BYTES, i % 10 == 0 ? "change me\n" : "leave me.\n", LINE_BYTES);
    }
    folder_put(&folder, "work/a", text);
    enum tr_status status = TR_INTERNAL;

    json_t *answer = tool_call(
        registry, "file_edit",
        "{\"path\":\"/work/a\",\"old_text\":\"change\",\"new_text\":\"keep\",\"all\":true}",
        &status);

    assert_int_equal(status, TR_OK);
    const json_t *result = json_object_get(answer, "result");
    const char *diff = files_text(result, "diff");
    assert_int_equal(files_number(result, "replacements"), LINES / 10);
    assert_true(strlen(diff) > 60000 && strlen(diff) < 65536);
    assert_int_equal(diff[strlen(diff) - 1], '\n');
    json_decref(answer);
    test_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(one_place_is_replaced),
        files_test(a_dry_run_writes_nothing),
        files_test(a_text_that_is_there_more_than_once_is_ambiguous),
        files_test(what_cannot_be_edited_is_refused),
        files_test(a_long_diff_is_cut_at_a_hunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
