/* files_fixture.h - the files suite on two mounts of a temporary folder: "/data" (ro, but nothing
 * in its folder closed) and "/work" (rw). Use it as a cmocka group's set-up for each test. */
#ifndef TR_TESTS_UNIT_TOOLS_SUITES_FILES_FILES_FIXTURE_H
#define TR_TESTS_UNIT_TOOLS_SUITES_FILES_FILES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/folder.h"
#include "tests/support/tool_call.h"
#include "tools/base/services.h"
#include "tools/guard/mount_settings.h"
#include "tools/guard/vfs.h"
#include "tools/suites/files/files.h"

/* 2030-01-31T12:00:00Z */
#define FIXTURE_TIME      ((int64_t)1896091200)
#define FIXTURE_TIME_TEXT "2030-01-31T12:00:00Z"

static struct folder folder;
static struct tr_services services;
static struct tr_registry *registry;

static inline int files_start(void **state)
{
    static const char *const hidden[] = { "*.key" };
    static const struct mount_override closed = {
        .path = "closed",
        .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_NONE } },
    };
    char data[FOLDER_PATH_BYTES + 8];
    char work[FOLDER_PATH_BYTES + 8];
    (void)state;
    folder_make(&folder);
    folder_mkdir(&folder, "data");
    folder_mkdir(&folder, "work");
    (void)snprintf(data, sizeof(data), "%s/data", folder.path);
    (void)snprintf(work, sizeof(work), "%s/work", folder.path);
    const struct mount_settings mounts[] = {
        {
            .path = "/data",
            .root = data,
            .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_RO } },
            .overrides = { &closed, 1 },
            .max_file_bytes = 10000000,
            .hidden = { hidden, 1 },
        },
        {
            .path = "/work",
            .root = work,
            .rights = { MOUNT_RIGHTS_PRESET, { MOUNT_RW } },
            .max_file_bytes = 10000000,
        },
    };
    struct tr_fault fault;
    assert_int_equal(tr_vfs_new(mounts, 2, &services.files, &fault), TR_OK);
    tool_call_services = &services;
    registry = tool_registry(&files_suite);
    return 0;
}

static inline int files_end(void **state)
{
    (void)state;
    tr_registry_unref(registry);
    tool_call_services = NULL;
    tr_vfs_free(services.files);
    folder_remove(&folder);
    return 0;
}

#define files_test(function) cmocka_unit_test_setup_teardown(function, files_start, files_end)

/* Put a file with the fixture's time. */
static inline void files_put(const char *path, const char *text)
{
    folder_put(&folder, path, text);
    folder_touch(&folder, path, FIXTURE_TIME);
}

/* Call a tool that must succeed; gives its result (decref it). */
static inline json_t *files_result(const char *tool, const char *body)
{
    enum tr_status status = TR_INTERNAL;
    json_t *answer = tool_call(registry, tool, body, &status);
    if (status != TR_OK) {
        fail_msg("%s %s: %s", tool, body, json_string_value(json_object_get(answer, "error")));
    }
    json_t *result = json_incref(json_object_get(answer, "result"));
    json_decref(answer);
    return result;
}

static inline const char *files_text(const json_t *result, const char *member)
{
    return json_string_value(json_object_get(result, member));
}

static inline json_int_t files_number(const json_t *result, const char *member)
{
    return json_integer_value(json_object_get(result, member));
}

#endif
