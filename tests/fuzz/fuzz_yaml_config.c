/* Any text as YAML, and as the configuration file. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "server/config.h"
#include "server/yaml.h"
#include "tests/fuzz/fuzz.h"
#include "tools/core/arena.h"
#include "tools/core/fault.h"
#include "tools/core/limits.h"

/* The text in a file, for the loader reads files. One file for the whole run, gone at its end. */
static const char *path_of(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        char name[] = "/tmp/toolrest-fuzz-XXXXXX";
        descriptor = mkstemp(name);
        FUZZ_REQUIRE(descriptor >= 0);
        FUZZ_REQUIRE(unlink(name) == 0);
        snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    }
    FUZZ_REQUIRE(ftruncate(descriptor, 0) == 0);
    FUZZ_REQUIRE(pwrite(descriptor, data, size, 0) == (ssize_t)size);
    return path;
}

/* Every refusal is one line that says something. */
static void require_one_line(const struct tr_fault *fault)
{
    FUZZ_REQUIRE(fault->what[0] != '\0');
    FUZZ_REQUIRE(strchr(fault->what, '\n') == NULL);
    FUZZ_REQUIRE(strchr(fault->where, '\n') == NULL);
}

static bool is_yaml(const uint8_t *data, size_t size)
{
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_LOAD_ARENA_BYTES);
    json_auto_t *value = NULL;
    const struct tr_yaml_marks *marks = NULL;
    struct tr_fault fault = { 0 };
    const struct tr_yaml_source source = {
        .bytes = (const char *)data,
        .length = size,
        .name = "seed",
    };
    if (tr_yaml_parse(&source, &arena, &value, &marks, &fault) != TR_OK) {
        require_one_line(&fault);
        return false;
    }
    FUZZ_REQUIRE(value != NULL);
    (void)tr_yaml_line(marks, "/server/listen");
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const bool can_load = is_yaml(data, size);
    const struct tr_config_source source = { .path = path_of(data, size) };
    tr_auto(config) struct tr_config config = { 0 };
    struct tr_fault fault = { 0 };
    if (tr_config_load(&source, &config, &fault) != TR_OK) {
        require_one_line(&fault);
        return 0;
    }
    FUZZ_REQUIRE(can_load);
    return 0;
}
