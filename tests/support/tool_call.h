/* tool_call.h - calls a tool of a suite through the whole pipeline, as tests of tools want it. */
#ifndef TR_TESTS_SUPPORT_TOOL_CALL_H
#define TR_TESTS_SUPPORT_TOOL_CALL_H

#include <jansson.h>

#include "tools/core/registry.h"
#include "tools/core/status.h"
#include "tools/core/suite.h"

struct tr_services;

/* What every call gets to work with; NULL at first. */
extern const struct tr_services *tool_call_services;

/* A registry with `suite` alone; fails the test when the suite does not load. Unref it. */
struct tr_registry *tool_registry(const struct tr_suite *suite);

/* Call `tool` with the request document `body`. Gives the answer document (decref it) and its
 * status.
 */
json_t *tool_call(const struct tr_registry *registry, const char *tool, const char *body,
                  enum tr_status *ret_status);

/* The call succeeds and its `result` is `wanted_json`. */
void assert_tool_gives(const struct tr_registry *registry, const char *tool, const char *body,
                       const char *wanted_json);

/* The call ends with `status`, `success` false and `error` as written. */
void assert_tool_refuses(const struct tr_registry *registry, const char *tool, const char *body,
                         enum tr_status status, const char *wanted_error);

/* The call is made again and again, each time with another allocation refused: it ends well or says
 * that there is no memory, and leaks nothing. */
void assert_tool_survives_failing_allocations(const struct tr_registry *registry, const char *tool,
                                              const char *body);

#endif
