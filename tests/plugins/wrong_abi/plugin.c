/* A plugin of another version of the gateway: nothing behind the ABI number may be looked at. */

#include "tools/core/suite.h"

static const struct tr_suite wrong_abi_suite = {
    .abi = TR_TOOL_ABI + 1,
    .size = sizeof(struct tr_suite),
    .name = "wrong_abi",
    .version = "1.0.0",
    .description = "Built for the next version",
};

TR_PLUGIN(wrong_abi_suite);
