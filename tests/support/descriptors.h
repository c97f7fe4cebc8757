/* descriptors.h - room for tests that hold many connections. */
#ifndef TR_TESTS_SUPPORT_DESCRIPTORS_H
#define TR_TESTS_SUPPORT_DESCRIPTORS_H

#include <stddef.h>

/* Let this process open `count` descriptors: a login gives 1024 and lets a process ask for more.
 * Skips the test that calls it where so many cannot be had. */
void descriptors_allow(size_t count);

#endif
