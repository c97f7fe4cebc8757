#include "tools/core/pattern_property.h"

#include <string.h>

#include "tools/core/text.h"

/* The general categories (ECMA-262, table 69), in the order of the Unicode standard. */
static const struct {
    const char *pcre;
    const char *const names[3];
} categories[] = {
    { "L", { "L", "Letter" } },
    { "L&", { "LC", "Cased_Letter" } },
    { "Lu", { "Lu", "Uppercase_Letter" } },
    { "Ll", { "Ll", "Lowercase_Letter" } },
    { "Lt", { "Lt", "Titlecase_Letter" } },
    { "Lm", { "Lm", "Modifier_Letter" } },
    { "Lo", { "Lo", "Other_Letter" } },
    { "M", { "M", "Mark", "Combining_Mark" } },
    { "Mn", { "Mn", "Nonspacing_Mark" } },
    { "Mc", { "Mc", "Spacing_Mark" } },
    { "Me", { "Me", "Enclosing_Mark" } },
    { "N", { "N", "Number" } },
    { "Nd", { "Nd", "Decimal_Number", "digit" } },
    { "Nl", { "Nl", "Letter_Number" } },
    { "No", { "No", "Other_Number" } },
    { "P", { "P", "Punctuation", "punct" } },
    { "Pc", { "Pc", "Connector_Punctuation" } },
    { "Pd", { "Pd", "Dash_Punctuation" } },
    { "Ps", { "Ps", "Open_Punctuation" } },
    { "Pe", { "Pe", "Close_Punctuation" } },
    { "Pi", { "Pi", "Initial_Punctuation" } },
    { "Pf", { "Pf", "Final_Punctuation" } },
    { "Po", { "Po", "Other_Punctuation" } },
    { "S", { "S", "Symbol" } },
    { "Sm", { "Sm", "Math_Symbol" } },
    { "Sc", { "Sc", "Currency_Symbol" } },
    { "Sk", { "Sk", "Modifier_Symbol" } },
    { "So", { "So", "Other_Symbol" } },
    { "Z", { "Z", "Separator" } },
    { "Zs", { "Zs", "Space_Separator" } },
    { "Zl", { "Zl", "Line_Separator" } },
    { "Zp", { "Zp", "Paragraph_Separator" } },
    { "C", { "C", "Other" } },
    { "Cc", { "Cc", "Control", "cntrl" } },
    { "Cf", { "Cf", "Format" } },
    { "Cs", { "Cs", "Surrogate" } },
    { "Co", { "Co", "Private_Use" } },
    { "Cn", { "Cn", "Unassigned" } },
};

/* The properties that have a value, and what pcre2 puts before it. */
static const struct {
    const char *name, *pcre;
} keys[] = {
    { "Script", "sc:" },
    { "sc", "sc:" },
    { "Script_Extensions", "scx:" },
    { "scx", "scx:" },
};

static bool is_text(const char *bytes, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(bytes, text, length) == 0;
}

/* pcre2's name of a general category, NULL when there is none. */
static const char *find_category(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
        for (size_t j = 0; j < 3 && categories[i].names[j] != NULL; j++) {
            if (is_text(name, length, categories[i].names[j])) {
                return categories[i].pcre;
            }
        }
    }
    return NULL;
}

static const char *find_key(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (is_text(name, length, keys[i].name)) {
            return keys[i].pcre;
        }
    }
    return NULL;
}

/* Letters, digits and low lines: nothing that means something to pcre2. */
static bool is_name(const char *bytes, size_t length)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\0' || strchr(allowed, bytes[i]) == NULL) {
            return false;
        }
    }
    return length > 0;
}

static bool write(struct tr_text *out, bool is_negated, const char *key, const char *value,
                  size_t length)
{
    tr_text_add_string(out, is_negated ? "\\P{" : "\\p{");
    tr_text_add_string(out, key);
    tr_text_add(out, value, length);
    tr_text_add_char(out, '}');
    return true;
}

static bool write_keyed(const char *name, size_t length, const char *equals, bool is_negated,
                        struct tr_text *out)
{
    const size_t key_length = (size_t)(equals - name);
    const char *value = equals + 1;
    const size_t value_length = length - key_length - 1;
    if (!is_name(value, value_length)) {
        return false;
    }
    if (is_text(name, key_length, "General_Category") || is_text(name, key_length, "gc")) {
        const char *category = find_category(value, value_length);
        return category != NULL && write(out, is_negated, "", category, strlen(category));
    }
    const char *key = find_key(name, key_length);
    return key != NULL && write(out, is_negated, key, value, value_length);
}

bool tr_pattern_property(const char *name, size_t length, bool is_negated, struct tr_text *out)
{
    const char *equals = memchr(name, '=', length);
    if (equals != NULL) {
        return write_keyed(name, length, equals, is_negated, out);
    }
    if (!is_name(name, length)) {
        return false;
    }
    if (is_text(name, length, "Assigned")) {
        return write(out, !is_negated, "", "Cn", 2);
    }
    const char *category = find_category(name, length);
    return category != NULL ? write(out, is_negated, "", category, strlen(category))
                            : write(out, is_negated, "", name, length);
}
