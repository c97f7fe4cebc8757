/* file.h - read a whole file, or a whole descriptor, up to a limit. */
#ifndef TR_SERVER_FILE_H
#define TR_SERVER_FILE_H

#include "tools/core/compiler.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"

struct tr_text;

/* Add what `path` holds to `out`, whose limit is the limit. Refuses (TR_INVALID_PARAMETERS, or the
 * text's own failure; `reterr->what` is "cannot read PATH: reason") what cannot be opened or read,
 * a folder, and more bytes than the limit. */
TR_MUST_USE enum tr_status tr_file_read(const char *path, struct tr_text *out,
                                        struct tr_fault *reterr);

/* The same for an open descriptor, which is borrowed; `name` stands for it in error texts. */
TR_MUST_USE enum tr_status tr_file_read_descriptor(int fd, const char *name, struct tr_text *out,
                                                   struct tr_fault *reterr);

#endif
