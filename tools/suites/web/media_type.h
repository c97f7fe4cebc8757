/* media_type.h - what a Content-Type field says about a body. */
#ifndef TR_TOOLS_SUITES_WEB_MEDIA_TYPE_H
#define TR_TOOLS_SUITES_WEB_MEDIA_TYPE_H

enum tr_media_kind {
    TR_MEDIA_UNKNOWN, /* no type, or one that says nothing: application/octet-stream */
    TR_MEDIA_HTML,
    TR_MEDIA_JSON,
    TR_MEDIA_TEXT, /* everything else that people can read: plain, XML, YAML, scripts ... */
    TR_MEDIA_BINARY,
};

enum { TR_MEDIA_NAME_BYTES = 128, TR_MEDIA_CHARSET_BYTES = 40 };

struct tr_media_type {
    enum tr_media_kind kind;
    char name[TR_MEDIA_NAME_BYTES];       /* "text/html", in lower case; empty: none */
    char charset[TR_MEDIA_CHARSET_BYTES]; /* as written; empty: none */
};

/* Read the value of the field; NULL when there is none. What is no media type (RFC 9110 section
 * 8.3.1), or too long for one, counts as none. */
struct tr_media_type tr_media_type_read(const char *content_type);

#endif
