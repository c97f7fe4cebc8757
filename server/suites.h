/* suites.h - which tools there are: the suites that are built in, and the registry of everything
 * that a configuration asks for. */
#ifndef TR_SERVER_SUITES_H
#define TR_SERVER_SUITES_H

#include <stddef.h>

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/registry.h"
#include "tools/core/status.h"
#include "tools/core/suite.h"

struct tr_config;

/* The suites of this program, in the order in which they are loaded. */
const struct tr_suite *const *tr_suites(size_t *ret_count);

/* A sealed registry with the built-in suites, the configuration's plugins and its choice of tools.
 * Gives one reference. Refuses with TR_INVALID_PARAMETERS, saying what and why: everything that
 * registry.h refuses, and settings for a suite that is not loaded. */
TR_MUST_USE enum tr_status tr_suites_load(const struct tr_config *config,
                                          struct tr_registry **ret_registry,
                                          struct tr_fault *reterr);

#endif
