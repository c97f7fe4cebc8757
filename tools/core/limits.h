/* limits.h - every bound of the product that is not configuration, in one place. */
#ifndef TR_TOOLS_CORE_LIMITS_H
#define TR_TOOLS_CORE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

enum {
    TR_MAX_JSON_DEPTH = 32,                /* nesting of arrays and objects in a request body */
    TR_MAX_NESTED_TEXT = 8,                /* JSON text inside JSON text that coercion unwraps */
    TR_MAX_PARAMS_WORK = 4 * 1000 * 1000,  /* values and schemas that one stage looks at */
    TR_MAX_VIOLATIONS = 64,                /* reported for one call; the rest are only counted */
    TR_MAX_REPORTED = 64,                  /* pointers in each list of `metadata` */
    TR_MAX_SCHEMA_DEPTH = 64,              /* nesting of a schema document; $refs in a row */
    TR_MAX_CHECK_DEPTH = 256,              /* schemas inside schemas while one value is checked */
    TR_MAX_SCHEMA_NODES = 20 * 1000,       /* in one schema document */
    TR_MAX_PATTERN_BYTES = 4 * 1024,       /* source of one `pattern` */
    TR_MAX_TRANSLATED_BYTES = 1024 * 1024, /* the same in the words of pcre2 */
    TR_MAX_TOOL_NAME_BYTES = 64,
    TR_FAULT_WHERE_BYTES = 192,
    TR_FAULT_WHAT_BYTES = 320,
    TR_ARENA_FIRST_BYTES = 2 * 1024,
    TR_ARENA_BLOCK_BYTES = 8 * 1024,
};

#define TR_CALL_ARENA_BYTES    ((size_t)32 * 1024 * 1024) /* memory of one call, request included */
#define TR_LOAD_ARENA_BYTES    ((size_t)64 * 1024 * 1024) /* memory of one schema document */
#define TR_OUTPUT_LIMIT_BYTES  ((size_t)1024 * 1024)      /* result of a tool that names no limit */
#define TR_PATTERN_MATCH_STEPS ((uint64_t)100 * 1000)     /* of one match, see pattern.h */
#define TR_CHECK_WORK          ((uint64_t)4 * 1000 * 1000) /* steps of one check, see check.h */

#define TR_DEFAULT_TIMEOUT_MS ((int64_t)30 * 1000) /* of a tool that names none */
#define TR_MAX_TIMEOUT_MS     ((int64_t)3600 * 1000)

#endif
