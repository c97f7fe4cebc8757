/* regex_extract - every match of a regular expression in a text, with its groups. */

#include "tools/suites/data/regex_extract.h"

#include "tools/suites/data/data.h"

enum { MAX_TEXT = 1000000, MAX_PATTERN = 1000, MAX_MATCHES = 1000, MAX_GROUPS = 50 };

/* ---- what it takes ---- */

static const struct tr_field regex_extract_group_fields[] = {
    {
        TR_FIELD(regex_extract_group, number),
        .description = "Counted from 1 by the opening parentheses",
        .range = TR_RANGE(1, 1000),
    },
    {
        TR_FIELD(regex_extract_group, name),
        .description = "As in (?<name>...)",
        .length = TR_RANGE(1, 32),
    },
};
static TR_ANY_OF_TYPE(regex_extract_group, "A group of the pattern, by its number or its name");

static const struct tr_field regex_extract_request_fields[] = {
    {
        TR_FIELD(regex_extract_request, text),
        .description = "The text to search",
        .length = TR_AT_MOST(MAX_TEXT),
        .required = true,
        .example_json = TR_JSON("Released 2024-02-29, patched 2024-03-05"),
    },
    {
        TR_FIELD(regex_extract_request, pattern),
        .description = "A regular expression in JavaScript's syntax with its flag u: groups (...), "
                       "(?:...), (?<name>...), lookahead and lookbehind, \\p{...}; \\d and \\w are "
                       "ASCII. Not anchored",
        .length = TR_RANGE(1, MAX_PATTERN),
        .required = true,
        .example_json = TR_JSON("(?<year>\\d{4})-(\\d\\d)"),
    },
    {
        TR_FIELD(regex_extract_request, flags),
        .description = "Any of: i (ignore case), m (^ and $ also match at line ends), s (the dot "
                       "also matches line ends)",
        .length = TR_AT_MOST(3),
        .pattern = "^[ims]*$",
        .default_json = TR_JSON(""),
    },
    {
        TR_LIST_OF(regex_extract_request, groups, regex_extract_group),
        .description = "Which groups to answer, by number or name; all of them when left out",
        .count = TR_RANGE(1, MAX_GROUPS),
        .example_json = TR_JSON(["year", 2]),
    },
    {
        TR_FIELD(regex_extract_request, offset),
        .description = "Where to begin, in characters: 'next_offset' of the answer before; what "
                       "lies before it can still be looked back at",
        .range = TR_RANGE(0, MAX_TEXT),
        .default_json = TR_JSON(0),
    },
    {
        TR_FIELD(regex_extract_request, limit),
        .description = "How many matches to answer at most",
        .range = TR_RANGE(1, MAX_MATCHES),
        .default_json = TR_JSON(100),
    },
};
static TR_TYPE(regex_extract_request, "A text, and what to look for in it");

/* ---- what it gives ---- */

static const struct tr_field regex_extract_capture_fields[] = {
    {
        TR_FIELD(regex_extract_capture, number),
        .description = "The group's number, from 1",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_capture, name),
        .description = "Its name, when it has one",
    },
    {
        TR_FIELD(regex_extract_capture, text),
        .description = "What it matched; null when it took no part in the match",
        .required = true,
        .nullable = true,
    },
    {
        TR_FIELD(regex_extract_capture, start),
        .description = "Where that starts in the text, in characters (Unicode code points) from 0",
    },
    {
        TR_FIELD(regex_extract_capture, end),
        .description = "Where it ends: the first character behind it",
    },
};
static TR_TYPE(regex_extract_capture, "What a group matched");

static const struct tr_field regex_extract_match_fields[] = {
    {
        TR_FIELD(regex_extract_match, text),
        .description = "The whole match",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_match, start),
        .description = "Where it starts in the text, in characters (Unicode code points) from 0",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_match, end),
        .description = "Where it ends: the first character behind it",
        .required = true,
    },
    {
        TR_LIST_OF(regex_extract_match, groups, regex_extract_capture),
        .description = "Its groups, in the order asked for, else in the order of their numbers",
        .required = true,
    },
};
static TR_TYPE(regex_extract_match, "A match");

static const struct tr_field regex_extract_response_fields[] = {
    {
        TR_LIST_OF(regex_extract_response, matches, regex_extract_match),
        .description = "The matches, in the order of the text; they do not overlap",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_response, count),
        .description = "How many there are in this answer",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_response, truncated),
        .description = "Whether there may be more: the limit, or the size of an answer, was "
                       "reached",
        .required = true,
    },
    {
        TR_FIELD(regex_extract_response, next_offset),
        .description = "When truncated: the 'offset' to go on with",
    },
};
static TR_TYPE(regex_extract_response, "The matches of a pattern");

TR_VALIDATOR(tr_regex_check, regex_extract_request)

TR_TOOL(regex_extract, tr_regex_extract, regex_extract_request, regex_extract_response,
        .description = "Find every match of a regular expression in a text, with its position and "
                       "what its groups matched. Use it to pull dates, numbers, links or fields "
                       "out of a text exactly instead of reading them off.",
        .annotations = { .read_only = true, .idempotent = true }, .blocking = true,
        .example_json = TR_JSON({
            "text": "Released 2024-02-29, patched 2024-03-05",
            "pattern": "(?<year>\\d{4})-(\\d\\d)",
            "limit": 10
        }),
        .validate = tr_regex_check_entry);
