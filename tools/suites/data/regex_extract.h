/* regex_extract.h - what regex_extract takes and gives, and the work between the two. */
#ifndef TR_TOOLS_SUITES_DATA_REGEX_EXTRACT_H
#define TR_TOOLS_SUITES_DATA_REGEX_EXTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/status.h"

struct tr_call;

/* A group, by its number or its name. */
struct regex_extract_group {
    int choice;
    union {
        int64_t number;
        const char *name;
    };
};
enum { REGEX_GROUP_NUMBER = 1, REGEX_GROUP_NAME = 2 };

struct regex_extract_request {
    const char *text;
    const char *pattern;
    const char *flags;
    TR_SPAN(struct regex_extract_group) groups;
    int64_t offset;
    int64_t limit;
};

struct regex_extract_capture {
    int64_t number;
    const char *name;
    const char *text;
    struct tr_opt_int start, end;
};

struct regex_extract_match {
    const char *text;
    int64_t start, end;
    TR_SPAN(struct regex_extract_capture) groups;
};

struct regex_extract_response {
    TR_SPAN(struct regex_extract_match) matches;
    int64_t count;
    bool truncated;
    struct tr_opt_int next_offset;
};

/* NULL when the pattern compiles and has the groups that were asked for, else a sentence. */
const char *tr_regex_check(struct tr_call *call, const struct regex_extract_request *request);

/* Find the matches. Fails by tr_fail() when the pattern takes too many steps. */
TR_MUST_USE enum tr_status tr_regex_extract(struct tr_call *call,
                                            const struct regex_extract_request *request,
                                            struct regex_extract_response *response);

#endif
