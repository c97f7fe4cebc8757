#include "server/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/core/text.h"

enum { PIECE_BYTES = 4096 };

static enum tr_status refuse(struct tr_fault *reterr, const char *name, const char *reason)
{
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL, "cannot read %s: %s", name, reason);
}

static enum tr_status refuse_text(struct tr_fault *reterr, const char *name,
                                  const struct tr_text *out)
{
    const char *reason = out->status == TR_BODY_TOO_LARGE ? "it is too large" : "out of memory";
    return tr_refuse(out->status, reterr, NULL, "cannot read %s: %s", name, reason);
}

enum tr_status tr_file_read_descriptor(int fd, const char *name, struct tr_text *out,
                                       struct tr_fault *reterr)
{
    for (;;) {
        char piece[PIECE_BYTES];
        const ssize_t got = read(fd, piece, sizeof(piece));
        if (got == 0) {
            return TR_OK;
        }
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return refuse(reterr, name, strerror(errno));
        }
        tr_text_add(out, piece, (size_t)got);
        if (out->status != TR_OK) {
            return refuse_text(reterr, name, out);
        }
    }
}

enum tr_status tr_file_read(const char *path, struct tr_text *out, struct tr_fault *reterr)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return refuse(reterr, path, strerror(errno));
    }
    const enum tr_status status = tr_file_read_descriptor(fd, path, out, reterr);
    (void)close(fd);
    return status;
}
