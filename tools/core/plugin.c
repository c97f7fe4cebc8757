/* plugin.c - suites from shared objects. The only file that opens one. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/core/registry_internal.h"

/* dlopen() searches the library path for a name without a slash; a plugin is a file. */
static enum tr_status open_library(const char *path, void **ret_library, struct tr_fault *reterr)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "there is no such plugin file");
    }
    char spelled[4096];
    const int length =
        snprintf(spelled, sizeof(spelled), "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
    if (length < 0 || (size_t)length >= sizeof(spelled)) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "the path is too long");
    }
    void *library = dlopen(spelled, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, path, "cannot be loaded: %s",
                         why != NULL ? why : "no reason given");
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
