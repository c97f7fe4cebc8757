#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/listen_socket.h"

static struct tr_endpoint endpoint_of(const char *text)
{
    struct tr_endpoint endpoint;
    assert_int_equal(tr_endpoint_parse(text, &endpoint, NULL), TR_OK);
    return endpoint;
}

static bool can_connect(const struct tr_endpoint *endpoint)
{
    const int fd = socket(endpoint->storage.ss_family, SOCK_STREAM, 0);
    const bool is_connected =
        connect(fd, (const struct sockaddr *)&endpoint->storage, endpoint->length) == 0;
    close(fd);
    return is_connected;
}

static void first_socket_decides_the_port_and_the_second_shares_it(void **state)
{
    (void)state;
    struct tr_endpoint endpoint = endpoint_of("127.0.0.1:0");
    int first;
    int second;

    assert_int_equal(tr_listen_socket_open(&endpoint, true, &first, NULL), TR_OK);
    const uint16_t port = tr_endpoint_port(&endpoint);
    assert_int_equal(tr_listen_socket_open(&endpoint, false, &second, NULL), TR_OK);

    assert_int_not_equal(port, 0);
    assert_int_equal(tr_endpoint_port(&endpoint), port);
    assert_true(can_connect(&endpoint));
    close(first);
    assert_true(can_connect(&endpoint));
    close(second);
    assert_false(can_connect(&endpoint));
}

static void port_that_somebody_has_is_refused(void **state)
{
    (void)state;
    struct tr_endpoint endpoint = endpoint_of("127.0.0.1:0");
    struct tr_fault fault;
    int mine;
    int other = -1;
    assert_int_equal(tr_listen_socket_open(&endpoint, true, &mine, NULL), TR_OK);

    const enum tr_status status = tr_listen_socket_open(&endpoint, true, &other, &fault);

    assert_int_equal(status, TR_INTERNAL);
    assert_int_equal(other, -1);
    assert_non_null(strstr(fault.what, "127.0.0.1:"));
    assert_non_null(strstr(fault.what, "in use"));
    close(mine);
}

static void every_address_includes_ipv4(void **state)
{
    (void)state;
    struct tr_endpoint endpoint = endpoint_of(":0");
    struct tr_endpoint ipv4 = endpoint_of("127.0.0.1:0");
    int fd;

    assert_int_equal(tr_listen_socket_open(&endpoint, true, &fd, NULL), TR_OK);

    tr_endpoint_set_port(&ipv4, tr_endpoint_port(&endpoint));
    assert_true(can_connect(&ipv4));
    close(fd);
}

static void address_of_another_machine_is_refused(void **state)
{
    (void)state;
    struct tr_endpoint endpoint = endpoint_of("192.0.2.1:80");
    struct tr_fault fault;
    int fd;

    assert_int_equal(tr_listen_socket_open(&endpoint, true, &fd, &fault), TR_INTERNAL);

    assert_non_null(strstr(fault.what, "cannot listen on 192.0.2.1:80: "));
}

static void descriptor_limit_rises_to_the_hard_one(void **state)
{
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 64;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);

    assert_int_equal(tr_raise_descriptor_limit(), limit.rlim_max);

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(limit.rlim_cur, limit.rlim_max);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_socket_decides_the_port_and_the_second_shares_it),
        cmocka_unit_test(port_that_somebody_has_is_refused),
        cmocka_unit_test(every_address_includes_ipv4),
        cmocka_unit_test(address_of_another_machine_is_refused),
        cmocka_unit_test(descriptor_limit_rises_to_the_hard_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
