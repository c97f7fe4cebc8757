/* uniqueItems: by pairs in a short array, by sorted hashes in a long one. */

#include <stdlib.h>
#include <string.h>

#include "tools/core/checker.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"

enum { SHORT_ARRAY = 16, HASH_BYTES_PER_STEP = 64 };

struct hashed_item {
    uint64_t hash;
    size_t index;
    size_t steps; /* that the hash took, which a comparison takes again */
};

/* ---- hashes: equal values have equal ones ---- */

/* FNV-1a. Whoever makes many items of one hash makes work for the pairs, which is paid for. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t hash_tagged(unsigned char tag, const void *bytes, size_t length)
{
    return hash_bytes(hash_bytes(0xcbf29ce484222325u, &tag, 1), bytes, length);
}

/* Spread the bits, so that sums of hashes stay apart. */
static uint64_t scatter(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 33;
}

/* 1 and 1.0 are equal: a real number that is an int64 counts as one. */
static uint64_t hash_number(const json_t *number)
{
    int64_t integer = 0;
    if (json_is_integer(number)) {
        integer = json_integer_value(number);
        return hash_tagged('i', &integer, sizeof(integer));
    }
    const double real = json_real_value(number);
    if (real >= -0x1p63 && real < 0x1p63 && (double)(int64_t)real == real) {
        integer = (int64_t)real;
        return hash_tagged('i', &integer, sizeof(integer));
    }
    return hash_tagged('r', &real, sizeof(real));
}

static uint64_t hash_value(struct tr_checker *checker, const json_t *value);

static uint64_t hash_array(struct tr_checker *checker, const json_t *array)
{
    uint64_t hash = hash_tagged('a', NULL, 0);
    const size_t count = json_array_size(array);
    for (size_t i = 0; i < count && !checker->is_exhausted; i++) {
        const uint64_t item = hash_value(checker, json_array_get(array, i));
        hash = hash_bytes(hash, &item, sizeof(item));
    }
    return hash;
}

/* A sum: the order of members does not matter. */
static uint64_t hash_object(struct tr_checker *checker, const json_t *object)
{
    uint64_t sum = hash_tagged('o', NULL, 0);
    for (void *at = tr_json_first(object); at != NULL && !checker->is_exhausted;
         at = tr_json_next(object, at)) {
        const uint64_t value = hash_value(checker, json_object_iter_value(at));
        const uint64_t key =
            hash_tagged('k', json_object_iter_key(at), json_object_iter_key_len(at));
        sum += scatter(hash_bytes(key, &value, sizeof(value)));
    }
    return sum;
}

static uint64_t hash_by_type(struct tr_checker *checker, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_INTEGER:
    case JSON_REAL: return hash_number(value);
    case JSON_ARRAY: return hash_array(checker, value);
    case JSON_OBJECT: return hash_object(checker, value);
    case JSON_STRING: {
        const size_t length = json_string_length(value);
        (void)tr_check_spend(checker, length / HASH_BYTES_PER_STEP);
        return hash_tagged('s', json_string_value(value), length);
    }
    case JSON_TRUE: return 1;
    case JSON_FALSE: return 2;
    case JSON_NULL: break;
    }
    return 3;
}

static uint64_t hash_value(struct tr_checker *checker, const json_t *value)
{
    if (!tr_check_spend(checker, 1) || checker->depth >= TR_MAX_CHECK_DEPTH) {
        checker->is_exhausted = true;
        return 0;
    }
    checker->depth++;
    const uint64_t hash = hash_by_type(checker, value);
    checker->depth--;
    return hash;
}

/* ---- pairs ---- */

static bool refuse_pair(struct tr_checker *checker, const struct tr_place *place, size_t first,
                        size_t second)
{
    return tr_check_refuse(checker, place, "uniqueItems",
                           "must not repeat an item: [%zu] and [%zu] are equal", first, second);
}

static bool check_pairs(struct tr_checker *checker, const json_t *array,
                        const struct tr_place *place)
{
    const size_t count = json_array_size(array);
    for (size_t j = 1; j < count; j++) {
        for (size_t i = 0; i < j; i++) {
            if (tr_json_equal(json_array_get(array, i), json_array_get(array, j))) {
                return refuse_pair(checker, place, i, j);
            }
        }
    }
    return true;
}

/* ---- sorted hashes ---- */

static int compare_items(const void *left, const void *right)
{
    const struct hashed_item *a = left;
    const struct hashed_item *b = right;
    if (a->hash != b->hash) {
        return a->hash < b->hash ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

/* Items of one hash stand beside each other. */
static bool check_neighbours(struct tr_checker *checker, const json_t *array,
                             const struct hashed_item *items, const struct tr_place *place)
{
    const size_t count = json_array_size(array);
    for (size_t j = 1; j < count; j++) {
        for (size_t i = j; i > 0 && items[i - 1].hash == items[j].hash; i--) {
            const size_t left = items[i - 1].index;
            const size_t right = items[j].index;
            if (!tr_check_spend(checker, items[j].steps)) {
                return false;
            }
            if (tr_json_equal(json_array_get(array, left), json_array_get(array, right))) {
                return refuse_pair(checker, place, left, right);
            }
        }
    }
    return true;
}

bool tr_check_unique(struct tr_checker *checker, const json_t *array, const struct tr_place *place)
{
    const size_t count = json_array_size(array);
    if (count <= SHORT_ARRAY) {
        return check_pairs(checker, array, place);
    }
    struct hashed_item *items = calloc(count, sizeof(*items));
    if (items == NULL) {
        checker->is_exhausted = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t before = checker->work;
        items[i].hash = hash_value(checker, json_array_get(array, i));
        items[i].index = i;
        items[i].steps = (size_t)(before - checker->work);
    }
    qsort(items, count, sizeof(*items), compare_items);
    const bool is_unique = !checker->is_exhausted && check_neighbours(checker, array, items, place);
    free(items);
    return is_unique;
}
