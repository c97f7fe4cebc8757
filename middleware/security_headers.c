#include "middleware/chain.h"

const struct tr_middleware tr_security_headers = {
    .name = "security_headers",
};
