#include "middleware/chain.h"

const struct tr_middleware tr_body_limit = {
    .name = "body_limit",
};
