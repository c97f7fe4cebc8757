/* report.h - what the gateway did to a call besides running it: the `metadata` of the answer. */
#ifndef TR_TOOLS_CORE_REPORT_H
#define TR_TOOLS_CORE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct tr_arena;
struct tr_place;

/* Texts in the order they came, each once, at most TR_MAX_REPORTED. Lives in the report's arena. */
struct tr_strings {
    const char **items;
    size_t count, room;
};

/* Start with { .arena = ... }. A report that finds no memory loses the entry and sets
 * `is_incomplete`; it never fails a call. */
struct tr_report {
    struct tr_arena *arena;
    struct tr_strings coerced;  /* JSON Pointers of values that were converted */
    struct tr_strings renamed;  /* JSON Pointers of camelCase keys, as they were sent */
    struct tr_strings ignored;  /* JSON Pointers of members that no schema declares */
    struct tr_strings warnings; /* sentences */
    bool is_truncated;          /* the result was cut at the output limit */
    bool is_incomplete;         /* a list was full or memory was short */
};

/* Add the JSON Pointer of `place` to `list`, one of the report's. */
void tr_report_place(struct tr_report *report, struct tr_strings *list,
                     const struct tr_place *place);

/* Add a copy of `text` to `list`, one of the report's. */
void tr_report_text(struct tr_report *report, struct tr_strings *list, const char *text);

/* Is there anything to say? */
bool tr_report_any(const struct tr_report *report);

#endif
