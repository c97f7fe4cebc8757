#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "server/cli.h"

/* A file or socket that we open must never become what the rest of the program, and of its
 * libraries, takes for standard input, output or error. */
static void occupy_standard_descriptors(void)
{
    int fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO) {
        fd = open("/dev/null", O_RDWR);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
}

int main(int argc, char **argv)
{
    occupy_standard_descriptors();
    /* A reader that goes away is seen as EPIPE where we write. */
    (void)signal(SIGPIPE, SIG_IGN);
    return (int)tr_cli_run(argc, argv);
}
