#include "tests/unit/tools/suites/files/files_fixture.h"

static void put_tree(void)
{
    folder_mkdir(&folder, "data/sub");
    folder_mkdir(&folder, "data/sub/deep");
    files_put("data/b.txt", "22");
    files_put("data/a.md", "333");
    files_put("data/sub/c.txt", "1");
    files_put("data/sub/deep/d.txt", "55555");
    files_put("data/x.key", "hidden");
    folder_link(&folder, "data/link", "sub");
    folder_touch(&folder, "data/b.txt", FIXTURE_TIME + 2);
    folder_touch(&folder, "data/sub", FIXTURE_TIME + 1);
    folder_touch(&folder, "data/link", FIXTURE_TIME - 1);
    folder_touch(&folder, "data/sub/deep", FIXTURE_TIME);
}

/* The paths of the entries, with a blank between. */
static void assert_lists(const char *body, const char *paths, json_int_t total)
{
    char got[4096] = "";
    json_t *result = files_result("directory_list", body);
    size_t index = 0;
    json_t *entry = NULL;
    json_array_foreach (json_object_get(result, "entries"), index, entry) {
        const size_t used = strlen(got);
        (void)snprintf(got + used, sizeof(got) - used, "%s%s", used == 0 ? "" : " ",
                       files_text(entry, "path"));
    }
    assert_string_equal(got, paths);
    assert_int_equal(files_number(result, "total"), total);
    json_decref(result);
}

static void a_folder_is_listed_with_kinds_sizes_and_times(void **state)
{
    (void)state;
    put_tree();
    assert_tool_gives(
        registry, "directory_list", "{\"path\":\"/data\"}",
        "{\"path\":\"/data\",\"entries\":["
        "{\"path\":\"/data/a.md\",\"kind\":\"file\",\"size_bytes\":3,"
        "\"modified\":\"2030-01-31T12:00:00Z\"},"
        "{\"path\":\"/data/b.txt\",\"kind\":\"file\",\"size_bytes\":2,"
        "\"modified\":\"2030-01-31T12:00:02Z\"},"
        "{\"path\":\"/data/link\",\"kind\":\"link\",\"modified\":\"2030-01-31T11:59:59Z\"},"
        "{\"path\":\"/data/sub\",\"kind\":\"folder\",\"modified\":\"2030-01-31T12:00:01Z\"}],"
        "\"total\":4,\"truncated\":false}");
}

static void depth_glob_and_order_are_the_callers(void **state)
{
    (void)state;
    put_tree();
    assert_lists("{\"path\":\"/data/\",\"depth\":2}",
                 "/data/a.md /data/b.txt /data/link /data/sub /data/sub/c.txt /data/sub/deep", 6);
    assert_lists("{\"path\":\"/data\",\"depth\":3,\"glob\":\"*.txt\"}",
                 "/data/b.txt /data/sub/c.txt /data/sub/deep/d.txt", 3);
    assert_lists("{\"path\":\"/data\",\"depth\":3,\"glob\":\"?.txt\",\"sort\":\"size\"}",
                 "/data/sub/deep/d.txt /data/b.txt /data/sub/c.txt", 3);
    assert_lists("{\"path\":\"/data\",\"sort\":\"modified\"}",
                 "/data/b.txt /data/sub /data/a.md /data/link", 4);
    assert_lists("{\"path\":\"/data\",\"sort\":\"modified\",\"reverse\":true}",
                 "/data/link /data/a.md /data/sub /data/b.txt", 4);
    assert_lists("{\"path\":\"/data/link\"}", "/data/link/c.txt /data/link/deep", 2);
    assert_lists("{\"path\":\"/work\"}", "", 0);
}

static void pages_fit_together(void **state)
{
    (void)state;
    put_tree();
    assert_lists("{\"path\":\"/data\",\"limit\":3}", "/data/a.md /data/b.txt /data/link", 4);
    assert_lists("{\"path\":\"/data\",\"limit\":3,\"start\":3}", "/data/sub", 4);
    assert_lists("{\"path\":\"/data\",\"start\":4}", "", 4);
    assert_lists("{\"path\":\"/data\",\"start\":9}", "", 4);

    json_t *first = files_result("directory_list", "{\"path\":\"/data\",\"limit\":3}");
    json_t *last = files_result("directory_list", "{\"path\":\"/data\",\"limit\":3,\"start\":3}");
    assert_int_equal(files_number(first, "next_start"), 3);
    assert_true(json_is_true(json_object_get(first, "truncated")));
    assert_null(json_object_get(last, "next_start"));
    assert_true(json_is_false(json_object_get(last, "truncated")));
    json_decref(first);
    json_decref(last);
}

/* Paths of 457 bytes: fewer than a thousand of them have 256 KiB. */
static void a_page_is_bounded_in_bytes_too(void **state)
{
    (void)state;
    enum { FILES = 1200, PATH_BYTES = 457, PAGE_BYTES = 256 * 1024 };
    char name[201];
    char inner[256];
    memset(name, 'n', 200);
    name[200] = '\0';
    (void)snprintf(inner, sizeof(inner), "data/%s", name);
    folder_mkdir(&folder, inner);
    for (int i = 0; i < FILES; i++) {
        char path[512];
        (void)snprintf(path, sizeof(path), "data/%s/%0250d", name, i);
        folder_put(&folder, path, "");
    }
    json_int_t start = 0;
    size_t pages = 0;
    size_t entries = 0;
    for (bool goes_on = true; goes_on; pages++) {
        char body[512];
        (void)snprintf(body, sizeof(body), "{\"path\":\"/data/%s\",\"limit\":1000,\"start\":%lld}",
                       name, (long long)start);
        json_t *result = files_result("directory_list", body);
        const size_t count = json_array_size(json_object_get(result, "entries"));
        assert_true(count * PATH_BYTES <= PAGE_BYTES);
        entries += count;
        goes_on = json_object_get(result, "next_start") != NULL;
        start = files_number(result, "next_start");
        json_decref(result);
    }
    assert_int_equal(entries, FILES);
    assert_int_equal(pages, 3);
}

static void entries_are_looked_at_up_to_a_limit(void **state)
{
    (void)state;
    enum { LIMIT = 20000 };
    for (int i = 0; i <= LIMIT; i++) {
        char path[32];
        (void)snprintf(path, sizeof(path), "data/%d", i);
        folder_put(&folder, path, "");
        if (i < LIMIT - 1) {
            continue;
        }
        enum tr_status status = TR_INTERNAL;
        json_t *answer =
            tool_call(registry, "directory_list", "{\"path\":\"/data\",\"start\":19999}", &status);
        const json_t *result = json_object_get(answer, "result");
        assert_int_equal(files_number(result, "total"), i == LIMIT ? LIMIT : i + 1);
        assert_int_equal(json_is_true(json_object_get(result, "truncated")), i == LIMIT);
        assert_int_equal(json_object_get(answer, "metadata") != NULL, i == LIMIT);
        json_decref(answer);
    }
}

static void what_is_no_folder_is_refused(void **state)
{
    (void)state;
    put_tree();
    assert_tool_refuses(
        registry, "directory_list", "{\"path\":\"/data/a.md\"}", TR_TOOL_FAILED,
        "Not a folder: /data/a.md, or a folder in it; directory_list shows what there is");
    assert_tool_refuses(registry, "directory_list", "{\"path\":\"/data/..\"}", TR_PATH_BLOCKED,
                        "Path blocked: /data/.. leads out of its mount");
    assert_tool_refuses(registry, "directory_list", "{\"path\":\"/data/no\"}", TR_TOOL_FAILED,
                        "File not found: /data/no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        files_test(a_folder_is_listed_with_kinds_sizes_and_times),
        files_test(depth_glob_and_order_are_the_callers),
        files_test(pages_fit_together),
        files_test(a_page_is_bounded_in_bytes_too),
        files_test(entries_are_looked_at_up_to_a_limit),
        files_test(what_is_no_folder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
