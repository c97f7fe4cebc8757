#include "middleware/request_id.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "middleware/chain.h"
#include "middleware/exchange.h"
#include "middleware/secret.h"

enum {
    TIME_CHARS = 10,
    RANDOM_CHARS = 16,
    RANDOM_BYTES = 10, /* 16 characters of 5 bits */
    POOLED_IDS = 64,   /* one call of the random generator for so many ids */
};

static const char base32[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

struct random_pool {
    unsigned char bytes[POOLED_IDS * RANDOM_BYTES];
    size_t left; /* bytes not used yet, at the end */
};

static _Thread_local struct random_pool pool;

/* Ids must differ, not be secret: without randomness a counter does. */
static void fill_without_randomness(unsigned char out[RANDOM_BYTES])
{
    static atomic_uint_fast64_t counter;
    const uint64_t next = atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    memset(out, 0, RANDOM_BYTES);
    memcpy(out, &next, sizeof(next));
}

static void take_random(unsigned char out[RANDOM_BYTES])
{
    if (pool.left == 0) {
        if (!tr_random_bytes(pool.bytes, sizeof(pool.bytes))) {
            fill_without_randomness(out);
            return;
        }
        pool.left = sizeof(pool.bytes);
    }
    memcpy(out, pool.bytes + sizeof(pool.bytes) - pool.left, RANDOM_BYTES);
    pool.left -= RANDOM_BYTES;
}

static void write_base32(char *out, size_t count, uint64_t bits)
{
    for (size_t i = count; i-- > 0;) {
        out[i] = base32[bits % 32];
        bits /= 32;
    }
}

static uint64_t big_endian_40(const unsigned char *bytes)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < RANDOM_BYTES / 2; i++) {
        bits = bits << 8 | bytes[i];
    }
    return bits;
}

static void make_id(int64_t real_ms, char *out)
{
    _Static_assert(TIME_CHARS + RANDOM_CHARS < TR_REQUEST_ID_BYTES, "an id fits");
    unsigned char random[RANDOM_BYTES];
    take_random(random);
    write_base32(out, TIME_CHARS, (uint64_t)real_ms);
    write_base32(out + TIME_CHARS, RANDOM_CHARS / 2, big_endian_40(random));
    write_base32(out + TIME_CHARS + RANDOM_CHARS / 2, RANDOM_CHARS / 2,
                 big_endian_40(random + RANDOM_BYTES / 2));
    out[TIME_CHARS + RANDOM_CHARS] = '\0';
}

static bool is_id_char(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')
           || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_';
}

static bool is_valid_id(struct tr_value value)
{
    if (value.length == 0 || value.length >= TR_REQUEST_ID_BYTES) {
        return false;
    }
    for (size_t i = 0; i < value.length; i++) {
        if (!is_id_char(value.bytes[i])) {
            return false;
        }
    }
    return true;
}

void tr_request_id_ensure(struct tr_exchange *exchange)
{
    if (exchange->request_id[0] != '\0') {
        return;
    }
    tr_exchange_index(exchange);
    const struct tr_value given = tr_exchange_value(exchange, TR_HEADER_X_REQUEST_ID);
    if (is_valid_id(given)
        && !tr_header_index_is_repeated(&exchange->request.known, TR_HEADER_X_REQUEST_ID)) {
        memcpy(exchange->request_id, given.bytes, given.length);
        exchange->request_id[given.length] = '\0';
        return;
    }
    make_id(exchange->started_real_ms, exchange->request_id);
}

static void leave(struct tr_exchange *exchange)
{
    tr_request_id_ensure(exchange);
    tr_answer_header_constant(exchange, "X-Request-Id", exchange->request_id);
}

const struct tr_middleware tr_request_id = {
    .name = "request id",
    .admit = tr_request_id_ensure,
    .leave = leave,
    .leaves_always = true,
};
