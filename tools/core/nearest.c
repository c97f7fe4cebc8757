#include "tools/core/nearest.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_NAME_BYTES = 64,
};

/* Three rows of the distance table: the one being filled and the two above it. */
struct rows {
    size_t now[MAX_NAME_BYTES + 1], above[MAX_NAME_BYTES + 1], far_above[MAX_NAME_BYTES + 1];
};

static char fold(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

/* Is the pair that ends at left[i], right[j] the same two letters swapped? */
static bool is_swap(const char *left, size_t i, const char *right, size_t j)
{
    return i > 0 && j > 0 && fold(left[i]) == fold(right[j - 1])
           && fold(left[i - 1]) == fold(right[j]);
}

/* Edits (insert, delete, replace, swap neighbours) that make one name of the other. */
static size_t edit_distance(const char *left, size_t left_length, const char *right,
                            size_t right_length)
{
    struct rows rows;
    for (size_t j = 0; j <= right_length; j++) {
        rows.above[j] = j;
        rows.far_above[j] = j;
    }
    for (size_t i = 0; i < left_length; i++) {
        rows.now[0] = i + 1;
        for (size_t j = 0; j < right_length; j++) {
            const size_t replaced = rows.above[j] + (fold(left[i]) != fold(right[j]));
            const size_t moved = smaller(rows.above[j + 1], rows.now[j]) + 1;
            rows.now[j + 1] = smaller(replaced, moved);
            if (is_swap(left, i, right, j)) {
                rows.now[j + 1] = smaller(rows.now[j + 1], rows.far_above[j - 1] + 1);
            }
        }
        memcpy(rows.far_above, rows.above, sizeof(rows.above));
        memcpy(rows.above, rows.now, sizeof(rows.now));
    }
    return rows.above[right_length];
}

void tr_nearest_offer(struct tr_nearest *nearest, const char *candidate)
{
    const size_t wanted = strnlen(nearest->wanted, MAX_NAME_BYTES + 1);
    const size_t length = strnlen(candidate, MAX_NAME_BYTES + 1);
    if (wanted > MAX_NAME_BYTES || length > MAX_NAME_BYTES) {
        return;
    }
    const size_t allowed = wanted / 3 > 1 ? wanted / 3 : 1;
    const size_t apart = wanted > length ? wanted - length : length - wanted;
    if (apart > allowed) {
        return;
    }
    const size_t distance = edit_distance(nearest->wanted, wanted, candidate, length);
    if (distance <= allowed && (nearest->best == NULL || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}
