#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "openapi/build.h"
#include "tests/support/alloc_fail.h"
#include "tools/core/json.h"

static json_t *build_everything(void)
{
    json_t *list = json_array();
    tr_build_add(&list, tr_build_constant("{\"deep\":[1]}"));
    tr_build_add_text(&list, "last");
    json_t *out = json_object();
    tr_build_put_text(&out, "text", "words");
    tr_build_put_text(&out, "left out", NULL);
    tr_build_put_integer(&out, "count", -3);
    tr_build_put_bool(&out, "flag", true);
    tr_build_put(&out, "list", list);
    tr_build_put(&out, "said", tr_build_printf("%s %d", "no", 7));
    return out;
}

static void a_value_is_built_in_the_order_of_the_calls(void **state)
{
    (void)state;
    json_auto_t *out = build_everything();

    char *text = json_dumps(out, JSON_COMPACT);

    assert_string_equal(text, "{\"text\":\"words\",\"count\":-3,\"flag\":true,"
                              "\"list\":[{\"deep\":[1]},\"last\"],\"said\":\"no 7\"}");
    free(text);
}

static void a_missing_part_drops_the_whole(void **state)
{
    (void)state;
    json_t *object = json_object();
    json_t *array = json_array();

    tr_build_put(&object, "part", NULL);
    tr_build_put_text(&object, "later", "ignored");
    tr_build_add(&array, NULL);
    tr_build_add(&array, json_true());

    assert_null(object);
    assert_null(array);
}

static bool attempt(void *context)
{
    (void)context;
    json_t *out = build_everything();
    const bool is_done = out != NULL;
    json_decref(out);
    return is_done;
}

static void running_out_of_memory_gives_null_and_leaks_nothing(void **state)
{
    (void)state;
    assert_true(alloc_fail_each(attempt, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_built_in_the_order_of_the_calls),
        cmocka_unit_test(a_missing_part_drops_the_whole),
        cmocka_unit_test(running_out_of_memory_gives_null_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
