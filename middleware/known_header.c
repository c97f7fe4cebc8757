#include "middleware/known_header.h"

#include <string.h>

#include "middleware/exchange.h"

_Static_assert(TR_HEADER_COUNT <= 32, "`repeated` has a bit for each header");

enum { LONGEST_NAME = 29, SAME_LENGTH = 4 };

#define KNOWN_NAME(id, name) [TR_HEADER_##id] = (name),
static const char *const known_names[TR_HEADER_COUNT] = { [TR_HEADER_UNKNOWN] = "",
                                                          TR_KNOWN_HEADER_LIST(KNOWN_NAME) };
#undef KNOWN_NAME

/* The names of each length; a zero ends a row early. The length and the first letter tell all but
 * a few names apart, so most headers cost one lookup. */
static const unsigned char names_of_length[LONGEST_NAME + 1][SAME_LENGTH] = {
    [4] = { TR_HEADER_HOST },
    [6] = { TR_HEADER_ACCEPT, TR_HEADER_ORIGIN, TR_HEADER_EXPECT },
    [7] = { TR_HEADER_BAGGAGE },
    [9] = { TR_HEADER_X_API_KEY, TR_HEADER_X_TASK_ID, TR_HEADER_FORWARDED },
    [10] = { TR_HEADER_CONNECTION, TR_HEADER_X_AGENT_ID, TR_HEADER_TRACESTATE },
    [11] = { TR_HEADER_TRACEPARENT },
    [12] = { TR_HEADER_CONTENT_TYPE, TR_HEADER_X_REQUEST_ID },
    [13] = { TR_HEADER_AUTHORIZATION, TR_HEADER_IF_NONE_MATCH },
    [14] = { TR_HEADER_CONTENT_LENGTH },
    [15] = { TR_HEADER_X_FORWARDED_FOR },
    [16] = { TR_HEADER_CONTENT_ENCODING },
    [17] = { TR_HEADER_TRANSFER_ENCODING, TR_HEADER_X_FORWARDED_PROTO },
    [29] = { TR_HEADER_ACCESS_CONTROL_REQUEST_METHOD },
};

/* Eight bytes at once: a byte of `lower` with bit 0x40 is a letter, so the other one may lack bit
 * 0x20, by which the cases differ. Everything else must be the same. */
static bool is_word_same(const char *bytes, const char *lower)
{
    uint64_t word;
    uint64_t wanted;
    memcpy(&word, bytes, sizeof(word));
    memcpy(&wanted, lower, sizeof(wanted));
    return (word | (wanted & 0x4040404040404040u) >> 1) == wanted;
}

static bool is_byte_same(char byte, char lower)
{
    return (byte | (lower & 0x40) >> 1) == lower;
}

bool tr_is_lower_same(const char *bytes, const char *lower, size_t length)
{
    enum { WORD = sizeof(uint64_t) };
    if (length < WORD) {
        for (size_t i = 0; i < length; i++) {
            if (!is_byte_same(bytes[i], lower[i])) {
                return false;
            }
        }
        return true;
    }
    for (size_t i = 0; i + WORD <= length; i += WORD) {
        if (!is_word_same(bytes + i, lower + i)) {
            return false;
        }
    }
    /* The last word overlaps the one before it. */
    return is_word_same(bytes + length - WORD, lower + length - WORD);
}

enum tr_known_header tr_known_header_find(const char *name, size_t length)
{
    if (length > LONGEST_NAME) {
        return TR_HEADER_UNKNOWN;
    }
    const unsigned char *candidates = names_of_length[length];
    for (size_t i = 0; i < SAME_LENGTH && candidates[i] != TR_HEADER_UNKNOWN; i++) {
        const char *text = known_names[candidates[i]];
        if (is_byte_same(name[0], text[0]) && tr_is_lower_same(name, text, length)) {
            return (enum tr_known_header)candidates[i];
        }
    }
    return TR_HEADER_UNKNOWN;
}

const char *tr_known_header_name(enum tr_known_header known)
{
    return known_names[known];
}

void tr_header_index_make(struct tr_header_index *index, const struct tr_header *headers,
                          size_t count)
{
    *index = (struct tr_header_index){ .is_made = true };
    for (size_t i = 0; i < count; i++) {
        const struct tr_header *header = &headers[i];
        const enum tr_known_header known = tr_known_header_find(header->name, header->name_length);
        if (known == TR_HEADER_UNKNOWN) {
            continue;
        }
        if (index->values[known].bytes != NULL) {
            index->repeated |= 1u << known;
            continue;
        }
        index->values[known] = tr_value_trim(header->value, header->value_length);
    }
}

void tr_header_index_drop(struct tr_header_index *index, enum tr_known_header known)
{
    index->values[known] = (struct tr_value){ .bytes = NULL };
    index->repeated &= ~(1u << known);
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

struct tr_value tr_value_trim(const char *bytes, size_t length)
{
    while (length != 0 && is_blank(bytes[0])) {
        bytes++;
        length--;
    }
    while (length != 0 && is_blank(bytes[length - 1])) {
        length--;
    }
    return (struct tr_value){ .bytes = bytes != NULL ? bytes : "", .length = length };
}
