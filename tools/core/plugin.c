/* plugin.c - suites from shared objects. The only file that opens one. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/registry_internal.h"

static bool read_at(int file, void *room, size_t size, ElfW(Off) offset)
{
    return pread(file, room, size, (off_t)offset) == (ssize_t)size;
}

/* Are all the segments there that its head counts? */
static bool has_segments(int file, size_t file_bytes, const ElfW(Ehdr) * head)
{
    for (size_t i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!read_at(file, &segment, sizeof(segment), head->e_phoff + i * sizeof(segment))) {
            return false;
        }
        const bool is_there =
            segment.p_filesz <= file_bytes && segment.p_offset <= file_bytes - segment.p_filesz;
        if (segment.p_type == PT_LOAD && !is_there) {
            return false;
        }
    }
    return true;
}

/* Was the copy of a shared object cut short? dlopen() would map what is not there, and the program
 * would end by SIGBUS. Of what is no shared object, dlopen() says so. */
static bool is_cut_short(const char *path, size_t file_bytes)
{
    ElfW(Ehdr) head;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    const bool is_ours = read_at(file, &head, sizeof(head), 0)
                         && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0
                         && head.e_phentsize == sizeof(ElfW(Phdr));
    const bool is_cut = is_ours && !has_segments(file, file_bytes, &head);
    (void)close(file);
    return is_cut;
}

/* What dlerror() says, without the path that it starts with. */
static const char *why_not(const char *path)
{
    const char *why = dlerror();
    const size_t length = strlen(path);
    if (why == NULL) {
        return "no reason given";
    }
    return strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0 ? why + length + 2
                                                                                  : why;
}

/* dlopen() searches the library path for a name without a slash; a plugin is a file. */
static enum tr_status open_library(const char *path, void **ret_library, struct tr_fault *reterr)
{
    struct stat facts;
    if (stat(path, &facts) != 0) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "there is no such plugin file");
    }
    if (!S_ISREG(facts.st_mode)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "is no file, so it is no plugin");
    }
    if (is_cut_short(path, (size_t)facts.st_size)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "is cut short: copy it once more");
    }
    char spelled[4096];
    const int length =
        snprintf(spelled, sizeof(spelled), "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (length < 0 || (size_t)length >= sizeof(spelled)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "the path is too long");
    }
    void *library = dlopen(spelled, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "cannot be loaded: %s",
                         why_not(spelled));
    }
    *ret_library = library;
    return TR_OK;
}

static enum tr_status load_library(struct tr_registry *registry, void *library, const char *path,
                                   const json_t *all_settings, struct tr_fault *reterr)
{
    const struct tr_suite *const *symbol = dlsym(library, TR_PLUGIN_SYMBOL);
    if (symbol == NULL || *symbol == NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path,
                         "is no toolrest plugin (no symbol %s)", TR_PLUGIN_SYMBOL);
    }
    const struct tr_suite *suite = *symbol;
    /* Only abi and size may be read before they are known to be ours. */
    const bool is_ours = suite->abi == TR_TOOL_ABI && suite->size == sizeof(*suite);
    const char *name = is_ours && suite->name != NULL ? suite->name : "";
    const struct tr_load load = {
        .suite = suite,
        .origin = path,
        .library = library,
        .settings = json_object_get(all_settings, name),
    };
    return tr_registry_load(registry, &load, reterr);
}

enum tr_status tr_registry_add_plugin(struct tr_registry *registry, const char *path,
                                      const json_t *all_settings, struct tr_fault *reterr)
{
    void *library = NULL;
    TR_TRY(open_library(path, &library, reterr));
    const enum tr_status status = load_library(registry, library, path, all_settings, reterr);
    if (status != TR_OK) {
        (void)dlclose(library);
    }
    return status;
}
