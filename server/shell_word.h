/* shell_word.h - texts as words of a shell command that is ready to be pasted. */
#ifndef TR_SERVER_SHELL_WORD_H
#define TR_SERVER_SHELL_WORD_H

struct tr_text;

/* Write `word` so that a POSIX shell reads it as one word and expands nothing (XCU 2.2.2): in
 * single quotes, unless it needs none. */
void tr_shell_word(struct tr_text *out, const char *word);

#endif
