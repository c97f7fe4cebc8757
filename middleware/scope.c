#include "middleware/scope.h"

#include <stdlib.h>
#include <string.h>

#include "middleware/keyring.h"
#include "tools/core/arena.h"

/* A principal with its globs in one order that does not depend on how they were written. */
struct view {
    struct tr_principal *principal;
    const char **globs;
    size_t count;
};

static int compare_globs(const void *left, const void *right)
{
    const char *const *a = left;
    const char *const *b = right;
    return strcmp(*a, *b);
}

/* Drop repetitions from sorted globs. */
static size_t unique(const char **globs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || strcmp(globs[kept - 1], globs[i]) != 0) {
            globs[kept++] = globs[i];
        }
    }
    return kept;
}

static bool allows_everything(const struct tr_principal *principal)
{
    if (principal->tools == NULL) {
        return true;
    }
    for (size_t i = 0; i < principal->tool_count; i++) {
        if (principal->tools[i][strspn(principal->tools[i], "*")] == '\0') {
            return true;
        }
    }
    return false;
}

static bool make_view(struct tr_principal *principal, struct tr_arena *arena, struct view *ret_view)
{
    const bool is_everything = allows_everything(principal);
    const size_t count = is_everything ? 1 : principal->tool_count;
    const char **globs = TR_NEW(arena, const char *, count + 1);
    if (globs == NULL) {
        return false;
    }
    if (is_everything) {
        globs[0] = "*";
    } else if (count != 0) {
        memcpy(globs, principal->tools, count * sizeof(*globs));
        qsort(globs, count, sizeof(*globs), compare_globs);
    }
    *ret_view = (struct view){
        .principal = principal,
        .globs = globs,
        .count = unique(globs, count),
    };
    return true;
}

static int compare_views(const void *left, const void *right)
{
    const struct view *a = left;
    const struct view *b = right;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const int order = strcmp(a->globs[i], b->globs[i]);
        if (order != 0) {
            return order;
        }
    }
    return (a->count > b->count) - (a->count < b->count);
}

bool tr_scopes_assign(struct tr_principal *principals, size_t count, struct tr_arena *arena,
                      size_t *ret_scope_count)
{
    *ret_scope_count = 0;
    struct view *views = TR_NEW(arena, struct view, count);
    if (views == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!make_view(&principals[i], arena, &views[i])) {
            return false;
        }
    }
    qsort(views, count, sizeof(*views), compare_views);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_views(&views[i - 1], &views[i]) != 0) {
            (*ret_scope_count)++;
        }
        views[i].principal->scope = *ret_scope_count - 1;
    }
    return true;
}
