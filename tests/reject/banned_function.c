/* gcc: attempt to use poisoned "strcpy"
 * clang: attempt to use a poisoned identifier */
#include "tools/core/banned.h"

void copy(char *to, const char *from);
void copy(char *to, const char *from)
{
    strcpy(to, from); /* its size is anybody's guess */
}
