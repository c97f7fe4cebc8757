/* kinds.h - one struct with a member of every form that a table can describe, for tests. */
#ifndef TR_TESTS_SUPPORT_KINDS_H
#define TR_TESTS_SUPPORT_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "tools/core/descriptor.h"

enum kinds_color { KINDS_COLOR_ABSENT, KINDS_RED, KINDS_DARK_GREEN };

struct kinds_point {
    double x, y;
};

struct kinds_zoomed {
    struct kinds_point center;
    int64_t zoom;
};

struct kinds_choice {
    int choice;
    union {
        const char *text;
        double number;
        bool flag;
        struct tr_null nothing;
        struct kinds_zoomed zoomed;
        struct kinds_point point;
        TR_SPAN(int64_t) integers;
    };
};
enum {
    KINDS_TEXT = 1,
    KINDS_NUMBER,
    KINDS_FLAG,
    KINDS_NOTHING,
    KINDS_ZOOMED,
    KINDS_POINT,
    KINDS_INTEGERS,
};

/* What must be there comes first, then what may be absent. */
struct kinds {
    const char *text;
    int64_t integer;
    double number;
    bool flag;
    struct kinds_point point;

    const char *maybe_text;
    struct tr_opt_int maybe_integer;
    struct tr_opt_num maybe_number;
    struct tr_opt_bool maybe_flag;
    struct tr_null nothing;
    enum kinds_color color;
    json_t *anything;
    const struct kinds_point *maybe_point;
    struct kinds_choice choice;

    TR_SPAN(const char *) texts;
    TR_SPAN(int64_t) integers;
    TR_SPAN(double) numbers;
    TR_SPAN(bool) flags;
    TR_SPAN(enum kinds_color) colors;
    TR_SPAN(struct kinds_point) points;
    TR_SPAN(struct kinds_choice) choices;
    TR_SPAN(json_t *) values;
    json_t *rest;
};

extern const struct tr_type kinds_type;

/* The smallest document that fits, and one with every member. */
extern const char kinds_small_json[], kinds_full_json[];

#endif
