/* gcc: ignoring return value of 'tr_json_parse' declared with attribute 'warn_unused_result'
 * clang: ignoring return value of function declared with 'warn_unused_result' attribute */
#include "tools/core/json.h"

void parse(json_t **value);
void parse(json_t **value)
{
    tr_json_parse("{}", 2, value, NULL);
}
