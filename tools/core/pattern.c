#include "tools/core/pattern.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "tools/core/arena.h"
#include "tools/core/limits.h"
#include "tools/core/pattern_ecma.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

enum {
    STEPS_PER_BYTE = 8,  /* a long text may take more: (a|b)* takes four for each character */
    BYTES_PER_STEP = 32, /* walking over characters is cheaper than trying */
    STEPS_PER_MATCH = 3, /* to set it up */
    MAX_HEAP_KIB = 16 * 1024,
    SHORT_TEXT_BYTES = 4096, /* a longer text may make the match data grow */
};

struct tr_pattern {
    pcre2_code *code;
    const char *source;
    const char **names; /* of the groups, from 0; NULL for one without a name */
    size_t group_count;
};

/* ---- compiling ---- */

struct source {
    const char *bytes;
    size_t length;
    unsigned flags;
};

static void free_code(void *code)
{
    pcre2_code_free(code);
}

static enum tr_status no_room(const struct tr_arena *arena, struct tr_fault *reterr)
{
    return tr_refuse(tr_arena_status(arena), reterr, NULL, "There is no memory for the pattern");
}

static enum tr_status refuse_as_pcre(int error, size_t offset, const struct source *source,
                                     struct tr_fault *reterr)
{
    if (error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "There is no memory for the pattern");
    }
    PCRE2_UCHAR reason[128];
    if (pcre2_get_error_message(error, reason, sizeof(reason)) < 0) {
        reason[0] = '\0';
    }
    return tr_refuse(
        TR_INVALID_PARAMETERS, reterr, NULL, "The pattern does not compile at offset %zu: %s",
        tr_ecma_offset(source->bytes, source->length, source->flags, offset), (const char *)reason);
}

static uint32_t options_of(unsigned flags)
{
    uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS
                       | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
    options |= (flags & TR_PATTERN_IGNORE_CASE) != 0 ? PCRE2_CASELESS : 0;
    options |= (flags & TR_PATTERN_MULTILINE) != 0 ? PCRE2_MULTILINE : 0;
    options |= (flags & TR_PATTERN_DOT_ALL) != 0 ? PCRE2_DOTALL : 0;
    return options;
}

static void tr_compile_context_drop(pcre2_compile_context **context)
{
    pcre2_compile_context_free(*context);
}

/* NULL when there is no memory for it. */
static pcre2_compile_context *new_compile_context(unsigned flags)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (context != NULL && (flags & TR_PATTERN_MULTILINE) != 0) {
        (void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    }
    return context;
}

/* Every item of the pattern gets a callout, which is how steps are counted: pcre2's own match limit
 * starts anew at every position of the text. No JIT: it would not count. */
static enum tr_status compile_code(const struct source *source, pcre2_code **ret_code,
                                   struct tr_fault *reterr)
{
    tr_auto(text) struct tr_text translated;
    tr_text_init(&translated, TR_MAX_TRANSLATED_BYTES);
    TR_TRY(tr_ecma_translate(source->bytes, source->length, source->flags, &translated, reterr));
    tr_auto(compile_context) pcre2_compile_context *context = new_compile_context(source->flags);
    if (context == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "There is no memory for the pattern");
    }
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)tr_text_string(&translated), translated.length,
                                     options_of(source->flags), &error, &offset, context);
    if (code == NULL) {
        return refuse_as_pcre(error, offset, source, reterr);
    }
    *ret_code = code;
    return TR_OK;
}

/* The table of pcre2 has rows of equal size: the number in two bytes, then the name. */
static enum tr_status read_names(struct tr_arena *arena, struct tr_pattern *pattern)
{
    uint32_t groups = 0;
    uint32_t count = 0;
    uint32_t row_bytes = 0;
    PCRE2_SPTR row = NULL;
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &row_bytes);
    (void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMETABLE, &row);
    pattern->group_count = groups;
    if (count == 0) {
        return TR_OK;
    }
    pattern->names = TR_NEW(arena, const char *, (size_t)groups + 1);
    if (pattern->names == NULL) {
        return tr_arena_status(arena);
    }
    for (; count > 0; count--, row += row_bytes) {
        pattern->names[(size_t)row[0] << 8 | row[1]] = (const char *)row + 2;
    }
    return TR_OK;
}

static enum tr_status make_pattern(struct tr_arena *arena, const struct source *source,
                                   struct tr_pattern *pattern, struct tr_fault *reterr)
{
    TR_TRY(compile_code(source, &pattern->code, reterr));
    if (!tr_arena_adopt(arena, pattern->code, free_code) || read_names(arena, pattern) != TR_OK) {
        return no_room(arena, reterr);
    }
    return TR_OK;
}

enum tr_status tr_pattern_compile_with(struct tr_arena *arena, const char *source, unsigned flags,
                                       const struct tr_pattern **ret_pattern,
                                       struct tr_fault *reterr)
{
    const size_t length = strlen(source);
    if (length > TR_MAX_PATTERN_BYTES) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL,
                         "The pattern has %zu bytes; %d are the limit", length,
                         (int)TR_MAX_PATTERN_BYTES);
    }
    struct tr_pattern *pattern = TR_NEW(arena, struct tr_pattern, 1);
    const char *kept = tr_arena_strndup(arena, source, length);
    if (pattern == NULL || kept == NULL) {
        return no_room(arena, reterr);
    }
    pattern->source = kept;
    const struct source whole = { .bytes = source, .length = length, .flags = flags };
    TR_TRY(make_pattern(arena, &whole, pattern, reterr));
    *ret_pattern = pattern;
    return TR_OK;
}

enum tr_status tr_pattern_compile(struct tr_arena *arena, const char *source,
                                  const struct tr_pattern **ret_pattern, struct tr_fault *reterr)
{
    return tr_pattern_compile_with(arena, source, 0, ret_pattern, reterr);
}

size_t tr_pattern_group_count(const struct tr_pattern *pattern)
{
    return pattern->group_count;
}

const char *tr_pattern_group_name(const struct tr_pattern *pattern, size_t group)
{
    return pattern->names != NULL && group <= pattern->group_count ? pattern->names[group] : NULL;
}

const char *tr_pattern_source(const struct tr_pattern *pattern)
{
    return pattern->source;
}

/* ---- matching ---- */

/* What pcre2 needs to match, one for each thread and made when the thread first matches. */
struct matcher {
    pcre2_match_context *context;
    pcre2_match_data *data;
};

static pthread_key_t matcher_key;
static bool has_matcher_key;
static pthread_once_t matcher_once = PTHREAD_ONCE_INIT;

static void free_matcher(void *thing)
{
    struct matcher *matcher = thing;
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    free(matcher);
}

static void make_matcher_key(void)
{
    has_matcher_key = pthread_key_create(&matcher_key, free_matcher) == 0;
}

static struct matcher *new_matcher(void)
{
    struct matcher *matcher = calloc(1, sizeof(*matcher));
    if (matcher == NULL) {
        return NULL;
    }
    matcher->context = pcre2_match_context_create(NULL);
    matcher->data = pcre2_match_data_create(1, NULL);
    if (matcher->context == NULL || matcher->data == NULL
        || pthread_setspecific(matcher_key, matcher) != 0) {
        free_matcher(matcher);
        return NULL;
    }
    (void)pcre2_set_heap_limit(matcher->context, MAX_HEAP_KIB);
    return matcher;
}

/* NULL when there is no memory for one. */
static struct matcher *thread_matcher(void)
{
    if (pthread_once(&matcher_once, make_matcher_key) != 0 || !has_matcher_key) {
        return NULL;
    }
    struct matcher *matcher = pthread_getspecific(matcher_key);
    return matcher != NULL ? matcher : new_matcher();
}

struct meter {
    uint64_t left;
    size_t position;
};

/* `steps`, and the walk over `way` bytes; false when that is more than what is left. */
static bool pay(struct meter *meter, uint64_t steps, size_t way)
{
    const uint64_t cost = steps + way / BYTES_PER_STEP;
    if (cost > meter->left) {
        meter->left = 0;
        return false;
    }
    meter->left -= cost;
    return true;
}

/* Called before each item of the pattern is tried: pay for it and for the way from the last one. */
static int count_step(pcre2_callout_block *block, void *data)
{
    struct meter *meter = data;
    const size_t position = block->current_position;
    const size_t way =
        position > meter->position ? position - meter->position : meter->position - position;
    meter->position = position;
    return pay(meter, 1, way) ? 0 : PCRE2_ERROR_CALLOUT;
}

static enum tr_match outcome(int result)
{
    if (result >= 0) {
        return TR_MATCH_YES;
    }
    /* Errors of UTF-8 are the negative numbers from here on: such a text has no characters. */
    const bool is_bad_text = result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21;
    return result == PCRE2_ERROR_NOMATCH || is_bad_text ? TR_MATCH_NO : TR_MATCH_GAVE_UP;
}

static enum tr_match match(const struct tr_pattern *pattern, const char *bytes, size_t length,
                           struct meter *meter)
{
    struct matcher *matcher = thread_matcher();
    if (matcher == NULL) {
        return TR_MATCH_GAVE_UP;
    }
    const bool is_long = length > SHORT_TEXT_BYTES;
    pcre2_match_data *data = is_long ? pcre2_match_data_create(1, NULL) : matcher->data;
    if (data == NULL) {
        return TR_MATCH_GAVE_UP;
    }
    (void)pcre2_set_callout(matcher->context, count_step, meter);
    const int result =
        pcre2_match(pattern->code, (PCRE2_SPTR)bytes, length, 0, 0, data, matcher->context);
    (void)pcre2_set_callout(matcher->context, NULL, NULL);
    if (is_long) {
        pcre2_match_data_free(data);
    }
    return outcome(result);
}

enum tr_match tr_pattern_match_within(const struct tr_pattern *pattern, const char *bytes,
                                      size_t length, uint64_t *steps)
{
    const uint64_t limit = TR_PATTERN_MATCH_STEPS + (uint64_t)length * STEPS_PER_BYTE;
    const uint64_t allowed = *steps < limit ? *steps : limit;
    struct meter meter = { .left = allowed };
    /* The text is walked over once to see that it is UTF-8. */
    const enum tr_match result = pay(&meter, STEPS_PER_MATCH, length)
                                     ? match(pattern, bytes, length, &meter)
                                     : TR_MATCH_GAVE_UP;
    *steps -= allowed - meter.left;
    return result;
}

enum tr_match tr_pattern_match(const struct tr_pattern *pattern, const char *bytes, size_t length)
{
    uint64_t steps = UINT64_MAX;
    return tr_pattern_match_within(pattern, bytes, length, &steps);
}

/* ---- searching ---- */

struct tr_search {
    const struct tr_pattern *pattern;
    const char *bytes;
    size_t length, at;
    uint64_t steps;         /* left for the whole search */
    bool is_checked;        /* pcre2 has seen that the text is UTF-8 */
    pcre2_match_data *data; /* owned by the arena */
    struct tr_capture *captures;
};

static void free_match_data(void *data)
{
    pcre2_match_data_free(data);
}

enum tr_status tr_search_new(struct tr_arena *arena, const struct tr_pattern *pattern,
                             const struct tr_search_text *text, uint64_t steps,
                             struct tr_search **ret_search)
{
    struct tr_search *search = TR_NEW(arena, struct tr_search, 1);
    struct tr_capture *captures = TR_NEW(arena, struct tr_capture, pattern->group_count + 1);
    if (search == NULL || captures == NULL) {
        return tr_arena_status(arena);
    }
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
    if (data == NULL) {
        return TR_NO_MEMORY;
    }
    if (!tr_arena_adopt(arena, data, free_match_data)) {
        return tr_arena_status(arena);
    }
    *search = (struct tr_search){
        .pattern = pattern,
        .bytes = text->bytes,
        .length = text->length,
        .at = text->from,
        .steps = steps,
        .data = data,
        .captures = captures,
    };
    *ret_search = search;
    return TR_OK;
}

static void read_captures(struct tr_search *search)
{
    const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(search->data);
    for (size_t i = 0; i <= search->pattern->group_count; i++) {
        const bool is_set = offsets[2 * i] != PCRE2_UNSET;
        search->captures[i] = (struct tr_capture){
            .is_set = is_set,
            .start = is_set ? offsets[2 * i] : 0,
            .end = is_set ? offsets[2 * i + 1] : 0,
        };
    }
}

/* Behind the match that was found; an empty one must not be found again. Past the end when nothing
 * can follow. */
static void step_over_match(struct tr_search *search)
{
    const struct tr_capture *match = &search->captures[0];
    search->at = match->end;
    if (match->end > match->start) {
        return;
    }
    const size_t step = tr_utf8_next(search->bytes + match->end, search->length - match->end, NULL);
    search->at += step != 0 ? step : 1;
}

static enum tr_match search_from(struct tr_search *search, struct matcher *matcher,
                                 struct meter *meter)
{
    (void)pcre2_set_callout(matcher->context, count_step, meter);
    const int result =
        pcre2_match(search->pattern->code, (PCRE2_SPTR)search->bytes, search->length, search->at,
                    search->is_checked ? PCRE2_NO_UTF_CHECK : 0, search->data, matcher->context);
    (void)pcre2_set_callout(matcher->context, NULL, NULL);
    return outcome(result);
}

enum tr_match tr_search_next(struct tr_search *search, const struct tr_capture **ret_captures)
{
    if (search->at > search->length) {
        return TR_MATCH_NO;
    }
    struct matcher *matcher = thread_matcher();
    if (matcher == NULL) {
        return TR_MATCH_GAVE_UP;
    }
    const size_t left = search->length - search->at;
    const uint64_t limit = TR_PATTERN_MATCH_STEPS + (uint64_t)left * STEPS_PER_BYTE;
    const uint64_t allowed = search->steps < limit ? search->steps : limit;
    struct meter meter = { .left = allowed, .position = search->at };
    const enum tr_match result = pay(&meter, STEPS_PER_MATCH, search->is_checked ? 0 : left)
                                     ? search_from(search, matcher, &meter)
                                     : TR_MATCH_GAVE_UP;
    search->steps -= allowed - meter.left;
    search->is_checked = result == TR_MATCH_YES;
    if (result == TR_MATCH_YES) {
        read_captures(search);
        step_over_match(search);
        *ret_captures = search->captures;
    }
    return result;
}

#define TEXT_OF(value)  #value
#define TEXT_OF2(value) TEXT_OF(value)

const char *tr_pattern_version(void)
{
    return TEXT_OF2(PCRE2_MAJOR) "." TEXT_OF2(PCRE2_MINOR);
}
