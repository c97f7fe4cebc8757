/* golden.h - a JSON value against a file in tests/data that says what it must be. */
#ifndef TR_TESTS_SUPPORT_GOLDEN_H
#define TR_TESTS_SUPPORT_GOLDEN_H

#include <jansson.h>

/* Fails the test, naming the first line that differs, unless `value` is what tests/data/`name`
 * holds, indented by two spaces and with the members in the same order. With TR_WRITE_GOLDEN set in
 * the environment the file is written instead: look at the difference before you commit it. */
void golden_expect(const char *name, const json_t *value);

#endif
