/* cli_parameters.h - the words of `toolrest call` as a parameter object. */
#ifndef TR_SERVER_CLI_PARAMETERS_H
#define TR_SERVER_CLI_PARAMETERS_H

#include <stddef.h>

#include "server/cli.h"
#include "tools/core/compiler.h"

struct tr_text;

/* Write the JSON object that the words say: `key=text`, `key:=JSON`, `@FILE` and `@-` (standard
 * input) for a whole object, whose members the other words replace. Complains about a word that is
 * none of these, about a key or file that is given twice, and about what cannot be read; anything
 * but TR_EXIT_OK is then the program's exit code. */
TR_MUST_USE enum tr_exit tr_cli_parameters(const char *const *words, size_t count,
                                           struct tr_text *out);

#endif
