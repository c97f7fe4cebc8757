/* text.h - the suite of pure tools that work on texts and documents. */
#ifndef TR_TOOLS_SUITES_TEXT_TEXT_H
#define TR_TOOLS_SUITES_TEXT_TEXT_H

#include "tools/core/suite.h"
#include "tools/core/tool.h"

extern const struct tr_tool json_query_tool, text_stats_tool, translate_tool;

extern const struct tr_suite text_suite;

#endif
