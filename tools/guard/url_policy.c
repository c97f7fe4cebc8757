#include <stdio.h>
#include <string.h>

#include "tools/core/arena.h"
#include "tools/guard/header_guard.h"
#include "tools/guard/url_guard.h"

static const struct tr_field network_settings_fields[] = {
    {
        TR_LIST(network_settings, allow_hosts),
        .description = "The only hosts that may be reached; *.example.com means every host below "
                       "example.com; any host when left out",
        .count = TR_AT_MOST(1024),
        .length = TR_RANGE(1, 255),
        .example_json = TR_JSON(["api.example.com", "*.example.org"]),
    },
    {
        TR_LIST(network_settings, block_hosts),
        .description = "Hosts that may not be reached, also when allow_hosts has them",
        .count = TR_AT_MOST(1024),
        .length = TR_RANGE(1, 255),
        .example_json = TR_JSON(["ads.example.com"]),
    },
    {
        TR_LIST(network_settings, allow_ports),
        .description = "Ports that may be reached although they are blocked by default, such as "
                       "those of mail servers and databases",
        .count = TR_AT_MOST(64),
        .range = TR_RANGE(1, 65535),
        .example_json = TR_JSON([9200]),
    },
    {
        TR_FIELD(network_settings, allow_private),
        .description = "Whether private networks and this machine may be reached; link-local "
                       "addresses, where clouds give out credentials, never may",
        .default_json = TR_JSON(false),
    },
    {
        TR_LIST(network_settings, forward_headers),
        .description = "Headers of the caller that go on to the upstream, unless the tool sets "
                       "them itself; none when left out, and never a credential or an identity",
        .count = TR_AT_MOST(TR_MAX_OUT_HEADERS),
        .length = TR_RANGE(1, TR_MAX_HEADER_NAME_BYTES),
        .example_json = TR_JSON(["X-Tenant", "Accept-Language"]),
    },
};
TR_TYPE(network_settings, "What outbound requests may reach and take along");

static enum tr_status refuse(struct tr_fault *reterr, const char *list, size_t index,
                             const char *reason)
{
    char where[TR_FAULT_WHERE_BYTES];
    (void)snprintf(where, sizeof(where), "/%s/%zu", list, index);
    return tr_refuse(TR_INVALID_PARAMETERS, reterr, where, "%s", reason);
}

static enum tr_status no_room(const struct tr_arena *arena, struct tr_fault *reterr)
{
    return tr_refuse(tr_arena_status(arena), reterr, NULL, "No memory for the network settings");
}

/* "Example.COM" to "example.com", "*.Example.com" to "*.example.com", "[::1]" to "::1". */
static const char *normal_pattern(struct tr_arena *arena, const char *text, const char **ret_reason)
{
    struct tr_host host;
    const bool is_wildcard = strncmp(text, "*.", 2) == 0;
    const char *name = is_wildcard ? text + 2 : text;
    *ret_reason = NULL;
    if (!tr_host_read(name, strlen(name), &host, ret_reason)) {
        return NULL;
    }
    if (is_wildcard && host.kind != TR_HOST_NAME) {
        *ret_reason = "there is nothing below an address";
        return NULL;
    }
    return tr_arena_printf(arena, "%s%s", is_wildcard ? "*." : "", host.text);
}

static enum tr_status make_patterns(const char *const *texts, size_t count, const char *list,
                                    struct tr_arena *arena, const char *const **ret_patterns,
                                    struct tr_fault *reterr)
{
    const char **patterns = TR_NEW(arena, const char *, count + 1);
    if (patterns == NULL) {
        return no_room(arena, reterr);
    }
    for (size_t i = 0; texts != NULL && i < count; i++) {
        const char *reason = NULL;
        patterns[i] = normal_pattern(arena, texts[i], &reason);
        if (patterns[i] == NULL) {
            return reason != NULL ? refuse(reterr, list, i, reason) : no_room(arena, reterr);
        }
    }
    *ret_patterns = patterns;
    return TR_OK;
}

static enum tr_status check_ports(const struct network_settings *settings, struct tr_fault *reterr)
{
    for (size_t i = 0; i < settings->allow_ports.count; i++) {
        if (settings->allow_ports.items[i] < 1 || settings->allow_ports.items[i] > UINT16_MAX) {
            return refuse(reterr, "allow_ports", i, "a port is a number from 1 to 65535");
        }
    }
    return TR_OK;
}

/* Is the name, or one that a server may take for the same, in the list before? */
static bool is_listed_before(const char *const *names, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (tr_header_guard_is_same_name(names[i], names[index])) {
            return true;
        }
    }
    return false;
}

static enum tr_status check_headers(const struct network_settings *settings,
                                    struct tr_fault *reterr)
{
    const char *const *names = settings->forward_headers.items;
    for (size_t i = 0; i < settings->forward_headers.count; i++) {
        const char *reason = NULL;
        if (!tr_header_guard_may_forward(names[i], &reason)) {
            return refuse(reterr, "forward_headers", i, reason);
        }
        if (is_listed_before(names, i)) {
            return refuse(reterr, "forward_headers", i, "the header is listed twice");
        }
    }
    return TR_OK;
}

enum tr_status tr_url_policy_make(const struct network_settings *settings, struct tr_arena *arena,
                                  struct tr_url_policy *ret_policy, struct tr_fault *reterr)
{
    struct tr_url_policy policy = { 0 };
    if (settings != NULL) {
        policy = (struct tr_url_policy){
            .allow_host_count = settings->allow_hosts.count,
            .has_allow_hosts = settings->allow_hosts.items != NULL,
            .block_host_count = settings->block_hosts.count,
            .allow_ports = settings->allow_ports.items,
            .allow_port_count = settings->allow_ports.count,
            .allow_private = settings->allow_private,
            .forward_headers = settings->forward_headers.items,
            .forward_header_count = settings->forward_headers.count,
        };
        TR_TRY(make_patterns(settings->allow_hosts.items, settings->allow_hosts.count,
                             "allow_hosts", arena, &policy.allow_hosts, reterr));
        TR_TRY(make_patterns(settings->block_hosts.items, settings->block_hosts.count,
                             "block_hosts", arena, &policy.block_hosts, reterr));
        TR_TRY(check_ports(settings, reterr));
        TR_TRY(check_headers(settings, reterr));
    }
    *ret_policy = policy;
    return TR_OK;
}
