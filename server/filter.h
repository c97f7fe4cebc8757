/* filter.h - which tools of a list a caller wants to see. */
#ifndef TR_SERVER_FILTER_H
#define TR_SERVER_FILTER_H

#include <stdbool.h>

struct tr_catalog_filter;
struct tr_entry;

/* Does it leave nothing out? NULL wants all. */
bool tr_filter_wants_all(const struct tr_catalog_filter *filter);

bool tr_filter_wants(const struct tr_catalog_filter *filter, const struct tr_entry *entry);

#endif
