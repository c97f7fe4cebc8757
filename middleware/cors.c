/* Which web pages may read the answers (https://fetch.spec.whatwg.org/#http-cors-protocol).
 *
 * Credentials are headers that a page must set itself, never cookies, so
 * Access-Control-Allow-Credentials is not sent. */
#include <string.h>

#include "middleware/chain.h"
#include "middleware/policy.h"

static const char allowed_methods[] = "GET, HEAD, POST, OPTIONS";
static const char allowed_headers[] =
    "Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-Id, X-Agent-Id, X-Task-Id, "
    "traceparent, tracestate, baggage";
static const char exposed_headers[] = "X-Request-Id, Retry-After, Server-Timing, ETag";
static const char preflight_max_age_s[] = "600";

/* What to answer in Access-Control-Allow-Origin: the configured text; NULL: nothing. */
static const char *allowed_origin(const struct tr_exchange *exchange)
{
    const struct tr_policy *policy = exchange->policy;
    const struct tr_value origin = tr_exchange_value(exchange, TR_HEADER_ORIGIN);
    if (origin.bytes == NULL
        || tr_header_index_is_repeated(&exchange->request.known, TR_HEADER_ORIGIN)) {
        return NULL;
    }
    for (size_t i = 0; i < policy->cors_origin_count; i++) {
        const char *listed = policy->cors_origins[i];
        if (strcmp(listed, "*") == 0) {
            return listed;
        }
        if (strlen(listed) == origin.length && memcmp(listed, origin.bytes, origin.length) == 0) {
            return listed;
        }
    }
    return NULL;
}

/* Does the answer differ from origin to origin? Then caches must know, also when no origin came. */
static bool depends_on_origin(const struct tr_policy *policy)
{
    for (size_t i = 0; i < policy->cors_origin_count; i++) {
        if (strcmp(policy->cors_origins[i], "*") == 0) {
            return false;
        }
    }
    return policy->cors_origin_count != 0;
}

static bool is_preflight(const struct tr_exchange *exchange)
{
    return exchange->request.method == TR_METHOD_OPTIONS
           && tr_exchange_value(exchange, TR_HEADER_ACCESS_CONTROL_REQUEST_METHOD).bytes != NULL;
}

/* A preflight carries no credential, so it is answered before one is asked for. */
static void admit(struct tr_exchange *exchange)
{
    if (exchange->policy->cors_origin_count == 0 || !is_preflight(exchange)
        || allowed_origin(exchange) == NULL) {
        return;
    }
    tr_answer_header_constant(exchange, "Access-Control-Allow-Methods", allowed_methods);
    tr_answer_header_constant(exchange, "Access-Control-Allow-Headers", allowed_headers);
    tr_answer_header_constant(exchange, "Access-Control-Max-Age", preflight_max_age_s);
    tr_answer_empty(exchange, 204);
}

static void leave(struct tr_exchange *exchange)
{
    if (exchange->policy->cors_origin_count == 0) {
        return;
    }
    if (depends_on_origin(exchange->policy)) {
        tr_answer_header_constant(exchange, "Vary", "Origin");
    }
    const char *origin = allowed_origin(exchange);
    if (origin != NULL) {
        tr_answer_header_constant(exchange, "Access-Control-Allow-Origin", origin);
        tr_answer_header_constant(exchange, "Access-Control-Expose-Headers", exposed_headers);
    }
}

const struct tr_middleware tr_cors = {
    .name = "cors",
    .admit = admit,
    .leave = leave,
    .leaves_always = true,
};
