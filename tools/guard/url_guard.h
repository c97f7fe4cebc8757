/* url_guard.h - which URLs an outbound request may reach (DESIGN section 4).
 *
 * Two questions, asked by the HTTP engine for every hop of a redirect: may this URL be asked for at
 * all (scheme, user info, host name, port), and may this address be dialled. The second one falls
 * at connect time on the address itself, so that neither a name that resolves to something private
 * nor one that changes its mind between two look-ups gets through. An engine that is refused one
 * address of a name gives the call up instead of trying the next: a name with mixed addresses is an
 * attack or a mistake. */
#ifndef TR_TOOLS_GUARD_URL_GUARD_H
#define TR_TOOLS_GUARD_URL_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "tools/core/compiler.h"
#include "tools/core/descriptor.h"
#include "tools/core/fault.h"
#include "tools/core/status.h"
#include "tools/guard/url_parse.h"

struct tr_arena;

enum { TR_MAX_REDIRECTS = 10 }; /* followed for one call */

/* What an operator writes as `network:` of a suite or of a tool. */
struct network_settings {
    TR_SPAN(const char *) allow_hosts;     /* only these; absent: any */
    TR_SPAN(const char *) block_hosts;     /* besides the ones that are always blocked */
    TR_SPAN(int64_t) allow_ports;          /* of those that are blocked by default */
    bool allow_private;                    /* private addresses and loopback, and names for them */
    TR_SPAN(const char *) forward_headers; /* of the caller, to go on to the upstream */
};
extern const struct tr_type network_settings_type;

/* The settings made ready. Immutable. Zeroed: any host of the Internet, the default ports. */
struct tr_url_policy {
    const char *const *allow_hosts; /* in the normal form of url_host.h, or "*." and a name in it */
    size_t allow_host_count;
    bool has_allow_hosts;
    const char *const *block_hosts;
    size_t block_host_count;
    const int64_t *allow_ports; /* borrowed from the settings */
    size_t allow_port_count;
    bool allow_private;
    const char *const *forward_headers; /* borrowed from the settings */
    size_t forward_header_count;
};

/* Lives in `arena`, and borrows from `settings` (NULL: nothing was said) as long. Refuses
 * (TR_INVALID_PARAMETERS; `reterr->where` is the JSON Pointer in the settings) a host or a port
 * that cannot be one, and a header that must not be forwarded. TR_NO_MEMORY or TR_BODY_TOO_LARGE of
 * the arena. */
TR_MUST_USE enum tr_status tr_url_policy_make(const struct network_settings *settings,
                                              struct tr_arena *arena,
                                              struct tr_url_policy *ret_policy,
                                              struct tr_fault *reterr);

/* May `text` be asked for? Fills *ret_url (tr_url_done()). TR_URL_BLOCKED with a sentence that says
 * what to change and repeats no more of the text than host and port; TR_NO_MEMORY. Refuses
 * what is not http:// or https:// with a host, user info, control bytes, spaces and backslashes, a
 * host that is blocked or not allowed, a blocked port, an address that may not be dialled. The host
 * as libcurl reads it must stand in the text right behind the slashes, so that no two readers of
 * the URL can disagree on it: odd spellings of an IPv4 address and percent-encoded hosts are
 * refused.
 */
TR_MUST_USE enum tr_status tr_url_guard_check(const struct tr_url_policy *policy, const char *text,
                                              size_t length, struct tr_url *ret_url,
                                              struct tr_fault *reterr);

/* May this address be dialled? True for global unicast; for private addresses and loopback if the
 * policy allows them. Never for link-local addresses (where clouds give out credentials),
 * multicast, reserved blocks, an address with a zone, other families than IPv4 and IPv6. */
bool tr_url_guard_address(const struct tr_url_policy *policy, const struct sockaddr *address);

#endif
