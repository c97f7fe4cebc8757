#include "server/cli_parameters.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "server/cli_output.h"
#include "server/file.h"
#include "tools/core/arena.h"
#include "tools/core/json.h"
#include "tools/core/text.h"

/* What a gateway accepts as a body is far less; this only keeps a wrong file out of memory. */
enum { MAX_INPUT_BYTES = 64 * 1024 * 1024 };

/* ---- @FILE ---- */

static enum tr_status read_input(const char *path, struct tr_text *bytes, struct tr_fault *reterr)
{
    if (strcmp(path, "-") == 0) {
        return tr_file_read_descriptor(STDIN_FILENO, "standard input", bytes, reterr);
    }
    return tr_file_read(path, bytes, reterr);
}

static enum tr_exit read_object(const char *path, json_t **ret_object)
{
    tr_auto(text) struct tr_text bytes = { 0 };
    tr_text_init(&bytes, MAX_INPUT_BYTES);
    struct tr_fault fault = { .where = "" };
    if (read_input(path, &bytes, &fault) != TR_OK) {
        tr_cli_complain("@%s: %s", path, fault.what);
        return TR_EXIT_REFUSED;
    }
    json_auto_t *value = NULL;
    if (tr_json_parse(tr_text_string(&bytes), bytes.length, &value, &fault) != TR_OK) {
        tr_cli_complain("@%s: %s", path, fault.what);
        return TR_EXIT_REFUSED;
    }
    if (!json_is_object(value)) {
        tr_cli_complain("@%s: must hold a JSON object", path);
        return TR_EXIT_REFUSED;
    }
    *ret_object = tr_json_take(&value);
    return TR_EXIT_OK;
}

/* The object that the words start from: the one file among them, else an empty one. */
static enum tr_exit read_base(const char *const *words, size_t count, json_t **ret_object)
{
    const char *path = NULL;
    for (size_t i = 0; i < count; i++) {
        if (words[i][0] != '@') {
            continue;
        }
        if (path != NULL) {
            tr_cli_complain("%s: only one @FILE can be the parameters", words[i]);
            return TR_EXIT_USAGE;
        }
        path = words[i] + 1;
    }
    if (path != NULL) {
        return read_object(path, ret_object);
    }
    *ret_object = json_object();
    return *ret_object != NULL ? TR_EXIT_OK : tr_cli_refuse_memory();
}

/* ---- key=text, key:=JSON ---- */

/* Where the key of `word` ends; NULL when there is no key. */
static const char *end_of_key(const char *word, bool *ret_is_json)
{
    const char *equals = strchr(word, '=');
    if (equals == NULL) {
        return NULL;
    }
    *ret_is_json = equals > word && equals[-1] == ':';
    const char *end = *ret_is_json ? equals - 1 : equals;
    return end > word ? end : NULL;
}

static enum tr_exit read_value(const char *key, const char *text, bool is_json, json_t **ret_value)
{
    if (!is_json) {
        *ret_value = json_string(text);
        if (*ret_value == NULL) {
            tr_cli_complain("%s: must be UTF-8 text", key);
        }
        return *ret_value != NULL ? TR_EXIT_OK : TR_EXIT_USAGE;
    }
    struct tr_fault fault = { .where = "" };
    if (tr_json_parse(text, strlen(text), ret_value, &fault) != TR_OK) {
        tr_cli_complain("%s: %s (behind := stands JSON; use = for plain text)", key, fault.what);
        return TR_EXIT_USAGE;
    }
    return TR_EXIT_OK;
}

/* `given` has a member for every key that was seen. */
static enum tr_exit add_member(const char *word, json_t *object, json_t *given)
{
    bool is_json = false;
    const char *end = end_of_key(word, &is_json);
    if (end == NULL) {
        tr_cli_complain("'%s' is no parameter: write key=text, key:=JSON, @FILE or @-", word);
        return TR_EXIT_USAGE;
    }
    const size_t length = (size_t)(end - word);
    if (json_object_getn(given, word, length) != NULL) {
        tr_cli_complain("%.*s: is given twice", (int)length, word);
        return TR_EXIT_USAGE;
    }
    tr_auto(text) struct tr_text key = { 0 };
    tr_text_init(&key, MAX_INPUT_BYTES);
    tr_text_add(&key, word, length);
    json_t *value = NULL;
    const enum tr_exit code =
        read_value(tr_text_string(&key), end + (is_json ? 2 : 1), is_json, &value);
    if (code != TR_EXIT_OK) {
        return code;
    }
    const bool is_kept = json_object_setn_new(given, word, length, json_true()) == 0;
    if (json_object_setn_new(object, word, length, value) != 0 || !is_kept) {
        tr_cli_complain("%s: cannot be kept", tr_text_string(&key));
        return TR_EXIT_REFUSED;
    }
    return TR_EXIT_OK;
}

enum tr_exit tr_cli_parameters(const char *const *words, size_t count, struct tr_text *out)
{
    json_auto_t *given = json_object();
    json_auto_t *object = NULL;
    enum tr_exit code = read_base(words, count, &object);
    for (size_t i = 0; i < count && code == TR_EXIT_OK; i++) {
        if (words[i][0] != '@') {
            code = add_member(words[i], object, given);
        }
    }
    if (code != TR_EXIT_OK) {
        return code;
    }
    tr_json_write(out, object);
    return out->status == TR_OK ? TR_EXIT_OK : tr_cli_refuse_memory();
}
