/* uuid_new - new identifiers by RFC 9562, random (version 4) or in the order of time (version 7).
 */

#include <string.h>

#include "tools/core/clock.h"
#include "tools/suites/data/data.h"
#include "tools/suites/data/digest.h"
#include "tools/suites/data/hex.h"

enum uuid_new_version { UUID_NEW_VERSION_ABSENT, UUID_NEW_V4, UUID_NEW_V7 };

enum {
    UUID_BYTES = 16,
    UUID_TEXT_BYTES = 37, /* with its NUL */
    MAX_UUIDS = 100,
    /* The counter of version 7 has 12 bits; the highest of a random start stays clear, so that it
     * cannot overflow within one call. */
    COUNTER_START_MASK = 0x7ff,
};
_Static_assert(COUNTER_START_MASK + MAX_UUIDS <= 0xfff, "the counter has room for a call");

struct uuid_new_request {
    enum uuid_new_version version;
    int64_t count;
};

struct uuid_new_response {
    TR_SPAN(const char *) uuids;
    enum uuid_new_version version;
};

static const char *const uuid_new_version_names[] = {
    [UUID_NEW_V4] = "v4",
    [UUID_NEW_V7] = "v7",
};

static const struct tr_field uuid_new_request_fields[] = {
    {
        TR_ENUM(uuid_new_request, version, uuid_new_version),
        .description = "v4: random; v7: begins with the time in milliseconds, so that later ones "
                       "sort behind earlier ones",
        .default_json = TR_JSON("v4"),
    },
    {
        TR_FIELD(uuid_new_request, count),
        .description = "How many",
        .range = TR_RANGE(1, MAX_UUIDS),
        .default_json = TR_JSON(1),
    },
};
static TR_TYPE(uuid_new_request, "Which identifiers to make");

static const struct tr_field uuid_new_response_fields[] = {
    {
        TR_LIST(uuid_new_response, uuids),
        .description = "The identifiers, in lower case; those of version 7 in ascending order",
        .format = "uuid",
        .required = true,
    },
    {
        TR_ENUM(uuid_new_response, version, uuid_new_version),
        .description = "Their version",
        .required = true,
    },
};
static TR_TYPE(uuid_new_response, "New identifiers");

/* RFC 9562 section 4.1 and 4.2. */
static void set_version(unsigned char uuid[UUID_BYTES], unsigned version)
{
    uuid[6] = (unsigned char)(version << 4 | (uuid[6] & 0x0f));
    uuid[8] = (unsigned char)(0x80 | (uuid[8] & 0x3f));
}

/* RFC 9562 section 5.7, with the counter of section 6.2, method 1, in rand_a. */
static void set_time(unsigned char uuid[UUID_BYTES], int64_t now_ms, unsigned counter)
{
    for (size_t i = 0; i < 6; i++) {
        uuid[i] = (unsigned char)(now_ms >> (40 - 8 * i) & 255);
    }
    uuid[6] = (unsigned char)(counter >> 8 & 15);
    uuid[7] = (unsigned char)(counter & 255);
}

static void write_uuid(const unsigned char uuid[UUID_BYTES], char out[UUID_TEXT_BYTES])
{
    char digits[2 * UUID_BYTES + 1];
    tr_hex_write(uuid, UUID_BYTES, digits);
    size_t to = 0;
    for (size_t from = 0; from < sizeof(digits); from++) {
        if (from == 8 || from == 12 || from == 16 || from == 20) {
            out[to++] = '-';
        }
        out[to++] = digits[from];
    }
}

static enum tr_status make_uuids(struct tr_call *call, const struct uuid_new_request *request,
                                 struct uuid_new_response *response)
{
    const size_t count = (size_t)request->count;
    const char **uuids = tr_alloc(call, count, sizeof(*uuids));
    char(*texts)[UUID_TEXT_BYTES] = tr_alloc(call, count, sizeof(*texts));
    unsigned char(*bytes)[UUID_BYTES] = tr_alloc(call, count, sizeof(*bytes));
    if (uuids == NULL || texts == NULL || bytes == NULL) {
        return TR_NO_MEMORY;
    }
    if (!tr_digest_random(bytes, count * sizeof(*bytes))) {
        return tr_fail_internal(call, "OpenSSL has no random bytes");
    }
    const bool is_timed = request->version == UUID_NEW_V7;
    const int64_t now_ms = tr_clock_real_ms();
    const unsigned start = ((unsigned)bytes[0][6] << 8 | bytes[0][7]) & COUNTER_START_MASK;
    for (size_t i = 0; i < count; i++) {
        if (is_timed) {
            set_time(bytes[i], now_ms, start + (unsigned)i);
        }
        set_version(bytes[i], is_timed ? 7 : 4);
        write_uuid(bytes[i], texts[i]);
        uuids[i] = texts[i];
    }
    response->uuids.items = uuids;
    response->uuids.count = count;
    response->version = request->version;
    return TR_OK;
}

TR_TOOL(uuid_new, make_uuids, uuid_new_request, uuid_new_response,
        .description = "Make new, globally unique identifiers (UUIDs, RFC 9562). Use it instead of "
                       "making one up: only these are really random.",
        .annotations = { .read_only = true },
        .example_json = TR_JSON({ "version": "v7", "count": 2 }));
