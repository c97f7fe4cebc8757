/* http_tool.h - calls a tool on top of the HTTP base without any network: the test looks at what
 * the tool would send, and says what the upstream answers. */
#ifndef TR_TESTS_SUPPORT_HTTP_TOOL_H
#define TR_TESTS_SUPPORT_HTTP_TOOL_H

#include <jansson.h>

#include "tools/base/outbound.h"
#include "tools/core/call.h"
#include "tools/core/pipeline.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"
#include "tools/core/suite.h"

/* A registry with `suite` alone and its settings as JSON (NULL: none); fails the test when it does
 * not load. Unref it. */
struct tr_registry *http_registry(const struct tr_suite *suite, const char *settings);

/* One call of a tool, up to where it would send its request. */
struct http_exchange {
    struct tr_call call;
    struct tr_run run;
    struct tr_outbound outbound;
    enum tr_status status; /* TR_OK: `outbound` is what would be sent */
};

void http_exchange_begin(struct http_exchange *exchange, const struct tr_registry *registry,
                         const char *tool, const char *body);

/* The upstream answers (NULL: it is not asked, for the call is refused already). Gives the answer
 * document, to be decreffed, or NULL when there was no memory for it; its status is
 * exchange->status. */
json_t *http_exchange_answer(struct http_exchange *exchange, const struct tr_inbound *inbound);
void http_exchange_done(struct http_exchange *exchange);

/* A whole call: the answer document and its status. */
json_t *http_call(const struct tr_registry *registry, const char *tool, const char *body,
                  const struct tr_inbound *inbound, enum tr_status *ret_status);

/* The answer 200 with this text and type. */
struct tr_inbound http_inbound(const char *content_type, const char *body);

/* The call ends with `result` (JSON), or with a failure of the tool whose sentence is `error`. */
void assert_http_gives(const struct tr_registry *registry, const char *tool, const char *body,
                       const struct tr_inbound *inbound, const char *result);
void assert_http_fails(const struct tr_registry *registry, const char *tool, const char *body,
                       const struct tr_inbound *inbound, const char *error);

#endif
