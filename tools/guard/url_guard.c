#include "tools/guard/url_guard.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/guard/url_address.h"

/* ---- names ---- */

/* Where clouds give out credentials. No setting allows them. */
static const char *const metadata_names[] = {
    "instance-data",
    "metadata",
    "metadata.goog",
    "metadata.google.internal",
};

/* Names that only mean something on this machine or in its own network (RFC 6761, RFC 6762, RFC
 * 8375, and what /etc/hosts files and clouds use). Refused by name, for what they resolve to is
 * nobody's business, unless the policy allows private addresses: then the address decides. */
static const char *const private_names[] = {
    "*.home.arpa", "*.internal", "*.local",       "*.localdomain", "*.localhost",
    "home.arpa",   "internal",   "ip6-localhost", "ip6-loopback",  "local",
    "localdomain", "localhost",  "localhost6",
};

static bool is_listed(const struct tr_host *host, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (tr_host_matches(host, patterns[i])) {
            return true;
        }
    }
    return false;
}

static enum tr_status check_host(const struct tr_url_policy *policy, const struct tr_host *host,
                                 struct tr_fault *reterr)
{
    const bool is_metadata = is_listed(host, metadata_names, TR_COUNT_OF(metadata_names));
    const bool is_private = is_listed(host, private_names, TR_COUNT_OF(private_names));
    if (is_metadata || (is_private && !policy->allow_private)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "The host %s is not on the Internet: use a public host", host->text);
    }
    if (is_listed(host, policy->block_hosts, policy->block_host_count)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The operator has blocked the host %s",
                         host->text);
    }
    if (policy->has_allow_hosts
        && !is_listed(host, policy->allow_hosts, policy->allow_host_count)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "The host %s is not among those that the operator allows", host->text);
    }
    return TR_OK;
}

/* ---- ports ---- */

/* Sorted. The "bad ports" of https://fetch.spec.whatwg.org/#port-blocking, and those of services
 * that can be talked into something by an HTTP request: 445 SMB, 2375 Docker, 3306 MySQL, 3389 RDP,
 * 5432 PostgreSQL, 5984 CouchDB, 6379 Redis, 9200 Elasticsearch, 11211 memcached, 27017 MongoDB. */
static const uint16_t blocked_ports[] = {
    1,    7,    9,    11,   13,   15,    17,    19,    20,   21,   22,   23,   25,   37,
    42,   43,   53,   69,   77,   79,    87,    95,    101,  102,  103,  104,  109,  110,
    111,  113,  115,  117,  119,  123,   135,   137,   139,  143,  161,  179,  389,  427,
    445,  465,  512,  513,  514,  515,   526,   530,   531,  532,  540,  548,  554,  556,
    563,  587,  601,  636,  989,  990,   993,   995,   1719, 1720, 1723, 2049, 2375, 3306,
    3389, 3659, 4045, 4190, 5060, 5061,  5432,  5984,  6000, 6379, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 9200, 10080, 11211, 27017,
};

static bool is_blocked_port(uint16_t port)
{
    for (size_t i = 0; i < TR_COUNT_OF(blocked_ports); i++) {
        if (blocked_ports[i] == port) {
            return true;
        }
    }
    return false;
}

static enum tr_status check_port(const struct tr_url_policy *policy, uint16_t port,
                                 struct tr_fault *reterr)
{
    for (size_t i = 0; i < policy->allow_port_count; i++) {
        if (policy->allow_ports[i] == port) {
            return TR_OK;
        }
    }
    if (is_blocked_port(port)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "Port %u belongs to another service than HTTP", (unsigned)port);
    }
    return TR_OK;
}

/* ---- addresses ---- */

static bool may_reach(const struct tr_url_policy *policy, enum tr_reach reach)
{
    return reach == TR_REACH_GLOBAL || (reach == TR_REACH_PRIVATE && policy->allow_private);
}

bool tr_url_guard_address(const struct tr_url_policy *policy, const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        unsigned char bytes[sizeof(v4.sin_addr)];
        memcpy(&v4, address, sizeof(v4));
        memcpy(bytes, &v4.sin_addr, sizeof(bytes));
        return may_reach(policy, tr_reach_of_v4(bytes));
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 v6;
        memcpy(&v6, address, sizeof(v6));
        return v6.sin6_scope_id == 0 && may_reach(policy, tr_reach_of_v6(v6.sin6_addr.s6_addr));
    }
    return false;
}

static enum tr_status check_literal(const struct tr_url_policy *policy, const struct tr_host *host,
                                    struct tr_fault *reterr)
{
    if (host->kind == TR_HOST_NAME) {
        return TR_OK;
    }
    const enum tr_reach reach =
        host->kind == TR_HOST_V4 ? tr_reach_of_v4(host->address) : tr_reach_of_v6(host->address);
    if (!may_reach(policy, reach)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "The address %s is not on the Internet: use a public host", host->text);
    }
    return TR_OK;
}

/* ---- the text ---- */

static enum tr_status check_bytes(const char *text, size_t length, struct tr_fault *reterr)
{
    if (length > TR_MAX_URL_BYTES) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The URL is longer than %d bytes",
                         TR_MAX_URL_BYTES);
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] <= ' ' || text[i] == '\x7f' || text[i] == '\\') {
            return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                             "The URL has a space, a backslash or a control character at byte "
                             "%zu: percent-encode it",
                             i + 1);
        }
    }
    return TR_OK;
}

/* The length of "http://" or "https://" at the start, in any case; 0 for everything else. */
static size_t scheme_length(const char *text)
{
    static const char *const schemes[] = { "http://", "https://" };
    for (size_t i = 0; i < TR_COUNT_OF(schemes); i++) {
        const size_t length = strlen(schemes[i]);
        if (strncasecmp(text, schemes[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

/* Read the host a second time, as plainly as can be, and let it be the one that libcurl found. */
static enum tr_status check_written(const char *authority, const struct tr_host *found,
                                    struct tr_fault *reterr)
{
    struct tr_host written;
    const char *reason = NULL;
    size_t length = strcspn(authority, ":/?#");
    if (authority[0] == '[') {
        length = strcspn(authority, "]");
        length += authority[length] == ']' ? 1 : 0;
    }
    if (!tr_host_read(authority, length, &written, &reason)) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL, "The URL cannot be used: %s", reason);
    }
    if (strcmp(written.text, found->text) != 0) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "The URL can be read in two ways: write the host right behind the "
                         "slashes");
    }
    return TR_OK;
}

static enum tr_status check_text(const struct tr_url_policy *policy, const char *text,
                                 struct tr_url *ret_url, struct tr_fault *reterr)
{
    const size_t scheme = scheme_length(text);
    if (scheme == 0) {
        return tr_refuse(TR_URL_BLOCKED, reterr, NULL,
                         "The URL must start with http:// or https://");
    }
    TR_TRY(tr_url_parse(text, ret_url, reterr));
    TR_TRY(check_written(text + scheme, &ret_url->host, reterr));
    TR_TRY(check_host(policy, &ret_url->host, reterr));
    TR_TRY(check_port(policy, ret_url->port, reterr));
    return check_literal(policy, &ret_url->host, reterr);
}

enum tr_status tr_url_guard_check(const struct tr_url_policy *policy, const char *text,
                                  size_t length, struct tr_url *ret_url, struct tr_fault *reterr)
{
    TR_TRY(check_bytes(text, length, reterr));
    char *copy = tr_url_copy(text, length);
    if (copy == NULL) {
        return tr_refuse(TR_NO_MEMORY, reterr, NULL, "No memory for a URL");
    }
    struct tr_url url = { 0 };
    const enum tr_status status = check_text(policy, copy, &url, reterr);
    free(copy);
    if (status != TR_OK) {
        tr_url_done(&url);
        return status;
    }
    *ret_url = url;
    return TR_OK;
}
