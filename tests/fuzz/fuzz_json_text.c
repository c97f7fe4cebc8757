/* Any bytes as JSON: our reader and jansson's agree on what is JSON and what it says, but for what
 * ours refuses on purpose: a byte order mark, NUL, depth. */
#include <stdbool.h>
#include <string.h>

#include <jansson.h>

#include "tests/fuzz/fuzz.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"

static size_t depth_of(const json_t *value)
{
    size_t deepest = 0;
    if (!json_is_object(value) && !json_is_array(value)) {
        return 0;
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        const size_t depth = depth_of(json_array_get(value, i));
        deepest = depth > deepest ? depth : deepest;
    }
    for (void *at = tr_json_first(value); at != NULL; at = tr_json_next(value, at)) {
        const size_t depth = depth_of(json_object_iter_value(at));
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    json_auto_t *ours = NULL;
    struct tr_fault fault = { 0 };
    const enum tr_status status = tr_json_parse(bytes, size, &ours, &fault);
    json_auto_t *theirs =
        json_loadb(size > 0 ? bytes : "", size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    if (status == TR_OK) {
        FUZZ_REQUIRE(theirs != NULL && json_equal(ours, theirs));
        FUZZ_REQUIRE(depth_of(ours) <= TR_MAX_JSON_DEPTH);
        return 0;
    }
    FUZZ_REQUIRE(ours == NULL && fault.what[0] != '\0');
    const bool has_nul = size > 0 && memchr(data, 0, size) != NULL;
    const bool is_long = strstr(fault.what, "too long") != NULL; /* a number of over 1,200 digits */
    FUZZ_REQUIRE(theirs == NULL || has_nul || is_long || depth_of(theirs) > TR_MAX_JSON_DEPTH);
    return 0;
}
