#include "tools/suites/text/language.h"

#include <string.h>
#include <strings.h>

/* ISO 639-1, by the English name. */
static const struct {
    const char *name, *tag;
} common_languages[] = {
    { "Arabic", "ar" },     { "Bengali", "bn" },    { "Bulgarian", "bg" }, { "Catalan", "ca" },
    { "Chinese", "zh" },    { "Croatian", "hr" },   { "Czech", "cs" },     { "Danish", "da" },
    { "Dutch", "nl" },      { "English", "en" },    { "Estonian", "et" },  { "Finnish", "fi" },
    { "French", "fr" },     { "German", "de" },     { "Greek", "el" },     { "Hebrew", "he" },
    { "Hindi", "hi" },      { "Hungarian", "hu" },  { "Icelandic", "is" }, { "Indonesian", "id" },
    { "Irish", "ga" },      { "Italian", "it" },    { "Japanese", "ja" },  { "Korean", "ko" },
    { "Latvian", "lv" },    { "Lithuanian", "lt" }, { "Malay", "ms" },     { "Maltese", "mt" },
    { "Norwegian", "no" },  { "Persian", "fa" },    { "Polish", "pl" },    { "Portuguese", "pt" },
    { "Romanian", "ro" },   { "Russian", "ru" },    { "Serbian", "sr" },   { "Slovak", "sk" },
    { "Slovenian", "sl" },  { "Spanish", "es" },    { "Swahili", "sw" },   { "Swedish", "sv" },
    { "Thai", "th" },       { "Turkish", "tr" },    { "Ukrainian", "uk" }, { "Urdu", "ur" },
    { "Vietnamese", "vi" }, { "Welsh", "cy" },
};

static bool find_name(const char *text, struct tr_language *ret_language)
{
    for (size_t i = 0; i < sizeof(common_languages) / sizeof(common_languages[0]); i++) {
        if (strcasecmp(text, common_languages[i].name) == 0) {
            memcpy(ret_language->tag, common_languages[i].tag, strlen(common_languages[i].tag) + 1);
            return true;
        }
    }
    return false;
}

/* ASCII, whatever the locale. */
static bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static bool is_letter(char byte)
{
    return is_upper(byte) || (byte >= 'a' && byte <= 'z');
}

static char to_lower(char byte)
{
    return is_upper(byte) ? (char)(byte - 'A' + 'a') : byte;
}

static char to_upper(char byte)
{
    return is_letter(byte) && !is_upper(byte) ? (char)(byte - 'a' + 'A') : byte;
}

static bool is_subtag(const char *text, size_t length, bool is_first)
{
    if (length < (is_first ? 2u : 1u) || length > (is_first ? 3u : 8u)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (!is_letter(text[i]) && (is_first || !is_digit)) {
            return false;
        }
    }
    return true;
}

/* RFC 5646 section 2.1.1: regions (two letters) in upper case, scripts (four) in title case, all
 * else in lower case. */
static void copy_subtag(char *to, const char *text, size_t length, bool is_first)
{
    for (size_t i = 0; i < length; i++) {
        const bool is_raised = !is_first && (length == 2 || (length == 4 && i == 0));
        to[i] = is_raised ? to_upper(text[i]) : to_lower(text[i]);
    }
}

static bool find_tag(const char *text, struct tr_language *ret_language)
{
    struct tr_language made = { .tag = "" };
    const size_t whole = strlen(text);
    if (whole >= sizeof(made.tag)) {
        return false;
    }
    for (size_t at = 0; at <= whole; at++) {
        const size_t length = strcspn(text + at, "-");
        if (!is_subtag(text + at, length, at == 0)) {
            return false;
        }
        copy_subtag(made.tag + at, text + at, length, at == 0);
        at += length;
        if (at < whole) {
            made.tag[at] = '-';
        }
    }
    *ret_language = made;
    return true;
}

bool tr_language_find(const char *text, struct tr_language *ret_language)
{
    return find_tag(text, ret_language) || find_name(text, ret_language);
}
