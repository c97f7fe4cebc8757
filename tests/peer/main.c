/* The test upstream as a program: test_peer PORT [tls] serves until it is ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/peer/peer.h"

int main(int count, char **words)
{
    if (count < 2) {
        (void)fprintf(stderr, "usage: test_peer PORT [tls]\n");
        return 2;
    }
    const struct peer_options options = {
        .port = (uint16_t)strtoul(words[1], NULL, 10),
        .is_tls = count > 2 && strcmp(words[2], "tls") == 0,
    };
    const struct peer *peer = peer_start(&options);
    (void)printf("%u%s%s\n", (unsigned)peer_port(peer), options.is_tls ? " " : "",
                 options.is_tls ? peer_ca_file(peer) : "");
    (void)fflush(stdout);
    for (;;) {
        (void)pause();
    }
}
