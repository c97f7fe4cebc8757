#include "tools/suites/web/page_links.h"

#include <stdlib.h>
#include <string.h>

#include "tools/guard/url_parse.h"

enum { LINK_BYTES = 2048 };

void tr_page_links_init(struct tr_page_links *links, struct tr_arena *arena, const char *page_url)
{
    *links = (struct tr_page_links){
        .items = TR_NEW(arena, struct tr_page_link, TR_PAGE_LINKS),
        .arena = arena,
        .page_url = page_url,
    };
    links->status = links->items != NULL ? TR_OK : tr_arena_status(arena);
}

void tr_page_links_done(struct tr_page_links *links)
{
    free(links->base);
    *links = (struct tr_page_links){ .items = NULL };
}

/* ---- references ---- */

static bool is_askable(const char *url)
{
    const bool is_https = strncmp(url, "https://", 8) == 0;
    if (!is_https && strncmp(url, "http://", 7) != 0) {
        return false;
    }
    const char *host = url + (is_https ? 8 : 7);
    return memchr(host, '@', strcspn(host, "/?#")) == NULL && strlen(url) <= LINK_BYTES;
}

char *tr_page_links_resolve(struct tr_page_links *links, const char *reference)
{
    const char *base = links->base != NULL ? links->base : links->page_url;
    const char *start = reference + strspn(reference, " \t\r\n\f");
    if (*start == '\0' || *start == '#' || links->count == TR_PAGE_LINKS) {
        return NULL;
    }
    char *url = NULL;
    const enum tr_status status = tr_url_resolve(base, start, strlen(start), &url, NULL);
    if (status == TR_NO_MEMORY) {
        links->status = status;
    }
    if (status == TR_OK && !is_askable(url)) {
        free(url);
        url = NULL;
    }
    return url;
}

void tr_page_links_set_base(struct tr_page_links *links, const char *reference)
{
    if (links->base == NULL) {
        links->base = tr_page_links_resolve(links, reference);
    }
}

/* ---- numbers ---- */

bool tr_page_links_next(struct tr_page_links *links, const char *url, struct tr_page_link *ret_link)
{
    if (links->count == TR_PAGE_LINKS) {
        return false;
    }
    const struct tr_page_link *last = links->count != 0 ? &links->items[links->count - 1] : NULL;
    if (last != NULL && strcmp(last->url, url) == 0) {
        *ret_link = *last;
        return true;
    }
    ret_link->number = last != NULL ? last->number + 1 : 1;
    ret_link->url = tr_arena_strndup(links->arena, url, strlen(url));
    if (ret_link->url == NULL) {
        links->status = tr_arena_status(links->arena);
    }
    return ret_link->url != NULL;
}

void tr_page_links_add(struct tr_page_links *links, struct tr_page_link link)
{
    links->items[links->count++] = link;
}
