/* banned.h - functions that this code base never calls; using one is a compile error. The build
 * includes this file ahead of every source. */
#ifndef TR_TOOLS_CORE_BANNED_H
#define TR_TOOLS_CORE_BANNED_H

/* The headers that declare them come first, so that their declarations are not poisoned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Where the C library hardens them by macros, those would be poisoned in place of the functions. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strtok gmtime localtime atoi atol system \
    popen alloca

#endif
