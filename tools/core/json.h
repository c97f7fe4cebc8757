/* json.h - JSON values (jansson's json_t) at our borders: strict parsing, comparing, writing. */
#ifndef TR_TOOLS_CORE_JSON_H
#define TR_TOOLS_CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_arena;
struct tr_text;

/* Parse one JSON text of any kind (RFC 8259, I-JSON's bans of RFC 7493): strict UTF-8 without a
 * byte order mark, no NUL raw or escaped, no duplicate keys, at most TR_MAX_JSON_DEPTH deep,
 * integers within int64, finite reals. An empty text is no JSON. Gives a new reference. Fails with
 * TR_MALFORMED_JSON (`reterr->what` names line and column) or TR_NO_MEMORY. */
TR_MUST_USE enum tr_status tr_json_parse(const char *bytes, size_t length, json_t **ret_value,
                                         struct tr_fault *reterr);

/* Equal as JSON Schema means it (core 4.2.2): 1 and 1.0 are equal, the order of members is not
 * looked at, integers beyond 2^53 are compared exactly. */
bool tr_json_equal(const json_t *left, const json_t *right);

/* -1, 0, 1 as `left` is less than, equal to or greater than `right`, both JSON numbers, exactly
 * (int64 against double without rounding). */
int tr_json_number_compare(const json_t *left, const json_t *right);

/* Is `value` an integer as JSON Schema means it: 2, 2.0 and 2e0. */
bool tr_json_is_integral(const json_t *value);

/* Write `value` compactly, members in their order; numbers in the shortest form that reads back
 * the same. A NULL value or a non-finite number fails the text with TR_INTERNAL. */
void tr_json_write(struct tr_text *out, const json_t *value);

/* Write `length` bytes as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD,
 * so the answer stays valid whatever a tool returned. */
void tr_json_write_string(struct tr_text *out, const char *bytes, size_t length);

/* Write a finite double in the shortest form that reads back the same ("21.5", "1e+300"; an
 * integral one as "2.0"), independent of the locale. */
void tr_json_write_real(struct tr_text *out, double value);

/* Walk over the members of an object without changing it: `for (void *at = tr_json_first(object);
 * at != NULL; at = tr_json_next(object, at))`, with json_object_iter_key(at) and its sisters.
 * jansson's own loops want a mutable object, though they change nothing: this is the one place that
 * drops const for them. */
static inline void *tr_json_first(const json_t *object)
{
    return json_object_iter((json_t *)(uintptr_t)object);
}

static inline void *tr_json_next(const json_t *object, void *at)
{
    return json_object_iter_next((json_t *)(uintptr_t)object, at);
}

/* Hand the reference on: returns the value and leaves NULL. */
static inline json_t *tr_json_take(json_t **value)
{
    json_t *taken = *value;
    *value = NULL;
    return taken;
}

/* The arena takes the reference `value`; false (and the reference dropped) when it has no room,
 * or `value` is NULL. */
TR_MUST_USE bool tr_arena_adopt_json(struct tr_arena *arena, json_t *value);

#endif
