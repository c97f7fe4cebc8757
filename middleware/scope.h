/* scope.h - numbers the sets of tools that principals may use, so that what is rendered for one of
 * them serves all who see the same. */
#ifndef TR_MIDDLEWARE_SCOPE_H
#define TR_MIDDLEWARE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/core/compiler.h"

struct tr_arena;
struct tr_principal;

/* Set `scope` of each principal: equal when their globs are the same but for order and repetition,
 * or allow every tool. Counts from 0 without gaps. False without memory. */
TR_MUST_USE bool tr_scopes_assign(struct tr_principal *principals, size_t count,
                                  struct tr_arena *arena, size_t *ret_scope_count);

#endif
