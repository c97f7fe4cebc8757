#include "middleware/chain.h"

const struct tr_middleware tr_auth = {
    .name = "auth",
};
