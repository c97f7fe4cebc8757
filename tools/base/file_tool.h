/* file_tool.h - TR_FILE_TOOL: a tool that works on files. The virtual file system is an argument of
 * its function and its only way to a file, so that no mount, right or limit can be forgotten. */
#ifndef TR_TOOLS_BASE_FILE_TOOL_H
#define TR_TOOLS_BASE_FILE_TOOL_H

#include "tools/core/base.h"
#include "tools/core/tool.h"
#include "tools/guard/vfs.h"

/* The author's function, made untyped by TR_FILE_TOOL. */
struct tr_file_hooks {
    enum tr_status (*execute)(struct tr_call *call, const struct tr_vfs *vfs, const void *request,
                              void *response);
};

/* Runs the author's function with the gateway's virtual file system. It waits for the disk, so it
 * runs on a worker. Without a virtual file system every call ends with TR_PATH_BLOCKED. */
extern const struct tr_base tr_file_base;

/* clang-format off */

/* Declare the tool `id`_tool as TR_TOOL does, run by
 *
 *   enum tr_status run_fn(struct tr_call *, const struct tr_vfs *, const struct req *,
 *                         struct res *)
 *
 * which fills the zeroed response and returns TR_OK, or what tr_fail() or the virtual file system
 * gave. */
#define TR_FILE_TOOL(id, run_fn, req, res, ...)                                          \
    static enum tr_status id##_on_files(struct tr_call *call, const struct tr_vfs *vfs,  \
                                        const void *in, void *out)                       \
    {                                                                                    \
        const struct req *request = in;                                                  \
        struct res *response = out;                                                      \
        return run_fn(call, vfs, request, response);                                     \
    }                                                                                    \
    static const struct tr_file_hooks id##_hooks = { .execute = id##_on_files };         \
    TR_HIDDEN const struct tr_tool id##_tool = {                                         \
        .abi = TR_TOOL_ABI, .size = sizeof(struct tr_tool), .name = #id,                 \
        .request = &req##_type, .response = &res##_type, .blocking = true,               \
        .base = &tr_file_base, .hooks = &id##_hooks, __VA_ARGS__ }

/* clang-format on */

#endif
