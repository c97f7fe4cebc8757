/* config_parts.h - the steps of loading a configuration, one file each. For config.c and its steps
 * alone. */
#ifndef TR_SERVER_CONFIG_PARTS_H
#define TR_SERVER_CONFIG_PARTS_H

#include <jansson.h>

#include "server/config.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

/* A configuration in the making. Everything is borrowed by the steps; what they make goes into the
 * arena of `config`. Every step refuses by tr_config_refuse(), or hands on a lack of memory. */
struct tr_config_loading {
    const struct tr_config_source *source;
    const char *folder; /* of the file, with its slash at the end; "" without */
    struct tr_config *config;
    struct config_file *file; /* once it is bound */
    struct tr_fault *reterr;
};

/* Refuse what stands at the JSON Pointer: `where` becomes "file:line", `what` the readable name of
 * the key, a colon, and the reason. */
TR_PRINTF(3, 4)
enum tr_status tr_config_refuse(const struct tr_config_loading *loading, const char *pointer,
                                const char *format, ...);

/* `where` becomes the file (or "command line"), `what` says that memory ran out. */
enum tr_status tr_config_refuse_memory(const struct tr_config_loading *loading);

/* Replace ${VAR} and ${file:PATH} in every text of `value`, in place; "$${" stands for "${". What
 * was put in is not looked at again. */
TR_MUST_USE enum tr_status tr_config_expand(const struct tr_config_loading *loading, json_t *value);

/* Fill `out`, a struct described by `type`, from `value`, which stands at `pointer` of the
 * document. Takes `value`; what `out` borrows of it lives in the configuration's arena. */
TR_MUST_USE enum tr_status tr_config_bind(const struct tr_config_loading *loading,
                                          const struct tr_type *type, const char *pointer,
                                          json_t *value, void *out);

/* What no table can say about `server`: addresses, URLs, who can reach whom. Fills in
 * config->listen and config->base_url. */
TR_MUST_USE enum tr_status tr_config_check_server(const struct tr_config_loading *loading);

/* Fills in config->keys, and config->dev_key. */
TR_MUST_USE enum tr_status tr_config_read_keys(const struct tr_config_loading *loading);

/* Turns the roots of `mounts` into paths as they can be opened from here, and opens them once. */
TR_MUST_USE enum tr_status tr_config_read_mounts(const struct tr_config_loading *loading);

/* `path` as it can be opened from here: below the folder of the file, unless it is absolute. NULL
 * when out of memory. */
const char *tr_config_path(const struct tr_config_loading *loading, const char *path);

/* Fills in config->tools. */
TR_MUST_USE enum tr_status tr_config_read_tools(const struct tr_config_loading *loading);

#endif
