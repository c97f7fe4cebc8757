/* What holds for every tool of the suite, and the tools that are a few lines. */
#include "tests/unit/tools/suites/files/files_fixture.h"

/* What the examples speak of. */
static void put_examples(void)
{
    files_put("data/notes.txt", "A note\nTODO: more notes\n");
    files_put("work/draft.txt", "A draft");
    folder_mkdir(&folder, "work/done");
}

/* Each one on files of its own, as some move or change them. */
static void every_example_runs_and_succeeds(void **state)
{
    (void)state;
    for (size_t i = 0; i < files_suite.tool_count; i++) {
        const struct tr_tool *tool = files_suite.tools[i];
        assert_int_equal(files_start(NULL), 0);
        put_examples();
        if (tool == &file_edit_tool) {
            files_put("work/notes.txt", "First line\n");
        }
        enum tr_status status = TR_INTERNAL;

        json_t *answer = tool_call(registry, tool->name, tool->example_json, &status);

        if (status != TR_OK) {
            fail_msg("%s: %s", tool->name, json_string_value(json_object_get(answer, "error")));
        }
        assert_null(json_object_get(answer, "metadata"));
        json_decref(answer);
        assert_int_equal(files_end(NULL), 0);
    }
}

static void annotations_tell_what_a_tool_may_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < files_suite.tool_count; i++) {
        const struct tr_tool *tool = files_suite.tools[i];
        const bool reads = tool == &file_read_tool || tool == &file_info_tool
                           || tool == &file_search_tool || tool == &directory_list_tool
                           || tool == &list_mounts_tool;
        assert_int_equal(tool->annotations.read_only, reads);
        assert_int_equal(tool->annotations.destructive, !reads && tool != &directory_create_tool);
        assert_false(tool->annotations.open_world);
        assert_true(tool->blocking);
        assert_ptr_equal(tool->base, &tr_file_base);
    }
}

/* Calls that can be made again and again. */
static void calls_survive_failing_allocations(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *body;
    } calls[] = {
        { "list_mounts", "{}" },
        { "file_info", "{\"path\":\"/data/notes.txt\"}" },
        { "file_read", "{\"path\":\"/data/notes.txt\"}" },
        { "file_read", "{\"path\":\"/data/notes.txt\",\"start_line\":2}" },
        { "file_read", "{\"path\":\"/data/notes.txt\",\"encoding\":\"base64\"}" },
        { "directory_list", "{\"path\":\"/data\",\"depth\":3}" },
        { "file_search", "{\"path\":\"/data\",\"pattern\":\"todo\",\"ignore_case\":true}" },
        { "file_write", "{\"path\":\"/work/new/a\",\"content\":\"x\",\"mode\":\"overwrite\"}" },
        { "file_write",
          "{\"path\":\"/work/b\",\"content\":\"eA==\",\"mode\":\"append\",\"encoding\":\"base64\","
          "\"backup\":true}" },
        { "file_edit",
          "{\"path\":\"/work/draft.txt\",\"old_text\":\"A\",\"new_text\":\"B\",\"dry_run\":true}" },
        { "directory_create", "{\"path\":\"/work/a/b/c\"}" },
    };
    put_examples();
    for (size_t i = 0; i < TR_COUNT_OF(calls); i++) {
        assert_tool_survives_failing_allocations(registry, calls[i].tool, calls[i].body);
    }
}

static void without_mounts_no_tool_reaches_a_file(void **state)
{
    (void)state;
    tool_call_services = NULL;
    assert_tool_refuses(registry, "file_read", "{\"path\":\"/data/a\"}", TR_PATH_BLOCKED,
                        "There are no files here: the operator has mounted no folder");
    assert_tool_refuses(registry, "list_mounts", "{}", TR_PATH_BLOCKED,
                        "There are no files here: the operator has mounted no folder");
}

static void list_mounts_tells_paths_and_rights(void **state)
{
    (void)state;
    assert_tool_gives(registry, "list_mounts", "{}",
                      "{\"mounts\":[{\"path\":\"/data\",\"rights\":[\"read\"],"
                      "\"max_file_bytes\":10000000},{\"path\":\"/work\",\"rights\":[\"read\","
                      "\"write\",\"create\",\"delete\"],\"max_file_bytes\":10000000}]}");
}

static void file_info_tells_what_is_there(void **state)
{
    (void)state;
    files_put("data/a", "12345");
    folder_mkdir(&folder, "work/sub");
    folder_link(&folder, "work/link", "sub");
    folder_touch(&folder, "work/sub", FIXTURE_TIME);

    assert_tool_gives(registry, "file_info", "{\"path\":\"/data/a\"}",
                      "{\"path\":\"/data/a\",\"kind\":\"file\",\"size_bytes\":5,\"modified\":"
                      "\"" FIXTURE_TIME_TEXT "\",\"rights\":[\"read\"]}");
    assert_tool_gives(registry, "file_info", "{\"path\":\"/work/link\"}",
                      "{\"path\":\"/work/link\",\"kind\":\"folder\",\"modified\":"
                      "\"" FIXTURE_TIME_TEXT "\",\"rights\":[\"read\",\"write\",\"create\","
                      "\"delete\"]}");
    assert_tool_refuses(registry, "file_info", "{\"path\":\"/data/no\"}", TR_TOOL_FAILED,
                        "File not found: /data/no");
    assert_tool_refuses(registry, "file_info", "{\"path\":\"/no\"}", TR_PATH_BLOCKED,
                        "Path blocked: /no is below no mount. There are: /data, /work");
}

static void directory_create_makes_folders(void **state)
{
    (void)state;
    assert_tool_gives(registry, "directory_create", "{\"path\":\"/work/a/b\"}",
                      "{\"path\":\"/work/a/b\",\"created\":true}");
    assert_tool_gives(registry, "directory_create", "{\"path\":\"/work/a\"}",
                      "{\"path\":\"/work/a\",\"created\":false}");
    assert_tool_refuses(registry, "directory_create",
                        "{\"path\":\"/work/c/d\",\"create_parents\":false}", TR_TOOL_FAILED,
                        "The folder above is missing: /work/c/d; make it first, or ask for "
                        "parents");
}

static void file_move_moves_and_replaces_when_asked_to(void **state)
{
    (void)state;
    files_put("work/a", "A");
    files_put("work/b", "B");

    assert_tool_refuses(registry, "file_move", "{\"from\":\"/work/a\",\"to\":\"/work/b\"}",
                        TR_TOOL_FAILED, "File exists already: /work/b");
    assert_tool_gives(registry, "file_move",
                      "{\"from\":\"/work/a\",\"to\":\"/work/b\",\"overwrite\":true}",
                      "{\"from\":\"/work/a\",\"to\":\"/work/b\"}");
    assert_string_equal(folder_text(&folder, "work/b"), "A");
    assert_false(folder_has(&folder, "work/a"));
}

static void file_delete_deletes(void **state)
{
    (void)state;
    files_put("work/a", "A");
    files_put("data/a", "A");

    assert_tool_gives(registry, "file_delete", "{\"path\":\"/work/a\"}", "{\"path\":\"/work/a\"}");
    assert_false(folder_has(&folder, "work/a"));
    assert_tool_refuses(registry, "file_delete", "{\"path\":\"/data/a\"}", TR_PATH_BLOCKED,
                        "Path blocked: the mount /data does not allow deleting /data/a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_runs_and_succeeds),
        cmocka_unit_test(annotations_tell_what_a_tool_may_do),
        files_test(calls_survive_failing_allocations),
        files_test(without_mounts_no_tool_reaches_a_file),
        files_test(list_mounts_tells_paths_and_rights),
        files_test(file_info_tells_what_is_there),
        files_test(directory_create_makes_folders),
        files_test(file_move_moves_and_replaces_when_asked_to),
        files_test(file_delete_deletes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
