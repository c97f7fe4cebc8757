/* keyword.h - which keywords of JSON Schema hold further schemas, and how: for whoever walks one.
 */
#ifndef TR_OPENAPI_KEYWORD_H
#define TR_OPENAPI_KEYWORD_H

enum tr_keyword_form {
    TR_KEYWORD_PLAIN,  /* no schema inside */
    TR_KEYWORD_SCHEMA, /* one schema */
    TR_KEYWORD_LIST,   /* an array of schemas */
    TR_KEYWORD_MAP,    /* an object whose members are schemas */
};

/* TR_KEYWORD_PLAIN for a keyword that is not known. */
enum tr_keyword_form tr_keyword_form(const char *keyword);

#endif
