#include "tests/unit/tools/suites/files/files_fixture.h"

static void modes_create_overwrite_and_append(void **state)
{
    (void)state;
    assert_tool_gives(registry, "file_write", "{\"path\":\"/work/a\",\"content\":\"one\"}",
                      "{\"path\":\"/work/a\",\"created\":true,\"size_bytes\":3}");
    assert_tool_refuses(registry, "file_write", "{\"path\":\"/work/a\",\"content\":\"two\"}",
                        TR_TOOL_FAILED, "File exists already: /work/a");
    assert_tool_gives(registry, "file_write",
                      "{\"path\":\"/work/a\",\"content\":\"+\xc3\xa9\",\"mode\":\"append\"}",
                      "{\"path\":\"/work/a\",\"created\":false,\"size_bytes\":6}");
    assert_string_equal(folder_text(&folder, "work/a"), "one+\xc3\xa9");
    assert_tool_gives(registry, "file_write",
                      "{\"path\":\"/work/a\",\"content\":\"\",\"mode\":\"overwrite\"}",
                      "{\"path\":\"/work/a\",\"created\":false,\"size_bytes\":0}");
    assert_string_equal(folder_text(&folder, "work/a"), "");
}

static void parents_are_made_unless_not_wanted(void **state)
{
    (void)state;
    assert_tool_refuses(registry, "file_write",
                        "{\"path\":\"/work/a/b\",\"content\":\"x\",\"create_parents\":false}",
                        TR_TOOL_FAILED, "File not found: /work/a/b");
    assert_tool_gives(registry, "file_write", "{\"path\":\"/work/a/b\",\"content\":\"x\"}",
                      "{\"path\":\"/work/a/b\",\"created\":true,\"size_bytes\":1}");
}

static void bytes_are_written_from_base64(void **state)
{
    (void)state;
    assert_tool_gives(registry, "file_write",
                      "{\"path\":\"/work/a\",\"content\":\"AP8B\",\"encoding\":\"base64\"}",
                      "{\"path\":\"/work/a\",\"created\":true,\"size_bytes\":3}");
    assert_memory_equal(folder_text(&folder, "work/a"), "\0\xff\x01", 4);
    assert_tool_refuses(
        registry, "file_write",
        "{\"path\":\"/work/b\",\"content\":\"AP8\",\"encoding\":\"base64\"}", TR_TOOL_FAILED,
        "The content is not base64 (RFC 4648 section 4, with padding, without line breaks)");
    assert_false(folder_has(&folder, "work/b"));
}

static void a_backup_keeps_the_old_content(void **state)
{
    (void)state;
    files_put("work/a", "old");
    assert_tool_gives(
        registry, "file_write",
        "{\"path\":\"/work/a\",\"content\":\"new\",\"mode\":\"overwrite\",\"backup\":true}",
        "{\"path\":\"/work/a\",\"created\":false,\"size_bytes\":3,\"backup_path\":"
        "\"/work/a.bak\"}");
    assert_tool_gives(
        registry, "file_write",
        "{\"path\":\"/work/a\",\"content\":\"!\",\"mode\":\"append\",\"backup\":true}",
        "{\"path\":\"/work/a\",\"created\":false,\"size_bytes\":4,\"backup_path\":"
        "\"/work/a.bak\"}");
    assert_string_equal(folder_text(&folder, "work/a"), "new!");
    assert_string_equal(folder_text(&folder, "work/a.bak"), "new");
    assert_tool_gives(
        registry, "file_write",
        "{\"path\":\"/work/b\",\"content\":\"x\",\"mode\":\"overwrite\",\"backup\":true}",
        "{\"path\":\"/work/b\",\"created\":true,\"size_bytes\":1}");
    assert_false(folder_has(&folder, "work/b.bak"));
}

static void what_is_not_allowed_is_not_written(void **state)
{
    (void)state;
    files_put("secret", "SECRET");
    folder_link(&folder, "work/out", "../secret");
    assert_tool_refuses(registry, "file_write", "{\"path\":\"/data/a.txt\",\"content\":\"x\"}",
                        TR_PATH_BLOCKED,
                        "Path blocked: the mount /data does not allow creating /data/a.txt");
    assert_tool_refuses(
        registry, "file_write",
        "{\"path\":\"/work/out\",\"content\":\"x\",\"mode\":\"overwrite\",\"backup\":true}",
        TR_PATH_BLOCKED, "Path blocked: /work/out leads out of its mount");
    assert_tool_refuses(
        registry, "file_write", "{\"path\":\"/work/a\",\"content\":\"x\",\"mode\":\"truncate\"}",
        TR_INVALID_PARAMETERS, "Parameter 'mode' must be one of: create, overwrite, append");
    assert_string_equal(folder_text(&folder, "secret"), "SECRET");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(modes_create_overwrite_and_append),
        files_test(parents_are_made_unless_not_wanted),
        files_test(bytes_are_written_from_base64),
        files_test(a_backup_keeps_the_old_content),
        files_test(what_is_not_allowed_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
