/* tool.h - what a tool is: one const struct, declared by TR_TOOL beside the function that runs it.
 */
#ifndef TR_TOOLS_CORE_TOOL_H
#define TR_TOOLS_CORE_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/core/base.h"
#include "tools/core/call.h"
#include "tools/core/descriptor.h"
#include "tools/core/status.h"

/* Grows by one with every change of any struct that a plugin sees. A plugin is loaded only when
 * this number and the size of each of its structs are those of the gateway. */
#define TR_TOOL_ABI 1u

/* Hints about behaviour, named as MCP's tool annotations. */
struct tr_annotations {
    bool read_only;   /* changes nothing */
    bool destructive; /* may delete or overwrite */
    bool idempotent;  /* the same call again changes nothing more */
    bool open_world;  /* reaches things outside of this gateway */
};

struct tr_tool {
    unsigned abi; /* TR_TOOL_ABI */
    size_t size;  /* sizeof(struct tr_tool) */

    /* Written by the author. */
    const char *name;        /* ^[A-Za-z0-9_-]{1,64}$ */
    const char *description; /* what it does and when to use it; agents choose by it */
    const char *category;    /* NULL: the suite's name */
    const char *version;     /* NULL: the suite's version */
    struct tr_annotations annotations;
    bool strict;               /* undeclared parameters are refused, not ignored */
    bool blocking;             /* may wait or compute for long: runs on a worker thread */
    int64_t timeout_ms;        /* 0: TR_DEFAULT_TIMEOUT_MS */
    size_t output_limit_bytes; /* 0: TR_OUTPUT_LIMIT_BYTES */
    const char *example_json;  /* TR_JSON({...}): a whole parameter object; runs as a test */

    /* NULL, or a message why the request makes no sense (stage 7); declare it with TR_VALIDATOR. */
    const char *(*validate)(struct tr_call *call, const void *request);

    /* Filled in by TR_TOOL and by the macros of the bases. */
    const struct tr_type *request, *response;
    enum tr_status (*execute)(struct tr_call *call, const void *request, void *response);
    const struct tr_base *base; /* runs the tool; NULL: `execute` does */
    const void *hooks;          /* the author's functions, as the base knows them */
};

/* clang-format off */

/* Declare the tool `id`_tool, run by `run_fn(struct tr_call *, const struct req *, struct res *)`,
 * which fills the zeroed response and returns TR_OK, or what tr_fail() gave. One typed function in,
 * one untyped entry out, without a cast: the compiler checks both structs. The tool's JSON
 * name is `id`; the rest follows by name: TR_TOOL(weather, run, weather_request,
 * weather_response, .description = "...", .annotations = { .read_only = true }). The object is
 * hidden, so that a plugin's own is not replaced by one of the same name in the program. */
#define TR_TOOL(id, run_fn, req, res, ...)                                             \
    static enum tr_status id##_execute(struct tr_call *call, const void *in, void *out) \
    {                                                                                  \
        const struct req *request = in;                                                \
        struct res *response = out;                                                    \
        return run_fn(call, request, response);                                        \
    }                                                                                  \
    TR_HIDDEN const struct tr_tool id##_tool = {                                       \
        .abi = TR_TOOL_ABI, .size = sizeof(struct tr_tool), .name = #id,               \
        .request = &req##_type, .response = &res##_type, .execute = id##_execute,      \
        __VA_ARGS__ }

/* Turn `check_fn(struct tr_call *, const struct req *)` into `check_fn_entry`, for .validate. */
#define TR_VALIDATOR(check_fn, req)                                                    \
    static const char *check_fn##_entry(struct tr_call *call, const void *in)          \
    {                                                                                  \
        const struct req *request = in;                                                \
        return check_fn(call, request);                                                \
    }

/* clang-format on */

#endif
