/* described_suite.h - a small suite for tests of what the gateway says about its tools. */
#ifndef TR_TESTS_SUPPORT_DESCRIBED_SUITE_H
#define TR_TESTS_SUPPORT_DESCRIBED_SUITE_H

#include "tools/core/registry.h"
#include "tools/core/suite.h"

/* book (category travel): rules of every kind, a secret, nested objects, alternatives, an example
 * of its own. ping: no parameters, no category of its own. note (travel, strict): a few parameters,
 * none with an example. */
extern const struct tr_suite described_suite;

/* A sealed registry with the suite in it. The deployment gives `note` a default for its required
 * `text`, and `book` one for its secret `pin`. Ends the test when it cannot be made. */
struct tr_registry *described_registry(void);

#endif
