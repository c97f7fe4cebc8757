/* The work of regex_extract: compile, search, copy what was found. */

#include <string.h>

#include "tools/core/call.h"
#include "tools/core/nearest.h"
#include "tools/core/pattern.h"
#include "tools/core/utf8.h"
#include "tools/suites/data/json_size.h"
#include "tools/suites/data/regex_extract.h"

enum {
    ANSWER_BYTES = 700 * 1000, /* below the output limit: matches are never cut in the middle */
    MATCH_BYTES = 70,          /* of names and numbers around a match or a group */
};

/* A second or two of the slowest patterns. */
#define MAX_STEPS ((uint64_t)20 * 1000 * 1000)

/* ---- compiling ---- */

static unsigned flags_of(const char *letters)
{
    unsigned flags = 0;
    flags |= strchr(letters, 'i') != NULL ? TR_PATTERN_IGNORE_CASE : 0;
    flags |= strchr(letters, 'm') != NULL ? TR_PATTERN_MULTILINE : 0;
    flags |= strchr(letters, 's') != NULL ? TR_PATTERN_DOT_ALL : 0;
    return flags;
}

static enum tr_status compile(struct tr_call *call, const struct regex_extract_request *request,
                              const struct tr_pattern **ret_pattern, struct tr_fault *reterr)
{
    return tr_pattern_compile_with(&call->arena, request->pattern, flags_of(request->flags),
                                   ret_pattern, reterr);
}

/* The group's number, 0 when the pattern has no such group. */
static size_t group_number(const struct tr_pattern *pattern,
                           const struct regex_extract_group *wanted)
{
    const size_t count = tr_pattern_group_count(pattern);
    if (wanted->choice == REGEX_GROUP_NUMBER) {
        return (uint64_t)wanted->number <= count ? (size_t)wanted->number : 0;
    }
    for (size_t number = 1; number <= count; number++) {
        const char *name = tr_pattern_group_name(pattern, number);
        if (name != NULL && strcmp(name, wanted->name) == 0) {
            return number;
        }
    }
    return 0;
}

static const char *refuse_group(struct tr_call *call, const struct tr_pattern *pattern,
                                const struct regex_extract_group *wanted)
{
    const size_t count = tr_pattern_group_count(pattern);
    if (wanted->choice == REGEX_GROUP_NUMBER) {
        return tr_printf(call, "The pattern has no group %d; it has %zu", (int)wanted->number,
                         count);
    }
    struct tr_nearest nearest = { .wanted = wanted->name };
    for (size_t number = 1; number <= count; number++) {
        const char *name = tr_pattern_group_name(pattern, number);
        if (name != NULL) {
            tr_nearest_offer(&nearest, name);
        }
    }
    return nearest.best != NULL
               ? tr_printf(call, "The pattern has no group '%s'; did you mean '%s'?", wanted->name,
                           nearest.best)
               : tr_printf(call, "The pattern has no group '%s'; name one as in (?<%s>...)",
                           wanted->name, wanted->name);
}

/* A pattern that does not compile is a wrong parameter. Without memory to find out, the tool itself
 * will say so. */
const char *tr_regex_check(struct tr_call *call, const struct regex_extract_request *request)
{
    const struct tr_pattern *pattern = NULL;
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = compile(call, request, &pattern, &fault);
    if (status == TR_INVALID_PARAMETERS) {
        return tr_printf(call, "%s", fault.what);
    }
    for (size_t i = 0; status == TR_OK && i < request->groups.count; i++) {
        if (group_number(pattern, &request->groups.items[i]) == 0) {
            return refuse_group(call, pattern, &request->groups.items[i]);
        }
    }
    return NULL;
}
/* ---- extracting ---- */

struct extraction {
    struct tr_call *call;
    const struct tr_pattern *pattern;
    const char *text;
    size_t length;
    const size_t *groups; /* the numbers of those to answer */
    size_t group_count;
    size_t mark_byte, mark_point; /* the same place, counted in both ways */
    size_t room;                  /* bytes left of the answer */
};

/* The characters before `byte`, counted on from the mark, which lies near. */
static size_t point_at(const struct extraction *it, size_t byte)
{
    if (byte >= it->mark_byte) {
        return it->mark_point + tr_utf8_count(it->text + it->mark_byte, byte - it->mark_byte);
    }
    return it->mark_point - tr_utf8_count(it->text + byte, it->mark_byte - byte);
}

static const char *copy_capture(const struct extraction *it, const struct tr_capture *capture)
{
    return tr_arena_strndup(&it->call->arena, it->text + capture->start,
                            capture->end - capture->start);
}

static size_t size_of(const struct extraction *it, const struct tr_capture *captures)
{
    size_t size =
        MATCH_BYTES
        + tr_json_string_size(it->text + captures[0].start, captures[0].end - captures[0].start);
    for (size_t i = 0; i < it->group_count; i++) {
        const struct tr_capture *capture = &captures[it->groups[i]];
        const char *name = tr_pattern_group_name(it->pattern, it->groups[i]);
        size += MATCH_BYTES + (name != NULL ? strlen(name) : 0);
        size += tr_json_string_size(it->text + capture->start, capture->end - capture->start);
    }
    return size;
}

static enum tr_status write_capture(const struct extraction *it, size_t number,
                                    const struct tr_capture *capture,
                                    struct regex_extract_capture *out)
{
    out->number = (int64_t)number;
    out->name = tr_pattern_group_name(it->pattern, number);
    if (!capture->is_set) {
        return TR_OK;
    }
    out->text = copy_capture(it, capture);
    out->start = (struct tr_opt_int){ .has = true, (int64_t)point_at(it, capture->start) };
    out->end = (struct tr_opt_int){ .has = true, (int64_t)point_at(it, capture->end) };
    return out->text != NULL ? TR_OK : TR_NO_MEMORY;
}

static enum tr_status write_match(struct extraction *it, const struct tr_capture *captures,
                                  struct regex_extract_match *out)
{
    it->mark_point = point_at(it, captures[0].start);
    it->mark_byte = captures[0].start;
    out->text = copy_capture(it, &captures[0]);
    out->start = (int64_t)it->mark_point;
    out->end = (int64_t)point_at(it, captures[0].end);
    struct regex_extract_capture *groups = tr_alloc(it->call, it->group_count + 1, sizeof(*groups));
    if (out->text == NULL || groups == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < it->group_count; i++) {
        TR_TRY(write_capture(it, it->groups[i], &captures[it->groups[i]], &groups[i]));
    }
    out->groups.items = groups;
    out->groups.count = it->group_count;
    return TR_OK;
}

/* The numbers of the groups that were asked for, or of all. */
static enum tr_status choose_groups(struct extraction *it,
                                    const struct regex_extract_request *request)
{
    const bool has_chosen = request->groups.count != 0;
    it->group_count = has_chosen ? request->groups.count : tr_pattern_group_count(it->pattern);
    size_t *groups = tr_alloc(it->call, it->group_count + 1, sizeof(*groups));
    if (groups == NULL) {
        return TR_NO_MEMORY;
    }
    for (size_t i = 0; i < it->group_count; i++) {
        groups[i] = has_chosen ? group_number(it->pattern, &request->groups.items[i]) : i + 1;
    }
    it->groups = groups;
    return TR_OK;
}

/* The byte at which the character `offset` starts; the end when the text has fewer. */
static size_t byte_of(const char *text, size_t length, size_t offset)
{
    size_t at = 0;
    for (; offset > 0 && at < length; offset--) {
        const size_t step = tr_utf8_next(text + at, length - at, NULL);
        at += step != 0 ? step : 1;
    }
    return at;
}

static enum tr_status give_up(struct tr_call *call, size_t count)
{
    return tr_fail(call,
                   "The pattern takes too many steps on this text (after %zu matches); avoid "
                   "repeats inside of repeats such as (a+)+, say what must not match, as in "
                   "[^\"]* for .*, or send a shorter text",
                   count);
}

/* More is to come: go on at the match that found no place. */
static void truncate(const struct extraction *it, size_t byte,
                     struct regex_extract_response *response)
{
    response->truncated = true;
    response->next_offset =
        (struct tr_opt_int){ .has = true, .value = (int64_t)point_at(it, byte) };
}

static enum tr_status collect(struct extraction *it, struct tr_search *search, size_t limit,
                              struct regex_extract_response *response)
{
    struct regex_extract_match *matches = tr_alloc(it->call, limit, sizeof(*matches));
    if (matches == NULL) {
        return TR_NO_MEMORY;
    }
    response->matches.items = matches;
    for (size_t count = 0;; count++) {
        const struct tr_capture *captures = NULL;
        const enum tr_match found = tr_search_next(search, &captures);
        if (found == TR_MATCH_GAVE_UP) {
            return give_up(it->call, count);
        }
        if (found == TR_MATCH_NO) {
            return TR_OK;
        }
        if (tr_call_should_stop(it->call)) {
            return TR_TIMEOUT;
        }
        const size_t size = size_of(it, captures);
        if (count == limit || (size > it->room && count != 0)) {
            truncate(it, captures[0].start, response);
            return TR_OK;
        }
        it->room -= size < it->room ? size : it->room;
        TR_TRY(write_match(it, captures, &matches[count]));
        response->matches.count = count + 1;
        response->count = (int64_t)count + 1;
    }
}

enum tr_status tr_regex_extract(struct tr_call *call, const struct regex_extract_request *request,
                                struct regex_extract_response *response)
{
    struct extraction it = {
        .call = call,
        .text = request->text,
        .length = strlen(request->text),
        .room = ANSWER_BYTES,
    };
    struct tr_fault fault = { .what = "" };
    const enum tr_status status = compile(call, request, &it.pattern, &fault);
    if (status != TR_OK) {
        return status == TR_INVALID_PARAMETERS ? tr_fail(call, "%s", fault.what) : status;
    }
    TR_TRY(choose_groups(&it, request));
    const struct tr_search_text text = {
        .bytes = it.text,
        .length = it.length,
        .from = byte_of(it.text, it.length, (size_t)request->offset),
    };
    struct tr_search *search = NULL;
    TR_TRY(tr_search_new(&call->arena, it.pattern, &text, MAX_STEPS, &search));
    return collect(&it, search, (size_t)request->limit, response);
}
