#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "server/request_target.h"
#include "tests/contract/judge.h"
#include "tests/contract/judge_gateway.h"
#include "tests/contract/judge_tree.h"
#include "tests/support/exchange.h"
#include "tools/base/services.h"
#include "tools/core/json.h"
#include "tools/core/pipeline.h"
#include "tools/guard/mount_settings.h"
#include "tools/guard/vfs.h"
#include "tools/suites/files/files.h"

/* Rows of paths.jsonl: paths for the file tools, and request targets for the gateway. {T}/root is
 * mounted as "/data"; a relative path of the corpus is meant to be in there, an absolute one is
 * left as it is. Each row is judged twice, with openat2() and without. */

enum { MAX_TEXT_BYTES = 8 * 1024 * 1024, NOBODY = 65534 };

/* What one row is judged with. */
struct trial {
    const json_t *row;
    struct judge_tree tree;
    struct tr_vfs *vfs;
    struct tr_registry *registry;
    struct tr_services services;
};

static bool trial_start(struct trial *trial, const json_t *row, bool walks)
{
    *trial = (struct trial){ .row = row };
    if (!judge_tree_make(&trial->tree)) {
        return false;
    }
    char root[JUDGE_TREE_PATH_BYTES + sizeof("/root")];
    (void)snprintf(root, sizeof(root), "%s/root", trial->tree.folder);
    const struct mount_settings mount = {
        .path = "/data",
        .root = root,
        .rights = { .choice = MOUNT_RIGHTS_PRESET, .preset = MOUNT_RW },
        .max_file_bytes = MAX_TEXT_BYTES,
    };
    struct tr_fault fault = { 0 };
    trial->registry = tr_registry_new();
    if (tr_vfs_new(&mount, 1, &trial->vfs, &fault) != TR_OK
        || tr_registry_add_suite(trial->registry, &files_suite, "judge", NULL, &fault) != TR_OK) {
        return false;
    }
    if (walks) {
        tr_vfs_walk(trial->vfs);
    }
    trial->services.files = trial->vfs;
    return true;
}

static void trial_end(struct trial *trial)
{
    tr_vfs_free(trial->vfs);
    tr_registry_unref(trial->registry);
    judge_tree_remove(&trial->tree);
}

/* ---- one call ---- */

static const char mount_prefix[] = "/data/";

/* Put the place of the tree into the path, and a relative path below the mount. */
static void expand(const struct trial *trial, const struct tr_text *path, struct tr_text *out)
{
    const char *bytes = tr_text_string(path);
    const size_t mark = strlen("{T}");
    if (path->length != 0 && *bytes != '/' && strncmp(bytes, "{T}", mark) != 0) {
        tr_text_add_string(out, mount_prefix);
    }
    for (size_t at = 0; at < path->length;) {
        if (path->length - at >= mark && memcmp(bytes + at, "{T}", mark) == 0) {
            tr_text_add_string(out, trial->tree.folder);
            at += mark;
        } else {
            tr_text_add_char(out, bytes[at++]);
        }
    }
}

/* NUL and all, as JSON writes it. */
static void write_path(const struct tr_text *path, struct tr_text *body)
{
    tr_json_write_string(body, tr_text_string(path), path->length);
}

/* What the row wants to be done, as a tool and its parameters. */
static const char *write_call(const struct trial *trial, const struct tr_text *path,
                              struct tr_text *body)
{
    const char *op = json_string_value(json_object_get(trial->row, "op"));
    static const struct {
        const char *op, *tool, *before, *after;
    } calls[] = {
        { "read", "file_read", "{\"path\":", "}" },
        { "write", "file_write", "{\"content\":\"W\",\"mode\":\"overwrite\",\"path\":", "}" },
        { "create", "file_write", "{\"content\":\"W\",\"path\":", "}" },
        { "append", "file_write", "{\"content\":\"W\",\"mode\":\"append\",\"path\":", "}" },
        { "delete", "file_delete", "{\"path\":", "}" },
        { "list", "directory_list", "{\"path\":", "}" },
        { "mkdir", "directory_create", "{\"path\":", "}" },
        { "stat", "file_info", "{\"path\":", "}" },
        { "info", "file_info", "{\"path\":", "}" },
        { "search", "file_search", "{\"pattern\":\".\",\"path\":", "}" },
        { "move", "file_move", "{\"to\":\"/data/moved\",\"from\":", "}" },
        { "rename", "file_move", "{\"to\":\"/data/moved\",\"from\":", "}" },
    };
    for (size_t i = 0; i < TR_COUNT_OF(calls); i++) {
        if (strcmp(calls[i].op, op != NULL ? op : "read") == 0) {
            tr_text_add_string(body, calls[i].before);
            write_path(path, body);
            tr_text_add_string(body, calls[i].after);
            return calls[i].tool;
        }
    }
    return NULL;
}

/* The bytes of the path stand in the body as they are, whatever they are. */
static const char *write_raw_call(const struct trial *trial, struct tr_text *body)
{
    tr_text_printf(body, "{\"path\":\"%s", mount_prefix);
    const bool is_read = judge_read_bytes(trial->row, "path", body);
    tr_text_add_string(body, "\"}");
    return is_read ? "file_read" : NULL;
}

static enum tr_status call(const struct trial *trial, const char *tool, const struct tr_text *body,
                           struct tr_text *out)
{
    struct tr_call call;
    tr_call_init(&call);
    call.services = &trial->services;
    struct tr_run run;
    tr_run_init(&run, tr_registry_find(trial->registry, tool), &call, tr_text_string(body),
                body->length);
    const enum tr_status status = tr_run_all(&run, out);
    tr_run_done(&run);
    tr_call_done(&call);
    return status;
}

/* A file without the right to read it can be read by root: ask as nobody, then. */
static bool is_closed(const struct trial *trial)
{
    char path[256];
    const char *given = json_string_value(json_object_get(trial->row, "path"));
    (void)snprintf(path, sizeof(path), "root/%s", given != NULL ? given : "");
    return geteuid() == 0
           && json_object_get(json_object_get(trial->tree.description, "modes"), path) != NULL;
}

static const char *prepare(const struct trial *trial, struct tr_text *body)
{
    const char *where = json_string_value(json_object_get(trial->row, "where"));
    if (where != NULL && strcmp(where, "arg_raw") == 0) {
        return write_raw_call(trial, body);
    }
    tr_auto(text) struct tr_text given;
    tr_auto(text) struct tr_text path;
    tr_text_init(&given, MAX_TEXT_BYTES);
    tr_text_init(&path, MAX_TEXT_BYTES);
    if (!judge_read_text(json_object_get(trial->row, "path"), &given)) {
        return NULL;
    }
    expand(trial, &given, &path);
    return write_call(trial, &path, body);
}

/* ---- verdicts ---- */

/* Does the row allow this content? A hard link cannot be told from a file. */
static bool is_allowed(const struct trial *trial, const char *content)
{
    const json_t *expect = json_object_get(trial->row, "expect");
    const char *allowed = json_string_value(json_object_get(expect, "ok_or_deny"));
    return allowed != NULL && strcmp(allowed, content) == 0;
}

/* Nothing of what is outside, and no physical path but one that was given. */
static bool tells_outside(const struct trial *trial, const struct tr_text *body, const char *answer)
{
    static const char *const secrets[] = { "SECRET", "EVIL", "\"OUT\"", "root:", "daemon:" };
    for (size_t i = 0; i < TR_COUNT_OF(secrets); i++) {
        if (strstr(answer, secrets[i]) != NULL && !is_allowed(trial, secrets[i])) {
            return true;
        }
    }
    return strstr(answer, trial->tree.folder) != NULL
           && strstr(tr_text_string(body), trial->tree.folder) == NULL;
}

static bool fits(const json_t *expect, bool is_success, const char *content)
{
    const char *word = json_string_value(expect);
    if (word != NULL) {
        return strcmp(word, "deny") == 0 ? !is_success : strcmp(word, "never_outside") == 0;
    }
    const char *ok = json_string_value(json_object_get(expect, "ok"));
    const char *or_deny = json_string_value(json_object_get(expect, "ok_or_deny"));
    if (!is_success) {
        return or_deny != NULL;
    }
    const char *wanted = ok != NULL ? ok : or_deny;
    return wanted != NULL && (content == NULL || strcmp(content, wanted) == 0);
}

static void judge_answered(const struct trial *trial, const struct tr_text *body,
                           const struct tr_text *answer, struct judgement *judgement)
{
    json_auto_t *document = json_loads(tr_text_string(answer), 0, NULL);
    const bool is_success = json_is_true(json_object_get(document, "success"));
    const json_t *result = json_object_get(document, "result");
    const char *content = json_string_value(json_object_get(result, "content"));
    tr_text_add_string(&judgement->came, tr_text_string(answer));
    if (tells_outside(trial, body, tr_text_string(answer))) {
        judge_fail(judgement, " (tells of what is outside)");
    } else if (!judge_tree_is_whole(&trial->tree)) {
        judge_fail(judgement, " (changed what is outside)");
    } else {
        judgement->has_passed = fits(json_object_get(trial->row, "expect"), is_success, content);
    }
}

static void judge_call(const struct trial *trial, struct judgement *judgement)
{
    tr_auto(text) struct tr_text body;
    tr_auto(text) struct tr_text answer;
    tr_text_init(&body, MAX_TEXT_BYTES);
    tr_text_init(&answer, MAX_TEXT_BYTES);
    const char *tool = prepare(trial, &body);
    if (tool == NULL) {
        judge_fail(judgement, "a row without a path, or with an unknown 'op'");
        return;
    }
    const bool is_nobody = is_closed(trial);
    const int before = is_nobody ? setfsuid(NOBODY) : 0;
    (void)call(trial, tool, &body, &answer);
    if (is_nobody) {
        (void)setfsuid((uid_t)before);
    }
    judge_answered(trial, &body, &answer, judgement);
}

/* ---- races ---- */

struct swapper {
    int folder;
    const char *path;
    char other[256];
    atomic_bool is_over;
    size_t swaps;
};

static void *swap(void *context)
{
    struct swapper *swapper = context;
    while (!atomic_load(&swapper->is_over)) {
        swapper->swaps += exchange_names(swapper->folder, swapper->path, swapper->other);
    }
    return NULL;
}

static void judge_reads(const struct trial *trial, json_int_t reads, struct judgement *judgement)
{
    judgement->has_passed = true;
    for (json_int_t i = 0; i < reads && judgement->has_passed; i++) {
        tr_text_reset(&judgement->came);
        judge_call(trial, judgement);
    }
}

static void judge_race(const struct trial *trial, struct judgement *judgement)
{
    const json_t *race = json_object_get(trial->row, "race");
    const char *target = json_string_value(json_object_get(race, "swap_with_link_to"));
    const char *path = json_string_value(json_object_get(race, "path"));
    struct swapper swapper = { .folder = -1 };
    char below[256];
    if (target == NULL || path == NULL) {
        judge_fail(judgement, "a race without 'path' or 'swap_with_link_to'");
        return;
    }
    (void)snprintf(below, sizeof(below), "root/%.200s", path);
    (void)snprintf(swapper.other, sizeof(swapper.other), "root/%.200s.swap", path);
    swapper.folder = trial->tree.fd;
    swapper.path = below;
    atomic_init(&swapper.is_over, false);
    pthread_t thread;
    if (symlinkat(target, swapper.folder, swapper.other) != 0
        || pthread_create(&thread, NULL, swap, &swapper) != 0) {
        judge_fail(judgement, "nothing to race against");
        return;
    }
    judge_reads(trial, json_integer_value(json_object_get(race, "reads")), judgement);
    atomic_store(&swapper.is_over, true);
    (void)pthread_join(thread, NULL);
    if (swapper.swaps == 0) {
        judge_fail(judgement, "a race without a swap");
    }
}

/* ---- request targets ---- */

static int ask(const char *target)
{
    tr_auto(arena) struct tr_arena arena;
    tr_arena_init(&arena, TR_EXCHANGE_ARENA_BYTES);
    struct tr_target parsed;
    struct tr_fault fault = { 0 };
    const enum tr_status status = tr_target_parse(&arena, target, false, &parsed, &fault);
    if (status != TR_OK) {
        return tr_status_info(status)->http;
    }
    const struct judge_request request = { .path = parsed.path };
    struct judge_exchange made;
    if (!judge_ask(&request, &made)) {
        return 0;
    }
    const int http = made.exchange.answer.http_status;
    judge_exchange_done(&made);
    return http;
}

static void judge_url(const json_t *row, struct judgement *judgement)
{
    tr_auto(text) struct tr_text target;
    tr_text_init(&target, MAX_TEXT_BYTES);
    const char *expect = json_string_value(json_object_get(row, "expect"));
    if (expect == NULL || !judge_read_text(json_object_get(row, "target"), &target)) {
        judge_fail(judgement, "a row without a target or a verdict");
        return;
    }
    char status[16];
    (void)snprintf(status, sizeof(status), "%d", ask(tr_text_string(&target)));
    tr_text_add_string(&judgement->came, status);
    judgement->has_passed = strstr(expect, status) != NULL;
}

/* ---- the row ---- */

static void judge_once(const json_t *row, bool walks, struct judgement *judgement)
{
    struct trial trial;
    tr_text_reset(&judgement->came);
    if (!trial_start(&trial, row, walks)) {
        judge_fail(judgement, "no tree: it cannot be made in /tmp");
    } else if (json_object_get(row, "race") != NULL) {
        judge_race(&trial, judgement);
    } else {
        judge_call(&trial, judgement);
    }
    trial_end(&trial);
    if (!judgement->has_passed) {
        tr_text_add_string(&judgement->came, walks ? " (without openat2)" : " (with openat2)");
    }
}

void judge_paths(const json_t *row, struct judgement *judgement)
{
    const json_t *expect = json_object_get(row, "expect");
    char *text = expect != NULL ? json_dumps(expect, JSON_ENCODE_ANY) : NULL;
    tr_text_add_string(&judgement->wanted, text != NULL ? text : "?");
    free(text);
    const char *where = json_string_value(json_object_get(row, "where"));
    if (where != NULL && strcmp(where, "url") == 0) {
        judge_url(row, judgement);
        return;
    }
    judge_once(row, false, judgement);
    if (judgement->has_passed) {
        judge_once(row, true, judgement);
    }
}
