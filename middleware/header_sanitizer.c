#include "middleware/chain.h"

const struct tr_middleware tr_header_sanitizer = {
    .name = "header_sanitizer",
};
