#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "middleware/blob.h"
#include "tests/support/alloc_fail.h"

static struct tr_blob *blob_of(const char *content, size_t length)
{
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 1000);
    tr_text_add(&text, content, length);
    return tr_blob_new(&text);
}

static void a_blob_is_a_terminated_copy(void **state)
{
    (void)state;
    struct tr_blob *blob = blob_of("abc", 3);
    assert_int_equal(blob->length, 3);
    assert_string_equal(blob->bytes, "abc");
    tr_blob_unref(blob);

    tr_auto(text) struct tr_text empty;
    tr_text_init(&empty, 1000);
    struct tr_blob *nothing = tr_blob_new(&empty);
    assert_int_equal(nothing->length, 0);
    assert_string_equal(nothing->bytes, "");
    tr_blob_unref(nothing);
}

static void the_same_bytes_have_the_same_tag(void **state)
{
    (void)state;
    struct tr_blob *one = blob_of("abc", 3);
    struct tr_blob *same = blob_of("abc", 3);
    struct tr_blob *other = blob_of("abd", 3);

    assert_string_equal(one->etag, "\"ba7816bf8f01cfea4141\"");
    assert_string_equal(same->etag, one->etag);
    assert_string_not_equal(other->etag, one->etag);
    tr_blob_unref(one);
    tr_blob_unref(same);
    tr_blob_unref(other);
}

static void a_text_that_failed_gives_no_blob(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 2);
    tr_text_add_string(&text, "too long");
    assert_null(tr_blob_new(&text));
}

static void *take_and_drop(void *context)
{
    for (int i = 0; i < 10 * 1000; i++) {
        tr_blob_unref(tr_blob_ref(context));
    }
    return NULL;
}

static void threads_may_share_a_blob(void **state)
{
    (void)state;
    struct tr_blob *blob = blob_of("abc", 3);
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_drop, blob), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(atomic_load(&blob->references), 1);
    tr_blob_unref(blob);
    tr_blob_unref(NULL);
}

static bool make_blob(void *context)
{
    struct tr_blob *blob = tr_blob_new(context);
    tr_blob_unref(blob);
    return blob != NULL;
}

static void a_blob_survives_out_of_memory(void **state)
{
    (void)state;
    tr_auto(text) struct tr_text text;
    tr_text_init(&text, 10);
    tr_text_add_string(&text, "abc");
    assert_int_equal(alloc_fail_each(make_blob, &text), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blob_is_a_terminated_copy),
        cmocka_unit_test(the_same_bytes_have_the_same_tag),
        cmocka_unit_test(a_text_that_failed_gives_no_blob),
        cmocka_unit_test(threads_may_share_a_blob),
        cmocka_unit_test(a_blob_survives_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
