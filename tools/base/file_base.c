#include "tools/base/file_tool.h"
#include "tools/base/services.h"

static bool start(struct tr_call *call, const struct tr_tool *tool, const void *request,
                  void *response, struct tr_waiter *waiter, enum tr_status *ret_status)
{
    (void)waiter;
    const struct tr_file_hooks *hooks = tool->hooks;
    const struct tr_vfs *vfs = call->services != NULL ? call->services->files : NULL;
    if (vfs == NULL) {
        (void)tr_fail(call, "There are no files here: the operator has mounted no folder");
        *ret_status = TR_PATH_BLOCKED;
    } else {
        *ret_status = hooks->execute(call, vfs, request, response);
    }
    return true;
}

const struct tr_base tr_file_base = {
    .name = "file",
    .start = start,
};
