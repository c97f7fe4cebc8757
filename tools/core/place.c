#include "tools/core/place.h"

#include <string.h>

#include "tools/core/text.h"

/* RFC 6901 section 3: '~' is written "~0", '/' is written "~1". */
static void write_reference_token(const char *key, struct tr_text *out)
{
    for (;;) {
        const size_t plain = strcspn(key, "~/");
        tr_text_add(out, key, plain);
        key += plain;
        if (*key == '\0') {
            return;
        }
        tr_text_add_string(out, *key == '~' ? "~0" : "~1");
        key++;
    }
}

void tr_place_write_pointer(const struct tr_place *place, struct tr_text *out)
{
    if (place->parent == NULL) {
        return;
    }
    tr_place_write_pointer(place->parent, out);
    tr_text_add_char(out, '/');
    if (place->key != NULL) {
        write_reference_token(place->key, out);
    } else {
        tr_text_add_integer(out, (int64_t)place->index);
    }
}

static void write_below_root(const struct tr_place *place, struct tr_text *out)
{
    const bool is_first = place->parent->parent == NULL;
    if (!is_first) {
        write_below_root(place->parent, out);
    }
    if (place->key == NULL) {
        tr_text_add_char(out, '[');
        tr_text_add_integer(out, (int64_t)place->index);
        tr_text_add_char(out, ']');
        return;
    }
    if (!is_first) {
        tr_text_add_char(out, '.');
    }
    tr_text_add_string(out, place->key);
}

void tr_place_write_name(const struct tr_place *place, struct tr_text *out)
{
    if (place->parent == NULL) {
        tr_text_add_string(out, "(body)");
        return;
    }
    write_below_root(place, out);
}
