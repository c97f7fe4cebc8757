/* sample_suite.h - a small suite for tests of the core: one tool for each way a call can end. */
#ifndef TR_TESTS_SUPPORT_SAMPLE_SUITE_H
#define TR_TESTS_SUPPORT_SAMPLE_SUITE_H

#include <stdint.h>

#include "tools/core/descriptor.h"
#include "tools/core/suite.h"

struct sample_request {
    const char *text;
    int64_t times;
    TR_SPAN(int64_t) numbers;
};

struct sample_response {
    const char *text;
    int64_t length;
};

struct sample_settings {
    const char *greeting;
};

/* repeat: `text` as often as `times` says. refuse: tr_fail(). defect: tr_fail_internal(). overdue:
 * TR_TIMEOUT. liar: a status no tool may give. silent: fails without words. greedy: uses up its
 * memory. empty: leaves out what its response requires. greet: the setting and the state. picky:
 * its validator refuses "no". soft: success, error and errors of its own. */
extern const struct tr_suite sample_suite;

/* How often initialize() and cleanup() of the suite ran; and whether the next initialize() fails.
 */
extern int sample_initialized, sample_cleaned_up;
extern bool sample_fails_to_initialize;

#endif
