/* fuzz.h - what every fuzz target includes. A target is one function that takes any bytes and must
 * come back; what has to hold for all bytes it says with FUZZ_REQUIRE. It is linked with libFuzzer
 * in the preset `fuzz`, and with replay.c, which runs the seeds, in every other. */
#ifndef TR_TESTS_FUZZ_FUZZ_H
#define TR_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Like assert(), in every kind of build. */
#define FUZZ_REQUIRE(condition)                                                            \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

#endif
