/* A plugin that cannot start. It must leave nothing behind, and its cleanup must not run. */

#include <stdlib.h>

#include "tools/core/suite.h"
#include "tools/core/tool.h"

static enum tr_status run(struct tr_call *call, const struct tr_empty *request,
                          struct tr_empty *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

extern const struct tr_tool unreachable_tool;
TR_TOOL(unreachable, run, tr_empty, tr_empty, .description = "Is never listed");

static const struct tr_tool *const tools[] = { &unreachable_tool };

static enum tr_status initialize(const void *settings, void **ret_state, struct tr_fault *reterr)
{
    (void)settings;
    (void)ret_state;
    return tr_refuse(TR_INTERNAL, reterr, NULL, "the plugin does not want to start");
}

static void cleanup(void *state)
{
    (void)state;
    abort();
}

static const struct tr_suite failing_suite = {
    TR_SUITE_HEADER,          .name = "failing_initialize",
    .version = "1.0.0",       .description = "Fails to start",
    .tools = tools,           .tool_count = TR_COUNT_OF(tools),
    .initialize = initialize, .cleanup = cleanup,
};

TR_PLUGIN(failing_suite);
