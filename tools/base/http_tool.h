/* http_tool.h - TR_HTTP_TOOL: a tool that asks an upstream. Its author writes two pure functions,
 * so that no guard can be forgotten, thousands of calls wait in one thread, and a test needs no
 * network. */
#ifndef TR_TOOLS_BASE_HTTP_TOOL_H
#define TR_TOOLS_BASE_HTTP_TOOL_H

#include "tools/base/outbound.h"
#include "tools/core/base.h"
#include "tools/core/tool.h"

/* The author's functions, made untyped by TR_HTTP_TOOL. */
struct tr_http_hooks {
    enum tr_status (*prepare)(struct tr_call *call, const void *request,
                              struct tr_outbound *outbound);
    enum tr_status (*receive)(struct tr_call *call, const void *request,
                              const struct tr_inbound *inbound, void *response);
};

/* Sends what prepare() wrote through the gateway's engine and hands the answer to receive(). A URL
 * that the tool's `network` settings do not allow ends the call with TR_URL_BLOCKED; an upstream
 * that cannot be asked is a tool failure that says why and after how long. */
extern const struct tr_base tr_http_base;

/* clang-format off */

/* Declare the tool `id`_tool as TR_TOOL does, run by
 *
 *   enum tr_status prepare_fn(struct tr_call *, const struct req *, struct tr_outbound *)
 *   enum tr_status receive_fn(struct tr_call *, const struct req *, const struct tr_inbound *,
 *                             struct res *)
 *
 * prepare_fn writes what to ask into the zeroed outbound; receive_fn fills the zeroed response
 * from the answer, whatever its status. Each returns TR_OK, or what tr_fail() gave. */
#define TR_HTTP_TOOL(id, prepare_fn, receive_fn, req, res, ...)                        \
    static enum tr_status id##_http_prepare(struct tr_call *call, const void *in,      \
                                            struct tr_outbound *outbound)              \
    {                                                                                  \
        const struct req *request = in;                                                \
        return prepare_fn(call, request, outbound);                                    \
    }                                                                                  \
    static enum tr_status id##_http_receive(struct tr_call *call, const void *in,      \
                                            const struct tr_inbound *inbound, void *out) \
    {                                                                                  \
        const struct req *request = in;                                                \
        struct res *response = out;                                                    \
        return receive_fn(call, request, inbound, response);                           \
    }                                                                                  \
    static const struct tr_http_hooks id##_http_hooks = {                              \
        .prepare = id##_http_prepare, .receive = id##_http_receive };                  \
    TR_HIDDEN const struct tr_tool id##_tool = {                                       \
        .abi = TR_TOOL_ABI, .size = sizeof(struct tr_tool), .name = #id,               \
        .request = &req##_type, .response = &res##_type,                               \
        .base = &tr_http_base, .hooks = &id##_http_hooks,                              \
        __VA_ARGS__ }

/* clang-format on */

#endif
