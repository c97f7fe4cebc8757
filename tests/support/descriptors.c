#include "tests/support/descriptors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

void descriptors_allow(size_t count)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur >= count) {
        return;
    }
    if (limit.rlim_max < count) {
        print_message("Skipped: %zu descriptors are needed\n", count);
        skip();
    }
    limit.rlim_cur = count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}
