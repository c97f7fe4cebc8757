#include "server/filter.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "server/catalog.h"

bool tr_filter_wants_all(const struct tr_catalog_filter *filter)
{
    return filter == NULL
           || (filter->category == NULL && filter->suite == NULL && filter->query == NULL);
}

static bool is_wanted_name(const char *wanted, const char *name)
{
    return wanted == NULL || strcmp(wanted, name) == 0;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (; *text != '\0'; text++) {
        if (strncasecmp(text, word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_words(const char *words, const struct tr_entry *entry)
{
    static const char blanks[] = " \t\r\n";
    for (words += strspn(words, blanks); *words != '\0'; words += strspn(words, blanks)) {
        const size_t length = strcspn(words, blanks);
        if (!has_word(entry->tool->name, words, length)
            && !has_word(entry->tool->description, words, length)
            && !has_word(entry->category, words, length)) {
            return false;
        }
        words += length;
    }
    return true;
}

bool tr_filter_wants(const struct tr_catalog_filter *filter, const struct tr_entry *entry)
{
    if (tr_filter_wants_all(filter)) {
        return true;
    }
    return is_wanted_name(filter->category, entry->category)
           && is_wanted_name(filter->suite, entry->suite->suite->name)
           && (filter->query == NULL || has_words(filter->query, entry));
}
