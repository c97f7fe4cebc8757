/* raw_client.h - an HTTP client of a few lines for tests: it sends any bytes, and reads what comes
 * back. Every function ends the test when nothing comes for a long while. */
#ifndef TR_TESTS_SUPPORT_RAW_CLIENT_H
#define TR_TESTS_SUPPORT_RAW_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAW_HEAD_BYTES = 8192, RAW_BODY_BYTES = 512 * 1024 };

/* One answer. Big: keep it static. */
struct raw_answer {
    int status;
    char head[RAW_HEAD_BYTES]; /* with the empty line; NUL-terminated */
    char body[RAW_BODY_BYTES]; /* NUL-terminated */
    size_t body_length;
};

/* A connection to 127.0.0.1; close() it. */
int raw_connect(uint16_t port);

/* Can one be made at all? */
bool raw_can_connect(uint16_t port);

/* False when the other side has closed. */
bool raw_try_send(int fd, const char *bytes, size_t length);
void raw_send(int fd, const char *bytes, size_t length);
void raw_send_text(int fd, const char *text);

/* Read the head of an answer and as much body as it announces. False when the connection ends
 * before the first byte. */
bool raw_read(int fd, struct raw_answer *answer);

/* The same for the answer to HEAD, which announces a body that does not come. */
bool raw_read_head(int fd, struct raw_answer *answer);

/* Wait until the other side closes; false when bytes come instead. */
bool raw_is_closed(int fd);

/* The value of a header in the answer, up to its line end, in `room`; false when it is not there.
 */
bool raw_header(const struct raw_answer *answer, const char *name, char *room, size_t room_bytes);

#endif
