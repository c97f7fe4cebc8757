/* cli_load.h - what most commands start with: the configuration and the tools it asks for. */
#ifndef TR_SERVER_CLI_LOAD_H
#define TR_SERVER_CLI_LOAD_H

#include <stdbool.h>

#include "server/cli.h"
#include "server/config.h"
#include "tools/core/compiler.h"

struct tr_registry;
struct tr_dialect;

struct tr_cli_load {
    struct tr_config config;
    struct tr_registry *registry; /* one reference */
};

/* Load what --config, --plugin, --listen and --dev say. False: it was refused, and said so; nothing
 * is left behind. */
TR_MUST_USE bool tr_cli_load(const struct tr_cli_options *options, struct tr_cli_load *ret_load);
void tr_cli_load_done(struct tr_cli_load *load);

static inline void tr_cli_load_drop(struct tr_cli_load *load)
{
    tr_cli_load_done(load);
}

/* The configuration alone. */
TR_MUST_USE bool tr_cli_load_config(const struct tr_cli_options *options,
                                    struct tr_config *ret_config);

/* The dialect that --format names, native without; NULL when there is none of that name, which is
 * complained about with all names. */
const struct tr_dialect *tr_cli_dialect(const struct tr_cli_options *options);

/* Complain that no such tool is loaded, with the nearest name, to a program by the problem document
 * that a gateway would answer with; gives TR_EXIT_REFUSED. */
enum tr_exit tr_cli_refuse_tool(const struct tr_cli_options *options,
                                const struct tr_registry *registry, const char *name);

#endif
