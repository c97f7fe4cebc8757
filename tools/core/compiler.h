/* compiler.h - the compiler attributes we use, spelled once. gcc and clang have all of them. */
#ifndef TR_TOOLS_CORE_COMPILER_H
#define TR_TOOLS_CORE_COMPILER_H

#define TR_MUST_USE                   __attribute__((warn_unused_result))
#define TR_MALLOC                     __attribute__((malloc, warn_unused_result))
#define TR_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#define TR_EXPORT                     __attribute__((visibility("default")))
#define TR_HIDDEN                     __attribute__((visibility("hidden")))

/* `tr_auto(text) struct tr_text out = ...`: tr_text_drop(&out) runs when `out` leaves its scope. */
#define tr_auto(kind) __attribute__((cleanup(tr_##kind##_drop)))

#endif
