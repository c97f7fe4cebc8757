/* exchange.h - two names change places in one step: the swap that a race test needs. */
#ifndef TR_TESTS_SUPPORT_EXCHANGE_H
#define TR_TESTS_SUPPORT_EXCHANGE_H

#include <linux/fs.h>
#include <stdbool.h>
#include <sys/syscall.h>

/* <unistd.h> keeps it from strict POSIX. */
long syscall(long number, ...);

/* Both are below the open folder. */
static inline bool exchange_names(int folder, const char *one, const char *other)
{
    return syscall(SYS_renameat2, folder, one, folder, other, RENAME_EXCHANGE) == 0;
}

#endif
