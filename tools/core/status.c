#include "tools/core/status.h"

#include <string.h>

static const struct tr_status_info infos[] = {
#define TR_STATUS_INFO(id, http_, code_, title_, advice_, retryable_) \
    [TR_##id] = {                                                     \
        .http = (http_),                                              \
        .code = (code_),                                              \
        .title = (title_),                                            \
        .advice = (advice_),                                          \
        .retryable = (retryable_),                                    \
    },
    TR_STATUS_LIST(TR_STATUS_INFO)
#undef TR_STATUS_INFO
};

enum { STATUS_COUNT = sizeof(infos) / sizeof(infos[0]) };

const struct tr_status_info *tr_status_info(enum tr_status status)
{
    return (unsigned)status < STATUS_COUNT ? &infos[status] : &infos[TR_INTERNAL];
}

bool tr_status_from_code(const char *code, enum tr_status *ret_status)
{
    for (int i = 0; i < STATUS_COUNT; i++) {
        if (strcmp(infos[i].code, code) == 0) {
            *ret_status = (enum tr_status)i;
            return true;
        }
    }
    return false;
}

int tr_status_count(void)
{
    return STATUS_COUNT;
}
