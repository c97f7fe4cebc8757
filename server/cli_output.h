/* cli_output.h - how commands speak: results to standard output, complaints to standard error. */
#ifndef TR_SERVER_CLI_OUTPUT_H
#define TR_SERVER_CLI_OUTPUT_H

#include <stdbool.h>

#include <jansson.h>

#include "server/cli.h"
#include "tools/core/compiler.h"
#include "tools/core/fault.h"

/* Does a program read the output, and not a person? True with --json, or without a terminal. */
bool tr_cli_wants_json(const struct tr_cli_options *options);

/* One line to standard error. Control characters, which a file or a plugin may bring along, are
 * written as '?', so that it stays one line and moves no cursor. */
TR_PRINTF(1, 2) void tr_cli_complain(const char *format, ...);

/* "where: what" as one line to standard error; gives TR_EXIT_REFUSED. */
enum tr_exit tr_cli_refuse(const struct tr_fault *fault);

/* Out of memory; gives TR_EXIT_REFUSED. */
enum tr_exit tr_cli_refuse_memory(void);

/* Write `value`, whose reference is taken, as one line; on a terminal indented. NULL counts as out
 * of memory. */
enum tr_exit tr_cli_print_json(json_t *value);

/* The same for JSON text. */
enum tr_exit tr_cli_print_text(const char *json_text);

/* Send out what is still buffered. A reader that left is no failure of ours; anything else is
 * complained about and false. */
TR_MUST_USE bool tr_cli_flush(void);

#endif
