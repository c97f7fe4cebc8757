#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/core/descriptor.h"
#include "tools/suites/web/media_type.h"

static void media_type_reads_name_kind_and_charset(void **state)
{
    (void)state;
    static const struct {
        const char *field, *name, *charset;
        enum tr_media_kind kind;
    } cases[] = {
        { NULL, "", "", TR_MEDIA_UNKNOWN },
        { "", "", "", TR_MEDIA_UNKNOWN },
        { "text/html", "text/html", "", TR_MEDIA_HTML },
        { " Text/HTML ; Charset=UTF-8 ", "text/html", "UTF-8", TR_MEDIA_HTML },
        { "text/plain; format=flowed; charset=\"koi8-r\"", "text/plain", "koi8-r", TR_MEDIA_TEXT },
        { "text/plain;charset=", "text/plain", "", TR_MEDIA_TEXT },
        { "text/plain;charset=\"", "text/plain", "\"", TR_MEDIA_TEXT },
        { "application/json", "application/json", "", TR_MEDIA_JSON },
        { "application/vnd.api+json", "application/vnd.api+json", "", TR_MEDIA_JSON },
        { "image/svg+xml", "image/svg+xml", "", TR_MEDIA_TEXT },
        { "application/octet-stream", "application/octet-stream", "", TR_MEDIA_UNKNOWN },
        { "image/png", "image/png", "", TR_MEDIA_BINARY },
        { "nonsense", "", "", TR_MEDIA_UNKNOWN },
        { "/html", "", "", TR_MEDIA_UNKNOWN },
        { "text/", "", "", TR_MEDIA_UNKNOWN },
        { "text/a/b", "", "", TR_MEDIA_UNKNOWN },
        { "text/<b>", "", "", TR_MEDIA_UNKNOWN },
        { "text/html charset=x", "", "", TR_MEDIA_UNKNOWN },
    };
    for (size_t i = 0; i < TR_COUNT_OF(cases); i++) {
        const struct tr_media_type type = tr_media_type_read(cases[i].field);
        assert_string_equal(type.name, cases[i].name);
        assert_string_equal(type.charset, cases[i].charset);
        assert_int_equal(type.kind, cases[i].kind);
    }
}

static void media_type_takes_no_name_and_charset_that_are_too_long(void **state)
{
    (void)state;
    for (size_t extra = 0; extra <= 1; extra++) {
        char field[300] = "text/";
        const size_t name_length = TR_MEDIA_NAME_BYTES - 1 + extra;
        memset(field + 5, 'x', name_length - 5);
        const struct tr_media_type named = tr_media_type_read(field);
        assert_int_equal(strlen(named.name), extra == 0 ? name_length : 0);

        char charset[300] = "text/plain;charset=";
        const size_t charset_length = TR_MEDIA_CHARSET_BYTES - 1 + extra;
        memset(charset + strlen(charset), 'y', charset_length);
        const struct tr_media_type labelled = tr_media_type_read(charset);
        assert_int_equal(strlen(labelled.charset), extra == 0 ? charset_length : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(media_type_reads_name_kind_and_charset),
        cmocka_unit_test(media_type_takes_no_name_and_charset_that_are_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
