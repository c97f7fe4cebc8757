#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/tool_call.h"
#include "tools/base/file_tool.h"
#include "tools/base/services.h"

struct probe_request {
    int64_t number;
};

struct probe_response {
    int64_t number;
    int64_t mounts;
};

static const struct tr_field probe_request_fields[] = {
    {
        TR_FIELD(probe_request, number),
        .description = "A number",
        .required = true,
        .example_json = TR_JSON(1),
    },
};
static TR_TYPE(probe_request, "What goes in");

static const struct tr_field probe_response_fields[] = {
    {
        TR_FIELD(probe_response, number),
        .description = "The number",
        .required = true,
    },
    {
        TR_FIELD(probe_response, mounts),
        .description = "How many mounts there are",
        .required = true,
    },
};
static TR_TYPE(probe_response, "What comes out");

static enum tr_status probe(struct tr_call *call, const struct tr_vfs *vfs,
                            const struct probe_request *request, struct probe_response *response)
{
    if (request->number < 0) {
        return tr_fail(call, "No negative numbers");
    }
    response->number = request->number;
    response->mounts = (int64_t)tr_vfs_mount_count(vfs);
    return TR_OK;
}

TR_FILE_TOOL(probe, probe, probe_request, probe_response, .description = "A tool for this test");

static const struct tr_tool *const tools[] = { &probe_tool };
static const struct tr_suite suite = {
    TR_SUITE_HEADER,           .name = "probes", .version = "1.0.0",
    .description = "One tool", .tools = tools,   .tool_count = 1,
};

static void a_file_tool_blocks(void **state)
{
    (void)state;
    assert_true(probe_tool.blocking);
    assert_null(tr_file_base.finish);
}

static void a_file_tool_gets_the_file_system_its_request_and_its_response(void **state)
{
    (void)state;
    struct tr_services services = { .files = NULL };
    struct tr_fault fault;
    struct tr_registry *registry = tool_registry(&suite);
    assert_int_equal(tr_vfs_new(NULL, 0, &services.files, &fault), TR_OK);
    tool_call_services = &services;

    assert_tool_gives(registry, "probe", "{\"number\":7}", "{\"number\":7,\"mounts\":0}");
    assert_tool_refuses(registry, "probe", "{\"number\":-1}", TR_TOOL_FAILED,
                        "No negative numbers");

    tool_call_services = NULL;
    tr_vfs_free(services.files);
    tr_registry_unref(registry);
}

static void a_file_tool_does_not_run_without_a_file_system(void **state)
{
    (void)state;
    static const struct tr_services none;
    static const char sentence[] = "There are no files here: the operator has mounted no folder";
    struct tr_registry *registry = tool_registry(&suite);

    assert_tool_refuses(registry, "probe", "{\"number\":7}", TR_PATH_BLOCKED, sentence);
    tool_call_services = &none;
    assert_tool_refuses(registry, "probe", "{\"number\":7}", TR_PATH_BLOCKED, sentence);

    tool_call_services = NULL;
    tr_registry_unref(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_tool_blocks),
        cmocka_unit_test(a_file_tool_gets_the_file_system_its_request_and_its_response),
        cmocka_unit_test(a_file_tool_does_not_run_without_a_file_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
