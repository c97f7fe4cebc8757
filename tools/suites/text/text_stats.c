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

enum {
    IS_SPACE = 1 << 0, /* the property White_Space (Unicode Character Database, PropList.txt) */
    IS_LINE_END = 1 << 1,
    IS_STOP = 1 << 2,      /* ends a sentence where white space or nothing follows */
    IS_FULL_STOP = 1 << 3, /* ends a sentence whatever follows: the full-width forms */
    IS_CLOSER = 1 << 4,    /* may stand between the stop of a sentence and its end */
};

static const unsigned char ascii_classes[128] = {
    ['\t'] = IS_SPACE,
    ['\n'] = IS_SPACE | IS_LINE_END,
    ['\v'] = IS_SPACE,
    ['\f'] = IS_SPACE,
    ['\r'] = IS_SPACE | IS_LINE_END,
    [' '] = IS_SPACE,
    ['.'] = IS_STOP,
    ['!'] = IS_STOP,
    ['?'] = IS_STOP,
    ['"'] = IS_CLOSER,
    ['\''] = IS_CLOSER,
    [')'] = IS_CLOSER,
    [']'] = IS_CLOSER,
    ['}'] = IS_CLOSER,
};

static unsigned classes_of(uint32_t point)
{
    if (point < TR_COUNT_OF(ascii_classes)) {
        return ascii_classes[point];
    }
    if (point >= 0x2000 && point <= 0x200a) { /* spaces of every width */
        return IS_SPACE;
    }
    switch (point) {
    case 0x85:                                  /* next line */
    case 0x2028:                                /* line separator */
    case 0x2029: return IS_SPACE | IS_LINE_END; /* paragraph separator */
    case 0xa0:                                  /* no-break space */
    case 0x1680:                                /* Ogham space mark */
    case 0x202f:                                /* narrow no-break space */
    case 0x205f:                                /* medium mathematical space */
    case 0x3000: return IS_SPACE;               /* ideographic space */
    case 0x2026: return IS_STOP;                /* horizontal ellipsis */
    case 0x3002:                                /* ideographic full stop */
    case 0xff01:                                /* full-width ! */
    case 0xff0e:                                /* full-width . */
    case 0xff1f:                                /* full-width ? */
    case 0xff61: return IS_FULL_STOP;           /* half-width ideographic full stop */
    case 0xbb:                                  /* right guillemet */
    case 0x2019:                                /* right single quote */
    case 0x201d:                                /* right double quote */
    case 0x300d:                                /* right corner bracket */
    case 0x300f:                                /* right white corner bracket */
    case 0xff09: return IS_CLOSER;              /* full-width ) */
    default: return 0;
    }
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

static void count_word(struct counter *counter, unsigned classes)
{
    const bool in_word = (classes & IS_SPACE) == 0;
    counter->counts->words += in_word && !counter->in_word;
    counter->in_word = in_word;
}

/* A line is counted at its first character, which may be its end; the LF of a CR LF is no line. */
static void count_line(struct counter *counter, uint32_t point, unsigned classes)
{
    if (point == '\n' && counter->previous == '\r') {
        return;
    }
    counter->counts->lines += !counter->in_line;
    counter->in_line = (classes & IS_LINE_END) == 0;
}

static void end_sentence(struct counter *counter)
{
    counter->counts->sentences += counter->in_sentence;
    counter->in_sentence = false;
    counter->at_stop = false;
}

static void count_sentence(struct counter *counter, unsigned classes)
{
    if (classes == 0) {
        counter->in_sentence = true;
        counter->at_stop = false;
    } else if (classes & IS_STOP) {
        counter->at_stop = true;
    } else if ((classes & IS_FULL_STOP) || ((classes & IS_SPACE) && counter->at_stop)) {
        end_sentence(counter);
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
        const unsigned classes = classes_of(point);
        response->characters++;
        count_word(&counter, classes);
        count_line(&counter, point, classes);
        count_sentence(&counter, classes);
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
