#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "middleware/network.h"
#include "server/config_parts.h"
#include "tools/core/format.h"

/* ---- listen ---- */

/* --listen is no key of the file. */
static enum tr_status refuse_listen(const struct tr_config_loading *loading, const char *reason)
{
    if (loading->source->listen != NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, loading->reterr, "command line", "--listen: %s",
                         reason);
    }
    return tr_config_refuse(loading, "/server/listen", "%s", reason);
}

static enum tr_status check_listen(const struct tr_config_loading *loading)
{
    struct tr_fault fault = { .where = "" };
    if (tr_endpoint_parse(loading->file->server.listen, &loading->config->listen, &fault)
        != TR_OK) {
        return refuse_listen(loading, fault.what);
    }
    return TR_OK;
}

/* Tools are not for everybody who can reach this machine: either only itself can, or there are
 * keys. */
static enum tr_status check_exposure(const struct tr_config_loading *loading)
{
    if (tr_endpoint_is_loopback(&loading->config->listen)) {
        return TR_OK;
    }
    if (loading->source->is_dev) {
        return refuse_listen(loading, "--dev serves loopback addresses only, as 127.0.0.1:8080");
    }
    if (loading->file->auth.keys.count == 0) {
        return refuse_listen(loading, "others can reach this address, and auth.keys has no key: "
                                      "add one (toolrest key new), or listen on 127.0.0.1");
    }
    return TR_OK;
}

/* ---- external_url ---- */

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* NULL, or what is wrong with it. */
static const char *external_url_complaint(const char *url)
{
    if (!starts_with(url, "http://") && !starts_with(url, "https://")) {
        return "must start with http:// or https://";
    }
    if (strpbrk(url, "?#") != NULL) {
        return "must have no query and no fragment";
    }
    const char *authority = strstr(url, "//") + 2;
    const size_t length = strcspn(authority, "/");
    if (length == 0 || memchr(authority, '@', length) != NULL
        || !tr_format_holds(TR_FORMAT_URI, url, strlen(url))) {
        return "is no absolute URL with a host, as https://tools.example.com/gw";
    }
    return NULL;
}

/* Paths are appended to it, so it ends without a slash. */
static enum tr_status check_external_url(const struct tr_config_loading *loading)
{
    const char *url = loading->file->server.external_url;
    if (url == NULL) {
        return TR_OK;
    }
    const char *complaint = external_url_complaint(url);
    if (complaint != NULL) {
        return tr_config_refuse(loading, "/server/external_url", "%s", complaint);
    }
    size_t length = strlen(url);
    while (url[length - 1] == '/') {
        length--;
    }
    loading->file->server.external_url = tr_arena_strndup(&loading->config->arena, url, length);
    return loading->file->server.external_url != NULL ? TR_OK : tr_config_refuse_memory(loading);
}

/* A port that the system is to choose is not known before it is asked. */
static enum tr_status make_base_url(const struct tr_config_loading *loading)
{
    struct tr_config *config = loading->config;
    char address[TR_ENDPOINT_TEXT_BYTES];
    tr_endpoint_print(&config->listen, address);
    const char *external_url = loading->file->server.external_url;
    config->base_url =
        external_url != NULL ? external_url : tr_arena_printf(&config->arena, "http://%s", address);
    return config->base_url != NULL ? TR_OK : tr_config_refuse_memory(loading);
}

/* ---- lists ---- */

static enum tr_status refuse_item(const struct tr_config_loading *loading, const char *list,
                                  size_t index, const char *reason)
{
    char pointer[TR_FAULT_WHERE_BYTES];
    (void)snprintf(pointer, sizeof(pointer), "%s/%zu", list, index);
    return tr_config_refuse(loading, pointer, "%s", reason);
}

static enum tr_status check_proxies(const struct tr_config_loading *loading)
{
    const struct config_server *server = &loading->file->server;
    for (size_t i = 0; i < server->trusted_proxies.count; i++) {
        struct tr_network_list *list = NULL;
        const enum tr_status status =
            tr_network_list_new(&server->trusted_proxies.items[i], 1, &list, NULL);
        tr_network_list_free(list);
        if (status == TR_NO_MEMORY) {
            return tr_config_refuse_memory(loading);
        }
        if (status != TR_OK) {
            return refuse_item(loading, "/server/trusted_proxies", i,
                               "is no network, as 10.0.0.0/8 or fd00::/8");
        }
    }
    return TR_OK;
}

/* An origin as browsers write it (RFC 6454 section 6.2): anything else would never match. */
static bool is_origin(const char *text)
{
    if (strcmp(text, "*") == 0) {
        return true;
    }
    if (!starts_with(text, "http://") && !starts_with(text, "https://")) {
        return false;
    }
    const char *host = strstr(text, "//") + 2;
    return *host != '\0' && host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_:[]")] == '\0'
           && tr_format_holds(TR_FORMAT_URI, text, strlen(text));
}

static enum tr_status check_origins(const struct tr_config_loading *loading)
{
    const struct config_server *server = &loading->file->server;
    for (size_t i = 0; i < server->cors_origins.count; i++) {
        if (!is_origin(server->cors_origins.items[i])) {
            return refuse_item(loading, "/server/cors_origins", i,
                               "is no origin: '*', or scheme, host and port in lower case, as "
                               "https://app.example.com");
        }
    }
    return TR_OK;
}

enum tr_status tr_config_check_server(const struct tr_config_loading *loading)
{
    TR_TRY(check_listen(loading));
    TR_TRY(check_exposure(loading));
    TR_TRY(check_external_url(loading));
    TR_TRY(make_base_url(loading));
    TR_TRY(check_proxies(loading));
    return check_origins(loading);
}
