#include "middleware/chain.h"

const struct tr_middleware tr_access_log = {
    .name = "access_log",
};
