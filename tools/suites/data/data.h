/* data.h - the suite of tools for tables, digests, times, identifiers, encodings and patterns. */
#ifndef TR_TOOLS_SUITES_DATA_DATA_H
#define TR_TOOLS_SUITES_DATA_DATA_H

#include "tools/core/suite.h"
#include "tools/core/tool.h"

extern const struct tr_tool base64_decode_tool, base64_encode_tool, csv_read_tool, hash_text_tool,
    regex_extract_tool, time_convert_tool, time_now_tool, uuid_new_tool;

extern const struct tr_suite data_suite;

#endif
