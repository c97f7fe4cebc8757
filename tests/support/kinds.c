#include "tests/support/kinds.h"

static const char *const kinds_color_names[] = {
    [KINDS_RED] = "red",
    [KINDS_DARK_GREEN] = "dark_green",
};

static const struct tr_field kinds_point_fields[] = {
    { TR_FIELD(kinds_point, x), .description = "Rightwards", .required = true },
    { TR_FIELD(kinds_point, y), .description = "Upwards", .required = true },
};
static TR_TYPE(kinds_point, "A point in the plane");

static const struct tr_field kinds_zoomed_fields[] = {
    {
        TR_OBJECT(kinds_zoomed, center, kinds_point),
        .description = "What is in the middle",
        .required = true,
    },
    {
        TR_FIELD(kinds_zoomed, zoom),
        .description = "How near",
        .range = TR_RANGE(0, 20),
        .default_json = TR_JSON(7),
    },
};
static TR_TYPE(kinds_zoomed, "A view");

static const struct tr_field kinds_choice_fields[] = {
    { TR_FIELD(kinds_choice, text), .description = "A text" },
    { TR_FIELD(kinds_choice, number), .description = "A number" },
    { TR_FIELD(kinds_choice, flag), .description = "A flag" },
    { TR_FIELD(kinds_choice, nothing), .description = "Nothing" },
    { TR_OBJECT(kinds_choice, zoomed, kinds_zoomed), .description = "A view" },
    { TR_OBJECT(kinds_choice, point, kinds_point), .description = "A point" },
    { TR_LIST(kinds_choice, integers), .description = "Several integers" },
};
static TR_ANY_OF_TYPE(kinds_choice, "One of everything");

static const struct tr_field kinds_fields[] = {
    { TR_FIELD(kinds, text), .description = "A text", .required = true },
    { TR_FIELD(kinds, integer), .description = "An integer", .required = true },
    { TR_FIELD(kinds, number), .description = "A number", .required = true },
    { TR_FIELD(kinds, flag), .description = "A flag", .required = true },
    { TR_OBJECT(kinds, point, kinds_point), .description = "A point", .required = true },
    {
        TR_FIELD(kinds, maybe_text),
        .description = "A text",
        .nullable = true,
        .default_json = TR_JSON(null),
    },
    { TR_FIELD(kinds, maybe_integer), .description = "An integer" },
    { TR_FIELD(kinds, maybe_number), .description = "A number" },
    { TR_FIELD(kinds, maybe_flag), .description = "A flag" },
    { TR_FIELD(kinds, nothing), .description = "Nothing" },
    { TR_ENUM(kinds, color, kinds_color), .description = "A colour", .nullable = true },
    { TR_FIELD(kinds, anything), .description = "Anything" },
    { TR_OBJECT(kinds, maybe_point, kinds_point), .description = "A point" },
    { TR_OBJECT(kinds, choice, kinds_choice), .description = "One of several" },
    { TR_LIST(kinds, texts), .description = "Texts" },
    { TR_LIST(kinds, integers), .description = "Integers" },
    { TR_LIST(kinds, numbers), .description = "Numbers" },
    { TR_LIST(kinds, flags), .description = "Flags" },
    { TR_LIST_OF_ENUM(kinds, colors, kinds_color), .description = "Colours" },
    { TR_LIST_OF(kinds, points, kinds_point), .description = "Points" },
    { TR_LIST_OF(kinds, choices, kinds_choice), .description = "Several of several" },
    { TR_LIST(kinds, values), .description = "Anything" },
    { TR_REST(kinds, rest), .description = "All else" },
};
TR_TYPE(kinds, "A member of every form");

#define SMALL_MEMBERS \
    "\"text\":\"\",\"integer\":0,\"number\":0.5,\"flag\":false,\"point\":{\"x\":1.5,\"y\":-2.5}"

const char kinds_small_json[] = "{" SMALL_MEMBERS "}";

/* Compact, in the order of the table, numbers with a fraction: writing it gives the same bytes. */
const char kinds_full_json[] =
    "{" SMALL_MEMBERS ",\"maybe_text\":\"a \\\"quoted\\\" text\","
    "\"maybe_integer\":-9223372036854775808,\"maybe_number\":1e+300,\"maybe_flag\":true,"
    "\"nothing\":null,\"color\":\"dark_green\",\"anything\":{\"a\":[1,null]},"
    "\"maybe_point\":{\"x\":0.25,\"y\":0.125},"
    "\"choice\":{\"center\":{\"x\":1.5,\"y\":2.5},\"zoom\":3},"
    "\"texts\":[\"\",\"b\"],\"integers\":[1,2],\"numbers\":[1.5],\"flags\":[true,false],"
    "\"colors\":[\"red\",\"dark_green\"],\"points\":[{\"x\":1.5,\"y\":2.5}],"
    "\"choices\":[\"a\",1.5,true,null,{\"x\":1.5,\"y\":2.5},[3]],\"values\":[null,{},[]],"
    "\"further\":{\"b\":1},\"members\":2}";
