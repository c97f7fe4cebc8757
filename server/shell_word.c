#include "server/shell_word.h"

#include <string.h>

#include "tools/core/text.h"

static const char harmless[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "_-./:=@%+,";

void tr_shell_word(struct tr_text *out, const char *word)
{
    if (*word != '\0' && word[strspn(word, harmless)] == '\0') {
        tr_text_add_string(out, word);
        return;
    }
    tr_text_add_char(out, '\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            tr_text_add_string(out, "'\\''");
        } else {
            tr_text_add_char(out, *word);
        }
    }
    tr_text_add_char(out, '\'');
}
