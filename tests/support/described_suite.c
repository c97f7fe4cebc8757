#include "tests/support/described_suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "tools/core/descriptor.h"

enum book_room { BOOK_ROOM_ABSENT, BOOK_SINGLE, BOOK_DOUBLE };

static const char *const book_room_names[] = {
    [BOOK_SINGLE] = "single",
    [BOOK_DOUBLE] = "double",
};

struct book_guest {
    const char *name;
    struct tr_opt_int age;
};

static const struct tr_field book_guest_fields[] = {
    {
        TR_FIELD(book_guest, name),
        .description = "Full name",
        .length = TR_RANGE(1, 80),
        .required = true,
    },
    {
        TR_FIELD(book_guest, age),
        .description = "In years",
        .range = TR_RANGE(0, 150),
    },
};
static TR_TYPE(book_guest, "Somebody who stays");

struct book_when {
    int choice;
    union {
        const char *date;
        int64_t days_ahead;
    };
};

static const struct tr_field book_when_fields[] = {
    {
        TR_FIELD(book_when, date),
        .description = "A date",
        .format = "date",
    },
    {
        TR_FIELD(book_when, days_ahead),
        .description = "Days from now",
        .range = TR_AT_LEAST(0),
    },
};
static TR_ANY_OF_TYPE(book_when, "A date, or days from now");

struct book_request {
    const char *hotel;
    struct book_when when;
    TR_SPAN(struct book_guest) guests;
    int64_t nights;
    enum book_room room;
    TR_SPAN(const char *) extras;
    struct tr_opt_num budget;
    const char *pin;
    struct tr_opt_bool smoking;
    const char *remark;
};

static const struct tr_field book_request_fields[] = {
    {
        TR_FIELD(book_request, hotel),
        .description = "Name of the hotel",
        .pattern = "^[A-Z]",
        .required = true,
        .example_json = TR_JSON("Ritz"),
    },
    {
        TR_OBJECT(book_request, when, book_when),
        .description = "First night",
        .required = true,
    },
    {
        TR_LIST_OF(book_request, guests, book_guest),
        .description = "Who stays",
        .count = TR_RANGE(1, 4),
        .required = true,
    },
    {
        TR_FIELD(book_request, nights),
        .description = "How many nights",
        .range = TR_RANGE(1, 30),
        .default_json = TR_JSON(1),
    },
    {
        TR_ENUM(book_request, room, book_room),
        .description = "Kind of room",
        .default_json = TR_JSON("double"),
    },
    {
        TR_LIST(book_request, extras),
        .description = "Wishes",
        .unique = true,
    },
    {
        TR_FIELD(book_request, budget),
        .description = "At most so much a night",
        .real_range = { .set = TR_BOUND_MIN, .min = 0.5 },
    },
    {
        TR_FIELD(book_request, pin),
        .description = "Of the account",
        .secret = true,
        .required = true,
    },
    {
        TR_FIELD(book_request, smoking),
        .description = "No longer looked at",
        .deprecated = true,
    },
    {
        TR_FIELD(book_request, remark),
        .description = "For the staff",
        .nullable = true,
    },
};
static TR_TYPE(book_request, "Where, when and who");

struct book_response {
    const char *number;
    TR_SPAN(struct book_guest) guests;
    struct tr_opt_num price;
};

static const struct tr_field book_response_fields[] = {
    {
        TR_FIELD(book_response, number),
        .description = "Of the booking",
        .required = true,
        .example_json = TR_JSON("B-17"),
    },
    {
        TR_LIST_OF(book_response, guests, book_guest),
        .description = "Who stays",
        .required = true,
    },
    {
        TR_FIELD(book_response, price),
        .description = "In all",
        .example_json = TR_JSON(120.5),
    },
};
static TR_TYPE(book_response, "The booking");

struct note_request {
    const char *text;
    int64_t copies;
};

static const struct tr_field note_request_fields[] = {
    {
        TR_FIELD(note_request, text),
        .description = "What to note",
        .length = TR_RANGE(2, 20),
        .required = true,
    },
    {
        TR_FIELD(note_request, copies),
        .description = "How many",
        .required = true,
    },
};
static TR_TYPE(note_request, "A note");

static enum tr_status book(struct tr_call *call, const struct book_request *request,
                           struct book_response *response)
{
    (void)call;
    (void)request;
    response->number = "B-17";
    return TR_OK;
}

static enum tr_status ping(struct tr_call *call, const struct tr_empty *request,
                           struct tr_empty *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

static enum tr_status note(struct tr_call *call, const struct note_request *request,
                           struct tr_empty *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

TR_TOOL(book, book, book_request, book_response,
        .description = "Books a hotel room. Use it when the guest's plans are firm.",
        .category = "travel", .version = "2.0.0",
        .annotations = { .open_world = true, .destructive = true }, .blocking = true,
        .timeout_ms = 5000, .example_json = TR_JSON({
                                "hotel": "Ritz",
                                "when": "2026-05-01",
                                "guests": [{ "name": "O'Hara" }],
                                "pin": "0000"
                            }));
TR_TOOL(ping, ping, tr_empty, tr_empty, .description = "Answers",
        .annotations = { .read_only = true, .idempotent = true });
TR_TOOL(note, note, note_request, tr_empty, .description = "Notes something down",
        .category = "travel", .strict = true, .output_limit_bytes = 1000);

static const struct tr_tool *const described_tools[] = { &book_tool, &ping_tool, &note_tool };

const struct tr_suite described_suite = {
    TR_SUITE_HEADER,          .name = "described",
    .version = "1.0.0",       .description = "Tools for tests",
    .tools = described_tools, .tool_count = TR_COUNT_OF(described_tools),
};

struct tr_registry *described_registry(void)
{
    json_auto_t *book_defaults = json_pack("{s:s}", "pin", "4711");
    json_auto_t *note_defaults = json_pack("{s:s}", "text", "hello");
    const struct tr_tool_options options[] = {
        { .name = "book", .defaults = book_defaults },
        { .name = "note", .defaults = note_defaults, .timeout_ms = 1234 },
    };
    struct tr_registry *registry = tr_registry_new();
    struct tr_fault fault = { 0 };
    assert_non_null(registry);
    if (tr_registry_add_suite(registry, &described_suite, "built in", NULL, &fault) != TR_OK
        || tr_registry_configure(registry, &options[0], &fault) != TR_OK
        || tr_registry_configure(registry, &options[1], &fault) != TR_OK) {
        fail_msg("%s: %s", fault.where, fault.what);
    }
    tr_registry_seal(registry);
    return registry;
}
