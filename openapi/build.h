/* build.h - JSON values put together member by member; a failure sticks, so a builder checks once.
 *
 * Every function works on a `json_t *` that the caller owns. When memory runs out, or a value is
 * NULL because its own building failed, the whole value is dropped and becomes NULL; later
 * additions to it do nothing. At the end the builder returns it: NULL says out of memory. */
#ifndef TR_OPENAPI_BUILD_H
#define TR_OPENAPI_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/compiler.h"

/* Set a member; takes `value`. */
void tr_build_put(json_t **object, const char *key, json_t *value);

/* The same for plain values. A NULL text leaves the member out. */
void tr_build_put_text(json_t **object, const char *key, const char *text);
void tr_build_put_integer(json_t **object, const char *key, int64_t value);
void tr_build_put_bool(json_t **object, const char *key, bool value);

/* Append an item; takes `value`. */
void tr_build_add(json_t **array, json_t *value);
void tr_build_add_text(json_t **array, const char *text);

/* A value from JSON text that is a constant of this program (TR_JSON(...)): NULL means out of
 * memory. Text that is no JSON would be NULL too, every time, so that any test finds it. */
TR_MUST_USE json_t *tr_build_constant(const char *json);

/* A text from a format; NULL when out of memory. */
TR_MUST_USE TR_PRINTF(1, 2) json_t *tr_build_printf(const char *format, ...);

#endif
