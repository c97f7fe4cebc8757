#include "server/config.h"

#include <string.h>
#include <unistd.h>

#include "server/config_parts.h"
#include "server/file.h"
#include "server/yaml.h"
#include "tools/core/json.h"
#include "tools/core/limits.h"
#include "tools/core/text.h"

/* A file with thousands of keys has a few hundred kilobytes. */
enum { MAX_FILE_BYTES = 4 * 1024 * 1024 };

/* The folder of the file, with its slash; a bare name has none. */
static enum tr_status find_folder(struct tr_config_loading *loading)
{
    const char *path = loading->source->path;
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    loading->folder = "";
    if (slash == NULL) {
        return TR_OK;
    }
    loading->folder = tr_arena_strndup(&loading->config->arena, path, (size_t)(slash - path) + 1);
    return loading->folder != NULL ? TR_OK : tr_config_refuse_memory(loading);
}

static enum tr_status read_document(struct tr_config_loading *loading, json_t **ret_document)
{
    tr_auto(text) struct tr_text bytes = { 0 };
    tr_text_init(&bytes, MAX_FILE_BYTES);
    const char *path = loading->source->path;
    struct tr_fault fault = { .where = "" };
    const enum tr_status status = tr_file_read(path, &bytes, &fault);
    if (status != TR_OK) {
        return tr_refuse(status, loading->reterr, path, "%s", fault.what);
    }
    json_auto_t *document = NULL;
    const struct tr_yaml_source source = {
        .bytes = tr_text_string(&bytes),
        .length = bytes.length,
        .name = path,
    };
    TR_TRY(tr_yaml_parse(&source, &loading->config->arena, &document, &loading->config->marks,
                         loading->reterr));
    if (!json_is_object(document)) {
        return tr_config_refuse(loading, "", "A configuration is a mapping, as 'server: {...}'");
    }
    TR_TRY(tr_config_expand(loading, document));
    *ret_document = tr_json_take(&document);
    return TR_OK;
}

/* What the command line says replaces what the file says. */
static enum tr_status apply_listen(const struct tr_config_loading *loading, json_t *document)
{
    if (loading->source->listen == NULL) {
        return TR_OK;
    }
    json_t *server = json_object_get(document, "server");
    if (server == NULL || json_is_null(server)) {
        server = json_object();
        if (json_object_set_new(document, "server", server) != 0) {
            return tr_config_refuse_memory(loading);
        }
    }
    if (!json_is_object(server)) {
        return TR_OK; /* which the binding refuses */
    }
    json_t *listen = json_string(loading->source->listen);
    if (listen == NULL) {
        return tr_refuse(TR_INVALID_PARAMETERS, loading->reterr, "command line",
                         "--listen: is not UTF-8 text");
    }
    return json_object_set_new(server, "listen", listen) == 0 ? TR_OK
                                                              : tr_config_refuse_memory(loading);
}

static enum tr_status bind_document(struct tr_config_loading *loading, json_t *document)
{
    loading->file = TR_NEW(&loading->config->arena, struct config_file, 1);
    if (loading->file == NULL) {
        json_decref(document);
        return tr_config_refuse_memory(loading);
    }
    loading->config->file = loading->file;
    return tr_config_bind(loading, &config_file_type, "", document, loading->file);
}

static enum tr_status check_suites(const struct tr_config_loading *loading)
{
    if (json_is_null(loading->file->suites)) {
        loading->file->suites = NULL;
    }
    const json_t *suites = loading->file->suites;
    if (suites != NULL && !json_is_object(suites)) {
        return tr_config_refuse(loading, "/suites", "must be a mapping from suites to settings");
    }
    return TR_OK;
}

const char *tr_config_path(const struct tr_config_loading *loading, const char *path)
{
    return tr_arena_printf(&loading->config->arena, "%s%s", *path == '/' ? "" : loading->folder,
                           path);
}

static enum tr_status read_plugins(const struct tr_config_loading *loading)
{
    struct tr_config *config = loading->config;
    const struct tr_config_source *source = loading->source;
    const size_t in_file = loading->file->plugins.count;
    const size_t count = in_file + source->plugin_count;
    const char **plugins = TR_NEW(&config->arena, const char *, count + 1);
    if (plugins == NULL) {
        return tr_config_refuse_memory(loading);
    }
    for (size_t i = 0; i < count; i++) {
        plugins[i] = i < in_file ? tr_config_path(loading, loading->file->plugins.items[i])
                                 : source->plugins[i - in_file];
        if (plugins[i] == NULL) {
            return tr_config_refuse_memory(loading);
        }
    }
    config->plugins = plugins;
    config->plugin_count = count;
    return TR_OK;
}

/* An upstream's certificate is checked against this file: better that its lack shows now. */
static enum tr_status read_ca_file(const struct tr_config_loading *loading)
{
    struct config_http *http = &loading->file->http;
    if (http->ca_file == NULL) {
        return TR_OK;
    }
    http->ca_file = tr_config_path(loading, http->ca_file);
    if (http->ca_file == NULL) {
        return tr_config_refuse_memory(loading);
    }
    return access(http->ca_file, R_OK) == 0
               ? TR_OK
               : tr_config_refuse(loading, "/http/ca_file", "the file cannot be read");
}

static enum tr_status load(struct tr_config_loading *loading)
{
    json_auto_t *document = NULL;
    TR_TRY(find_folder(loading));
    if (loading->source->path != NULL) {
        TR_TRY(read_document(loading, &document));
    } else {
        document = json_object();
    }
    if (document == NULL) {
        return tr_config_refuse_memory(loading);
    }
    TR_TRY(apply_listen(loading, document));
    TR_TRY(bind_document(loading, tr_json_take(&document)));
    TR_TRY(tr_config_check_server(loading));
    TR_TRY(read_ca_file(loading));
    TR_TRY(tr_config_read_mounts(loading));
    TR_TRY(tr_config_read_keys(loading));
    TR_TRY(check_suites(loading));
    TR_TRY(tr_config_read_tools(loading));
    return read_plugins(loading);
}

enum tr_status tr_config_load(const struct tr_config_source *source, struct tr_config *ret_config,
                              struct tr_fault *reterr)
{
    *ret_config = (struct tr_config){ .path = source->path, .is_dev = source->is_dev };
    tr_arena_init(&ret_config->arena, TR_LOAD_ARENA_BYTES);
    struct tr_config_loading loading = {
        .source = source,
        .config = ret_config,
        .reterr = reterr,
    };
    const enum tr_status status = load(&loading);
    if (status != TR_OK) {
        tr_config_done(ret_config);
    }
    return status;
}

void tr_config_done(struct tr_config *config)
{
    tr_arena_done(&config->arena);
    *config = (struct tr_config){ .file = NULL };
}
