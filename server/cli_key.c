/* toolrest key new: a key for its holder, and its digest for the configuration. */
#include <stdio.h>
#include <string.h>

#include "middleware/secret.h"
#include "server/cli.h"
#include "server/cli_output.h"
#include "tools/core/json.h"
#include "tools/core/text.h"
#include "tools/core/utf8.h"

enum { KEY_ROOM = 47, MAX_NAME_CHARACTERS = 64, MAX_SNIPPET_BYTES = 1024 };

static const char default_name[] = "agent";

/* An entry of auth.keys. JSON is YAML, so a name in JSON's quotes is right whatever it holds. */
static void write_snippet(struct tr_text *out, const char *name, const char *digest)
{
    tr_text_add_string(out, "auth:\n  keys:\n    - name: ");
    tr_json_write_string(out, name, strlen(name));
    tr_text_printf(out, "\n      sha256: %s\n", digest);
}

static enum tr_exit print(const struct tr_cli_options *options, const char *name, const char *key,
                          const char *digest)
{
    tr_auto(text) struct tr_text snippet = { 0 };
    tr_text_init(&snippet, MAX_SNIPPET_BYTES);
    write_snippet(&snippet, name, digest);
    if (snippet.status != TR_OK) {
        return tr_cli_refuse_memory();
    }
    if (tr_cli_wants_json(options)) {
        return tr_cli_print_json(json_pack("{s:s,s:s,s:s,s:s}", "name", name, "key", key, "sha256",
                                           digest, "yaml", tr_text_string(&snippet)));
    }
    (void)printf("Key (give it to its holder; it is shown this once):\n\n  %s\n\n"
                 "For the configuration:\n\n%s",
                 key, tr_text_string(&snippet));
    return TR_EXIT_OK;
}

static bool is_name(const char *name)
{
    const size_t length = strlen(name);
    for (size_t at = 0; at < length;) {
        const size_t step = tr_utf8_next(name + at, length - at, NULL);
        if (step == 0 || (unsigned char)name[at] < ' ') {
            return false;
        }
        at += step;
    }
    return tr_utf8_count(name, length) <= MAX_NAME_CHARACTERS;
}

static enum tr_exit run(const struct tr_cli_options *options)
{
    const char *name = options->name != NULL ? options->name : default_name;
    if (!is_name(name)) {
        tr_cli_complain("--name: must be UTF-8 text of at most %d characters", MAX_NAME_CHARACTERS);
        return TR_EXIT_USAGE;
    }
    char key[KEY_ROOM];
    char digest[TR_SHA256_HEX_BYTES];
    if (!tr_random_key(key) || !tr_sha256_hex(key, strlen(key), digest)) {
        tr_cli_complain("toolrest key new: no random bytes are to be had");
        return TR_EXIT_REFUSED;
    }
    return print(options, name, key, digest);
}

const struct tr_cli_command tr_cli_key_new = {
    .name = "key new",
    .summary = "Make an API key, and what the configuration needs to know it by",
    .details = "The key is shown once and stored nowhere; the configuration has its digest alone.",
    .flags = { &tr_flag_name, &tr_flag_json },
    .run = run,
};
