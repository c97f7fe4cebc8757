#include "tools/base/http_failure.h"

static const struct {
    const char *name, *words;
} failures[] = {
#define TR_HTTP_FAILURE_ROW(id, text, sentence) \
    [TR_HTTP_FAILURE_##id] = { .name = text, .words = sentence },
    TR_HTTP_FAILURE_LIST(TR_HTTP_FAILURE_ROW)
#undef TR_HTTP_FAILURE_ROW
};

const char *tr_http_failure_name(enum tr_http_failure failure)
{
    return failures[failure].name;
}

const char *tr_http_failure_words(enum tr_http_failure failure)
{
    return failures[failure].words;
}
