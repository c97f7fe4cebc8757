/* text_stats - how long a text is, counted in one pass over its characters. */

#include <stdbool.h>
#include <string.h>

#include "tools/core/utf8.h"
#include "tools/suites/text/text.h"

struct text_stats_request {
    const char *text;
};

struct text_stats_response {
    int64_t characters;
    int64_t bytes;
    int64_t words;
    int64_t lines;
    int64_t sentences;
};

static const struct tr_field text_stats_request_fields[] = {
    {
        TR_FIELD(text_stats_request, text),
        .description = "The text to count",
        .length = TR_AT_MOST(1000000),
        .required = true,
        .example_json = TR_JSON("One line. Two sentences."),
    },
};
static TR_TYPE(text_stats_request, "A text");

static const struct tr_field text_stats_response_fields[] = {
    {
        TR_FIELD(text_stats_response, characters),
        .description = "Unicode code points, line ends included",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(text_stats_response, bytes),
        .description = "Bytes in UTF-8",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(text_stats_response, words),
        .description = "Longest runs without Unicode white space (so text in scripts that do not "
                       "separate words counts as few long ones)",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(text_stats_response, lines),
        .description = "Lines, ended by LF, CR LF, CR, U+0085, U+2028 or U+2029; a last line "
                       "without an end counts, an empty text has none",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
    {
        TR_FIELD(text_stats_response, sentences),
        .description =
            "Pieces that end in . ! ? or U+2026 (and closing quotes or brackets) before "
            "white space or the end, or in the full-width forms of . ! ? anywhere; a rest "
            "without an end counts; abbreviations are not known",
        .range = TR_AT_LEAST(0),
        .required = true,
    },
};
static TR_TYPE(text_stats_response, "What a text consists of");

/* ---- classes of characters ---- */

static bool is_among(uint32_t point, const uint32_t *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (points[i] == point) {
            return true;
        }
    }
    return false;
}

/* The property White_Space (Unicode Character Database, PropList.txt). */
static bool is_white_space(uint32_t point)
{
    static const uint32_t single[] = { 0x20,   0x85,   0xa0,   0x1680, 0x2028,
                                       0x2029, 0x202f, 0x205f, 0x3000 };
    return (point >= 0x09 && point <= 0x0d) || (point >= 0x2000 && point <= 0x200a)
           || is_among(point, single, TR_COUNT_OF(single));
}

static bool is_line_end(uint32_t point)
{
    static const uint32_t ends[] = { '\n', '\r', 0x85, 0x2028, 0x2029 };
    return is_among(point, ends, TR_COUNT_OF(ends));
}

/* Ends a sentence where white space or nothing follows. */
static bool is_stop(uint32_t point)
{
    static const uint32_t stops[] = { '.', '!', '?', 0x2026 };
    return is_among(point, stops, TR_COUNT_OF(stops));
}

/* Ends a sentence whatever follows. */
static bool is_full_width_stop(uint32_t point)
{
    static const uint32_t stops[] = { 0x3002, 0xff01, 0xff0e, 0xff1f, 0xff61 };
    return is_among(point, stops, TR_COUNT_OF(stops));
}

/* May stand between the stop of a sentence and its end. */
static bool is_closer(uint32_t point)
{
    static const uint32_t closers[] = { '"',    '\'',   ')',    ']',    '}',   0xbb,
                                        0x2019, 0x201d, 0x300d, 0x300f, 0xff09 };
    return is_among(point, closers, TR_COUNT_OF(closers));
}

/* ---- counting ---- */

/* How far the present word, line and sentence have come. */
struct counter {
    struct text_stats_response *counts;
    uint32_t previous;
    bool in_word;
    bool in_line;
    bool in_sentence; /* something other than stops, closers and white space was seen */
    bool at_stop;     /* the sentence ends here, unless the next character goes on */
};

static void count_word(struct counter *counter, uint32_t point)
{
    const bool in_word = !is_white_space(point);
    counter->counts->words += in_word && !counter->in_word;
    counter->in_word = in_word;
}

/* A line is counted at its first character, which may be its end; the LF of a CR LF is no line. */
static void count_line(struct counter *counter, uint32_t point)
{
    if (point == '\n' && counter->previous == '\r') {
        return;
    }
    counter->counts->lines += !counter->in_line;
    counter->in_line = !is_line_end(point);
}

static void end_sentence(struct counter *counter)
{
    counter->counts->sentences += counter->in_sentence;
    counter->in_sentence = false;
    counter->at_stop = false;
}

static void count_sentence(struct counter *counter, uint32_t point)
{
    if (is_full_width_stop(point)) {
        end_sentence(counter);
    } else if (is_stop(point)) {
        counter->at_stop = true;
    } else if (is_white_space(point)) {
        if (counter->at_stop) {
            end_sentence(counter);
        }
    } else if (!is_closer(point)) {
        counter->in_sentence = true;
        counter->at_stop = false;
    }
}

static enum tr_status count_text(struct tr_call *call, const struct text_stats_request *request,
                                 struct text_stats_response *response)
{
    (void)call;
    struct counter counter = { .counts = response };
    const char *at = request->text;
    size_t left = strlen(at);
    response->bytes = (int64_t)left;
    while (left != 0) {
        uint32_t point = 0;
        size_t step = tr_utf8_next(at, left, &point);
        step = step != 0 ? step : 1; /* requests are UTF-8; never stand still all the same */
        response->characters++;
        count_word(&counter, point);
        count_line(&counter, point);
        count_sentence(&counter, point);
        counter.previous = point;
        at += step;
        left -= step;
    }
    end_sentence(&counter);
    return TR_OK;
}

TR_TOOL(text_stats, count_text, text_stats_request, text_stats_response,
        .description = "Count the characters, words, lines and sentences of a text. Use it instead "
                       "of counting yourself, for example to keep within a limit.",
        .annotations = { .read_only = true, .idempotent = true },
        .example_json = TR_JSON({ "text": "One line. Two sentences." }));
