/* Runs a fuzz target once for each file that is named, without libFuzzer. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_INPUT_BYTES = 1024 * 1024 };

static bool replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    uint8_t *bytes = malloc(MAX_INPUT_BYTES);
    const size_t length = bytes == NULL ? 0 : fread(bytes, 1, MAX_INPUT_BYTES, file);
    const bool has_read = bytes != NULL && ferror(file) == 0;
    fclose(file);
    if (has_read) {
        /* In a block of just that size, so that a sanitizer sees the first byte too many. */
        uint8_t *input = malloc(length + (length == 0 ? 1 : 0));
        if (input != NULL) {
            memcpy(input, bytes, length);
            LLVMFuzzerTestOneInput(input, length);
        }
        free(input);
    }
    free(bytes);
    return has_read;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!replay(argv[i])) {
            return 1;
        }
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 2;
}
