/* Who calls: an API key as "Authorization: Bearer KEY" or "X-API-Key: KEY".
 *
 * Every refusal is 401 with a Bearer challenge (RFC 6750 section 3): without an error code when no
 * credential came; invalid_token when one came that is malformed, unknown or expired - which of
 * these is not said; invalid_request when two came that differ. RFC 6750 would have 400 for the
 * last, but what the caller must mend is the credential, and 401 is the status that says so. */
#include <string.h>

#include "middleware/chain.h"
#include "middleware/keyring.h"
#include "middleware/policy.h"

#define CHALLENGE "Bearer realm=\"toolrest\""

static const char challenge[] = CHALLENGE;
static const char invalid_token[] = CHALLENGE ", error=\"invalid_token\"";
static const char invalid_request[] = CHALLENGE ", error=\"invalid_request\"";

enum outcome {
    OUTCOME_NONE, /* no credential */
    OUTCOME_GIVEN,
    OUTCOME_MALFORMED,
    OUTCOME_CONFLICTING,
};

/* "/docs/" lists what is below and "/docs" itself, as the trailing slash of a path has been
 * dropped. The root is only itself. */
static bool is_listed(const char *listed, const char *path)
{
    const size_t length = strlen(listed);
    if (length < 2 || listed[length - 1] != '/') {
        return strcmp(path, listed) == 0;
    }
    return strncmp(path, listed, length - 1) == 0
           && (path[length - 1] == '/' || path[length - 1] == '\0');
}

static bool is_public(const struct tr_policy *policy, const char *path)
{
    for (size_t i = 0; i < policy->public_path_count; i++) {
        if (is_listed(policy->public_paths[i], path)) {
            return true;
        }
    }
    return false;
}

/* "Bearer", in any case, one or more spaces, and the key. Which bytes a key may have is not asked:
 * only those of a known one have its digest. */
static bool bearer_key(struct tr_value authorization, struct tr_value *ret_key)
{
    static const char scheme[] = "bearer";
    const size_t scheme_length = sizeof(scheme) - 1;
    if (authorization.length <= scheme_length || authorization.bytes[scheme_length] != ' '
        || !tr_is_lower_same(authorization.bytes, scheme, scheme_length)) {
        return false;
    }
    *ret_key =
        tr_value_trim(authorization.bytes + scheme_length, authorization.length - scheme_length);
    return ret_key->length != 0;
}

static bool is_repeated(const struct tr_exchange *exchange)
{
    const struct tr_header_index *known = &exchange->request.known;
    return tr_header_index_is_repeated(known, TR_HEADER_AUTHORIZATION)
           || tr_header_index_is_repeated(known, TR_HEADER_X_API_KEY);
}

static enum outcome read_credential(const struct tr_exchange *exchange, struct tr_value *ret_key)
{
    const struct tr_value authorization = tr_exchange_value(exchange, TR_HEADER_AUTHORIZATION);
    const struct tr_value api_key = tr_exchange_value(exchange, TR_HEADER_X_API_KEY);
    if (is_repeated(exchange)) {
        return OUTCOME_CONFLICTING;
    }
    if (authorization.bytes == NULL) {
        *ret_key = api_key;
        if (api_key.bytes == NULL) {
            return OUTCOME_NONE;
        }
        return api_key.length != 0 ? OUTCOME_GIVEN : OUTCOME_MALFORMED;
    }
    if (!bearer_key(authorization, ret_key)) {
        return api_key.bytes == NULL ? OUTCOME_MALFORMED : OUTCOME_CONFLICTING;
    }
    /* Both are the caller's own, so comparing them leaks nothing. */
    const bool is_same = api_key.bytes == NULL
                         || (api_key.length == ret_key->length
                             && memcmp(api_key.bytes, ret_key->bytes, api_key.length) == 0);
    return is_same ? OUTCOME_GIVEN : OUTCOME_CONFLICTING;
}

static void refuse(struct tr_exchange *exchange, const char *with_challenge, const char *detail)
{
    tr_answer_header_constant(exchange, "WWW-Authenticate", with_challenge);
    tr_answer_problem(exchange, TR_UNAUTHENTICATED, "%s", detail);
}

static void refuse_outcome(struct tr_exchange *exchange, enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_NONE:
        refuse(exchange, challenge,
               "No credential: send 'Authorization: Bearer KEY' or 'X-API-Key: KEY'");
        break;
    case OUTCOME_MALFORMED:
        refuse(exchange, invalid_token,
               "The credential is malformed: send 'Authorization: Bearer KEY' or 'X-API-Key: KEY'");
        break;
    case OUTCOME_CONFLICTING:
        refuse(exchange, invalid_request,
               "Two credentials that differ: send one of Authorization and X-API-Key, once");
        break;
    case OUTCOME_GIVEN: refuse(exchange, invalid_token, "The key is unknown or has expired"); break;
    }
}

static void admit(struct tr_exchange *exchange)
{
    const struct tr_policy *policy = exchange->policy;
    if (policy->keyring == NULL || tr_keyring_count(policy->keyring) == 0) {
        return;
    }
    struct tr_value key = { .bytes = NULL };
    const enum outcome outcome = read_credential(exchange, &key);
    if (outcome == OUTCOME_GIVEN) {
        exchange->principal =
            tr_keyring_find(policy->keyring, key.bytes, key.length, exchange->started_real_ms);
    }
    if (exchange->principal == NULL && !is_public(policy, exchange->request.path)) {
        refuse_outcome(exchange, outcome);
    }
}

const struct tr_middleware tr_auth = {
    .name = "auth",
    .admit = admit,
};
