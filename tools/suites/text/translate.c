/* translate - the worked example: every part that a tool has, each with a word on why it is there.
 *
 * It does not know any language yet. It marks the text with the language asked for, "[fr] Hello",
 * so that a call can be followed from the request to the answer without any service behind it. */

#include <stddef.h>

#include "tools/suites/text/language.h"
#include "tools/suites/text/text.h"

/* ---- 1. What the tool takes and gives: two plain structs ----
 *
 * JSON names are the names of the members. A string that may be absent is NULL then. */

struct translate_request {
    const char *text;
    const char *target_language;
    const char *source_language;
};

struct translate_response {
    const char *text;
    const char *target_language;
    const char *source_language;
};

/* ---- 2. The same, described for agents: one entry a member, in the order of the struct ----
 *
 * Type, offset and size follow from the member; what is written here is what the compiler cannot
 * know. The schema, the checks, the error texts and the documentation all come from this one table.
 * A wrong table (a member forgotten, an example that breaks its own limits) stops the start. */

/* Two letters or more, then words or subtags: it keeps nonsense out early. Whether the language is
 * a known one is decided in step 3. */
#define LANGUAGE_PATTERN "^[A-Za-z]{2,}([ -][A-Za-z0-9]+)*$"
#define LANGUAGE_LENGTH  TR_RANGE(2, 35)

static const struct tr_field translate_request_fields[] = {
    {
        TR_FIELD(translate_request, text),
        .description = "The text to translate",
        .length = TR_RANGE(1, 50000),
        .required = true,
        .example_json = TR_JSON("Hello"),
    },
    {
        TR_FIELD(translate_request, target_language),
        .description = "The language to translate into: a BCP 47 tag ('fr', 'pt-BR') or the "
                       "English name of a common language ('French')",
        .length = LANGUAGE_LENGTH,
        .pattern = LANGUAGE_PATTERN,
        .required = true,
        .example_json = TR_JSON("fr"),
    },
    {
        TR_FIELD(translate_request, source_language),
        .description = "The language of the text, written like the target language; leave it out "
                       "when it is not known",
        .length = LANGUAGE_LENGTH,
        .pattern = LANGUAGE_PATTERN,
        .example_json = TR_JSON("en"),
    },
};
static TR_TYPE(translate_request, "A text and the language that it is wanted in");

static const struct tr_field translate_response_fields[] = {
    {
        TR_FIELD(translate_response, text),
        .description = "The text, marked with the target language: '[fr] Hello'",
        .required = true,
    },
    {
        TR_FIELD(translate_response, target_language),
        .description = "The target language as a BCP 47 tag",
        .required = true,
    },
    {
        TR_FIELD(translate_response, source_language),
        .description = "The source language as a BCP 47 tag, when it was given",
    },
};
static TR_TYPE(translate_response, "The translated text");

/* ---- 3. What a schema cannot say: a validator gives NULL, or a sentence for the caller ----
 *
 * It runs when everything in the table holds already, and answers 422 like any other wrong
 * parameter. A sentence says what is wrong and what would be right. */

static const char *refuse_language(struct tr_call *call, const char *name, const char *language)
{
    return tr_printf(
        call,
        "Parameter '%s' is neither a language tag like 'fr' or 'pt-BR' nor the English "
        "name of a common language: '%s'",
        name, language);
}

static const char *check_languages(struct tr_call *call, const struct translate_request *request)
{
    struct tr_language unused;
    if (!tr_language_find(request->target_language, &unused)) {
        return refuse_language(call, "target_language", request->target_language);
    }
    if (request->source_language != NULL && !tr_language_find(request->source_language, &unused)) {
        return refuse_language(call, "source_language", request->source_language);
    }
    return NULL;
}
TR_VALIDATOR(check_languages, translate_request)

/* ---- 4. What the tool does: read the request, fill the response ----
 *
 * The request is bound, checked and validated; the response comes zeroed. Memory belongs to the
 * call (tr_alloc, tr_printf), so nothing is freed here. When the tool cannot do what was asked it
 * returns tr_fail(call, "why, and what to do next"). */

static const char *tag_of(struct tr_call *call, const char *text)
{
    struct tr_language language;
    return tr_language_find(text, &language) ? tr_printf(call, "%s", language.tag) : NULL;
}

static enum tr_status translate(struct tr_call *call, const struct translate_request *request,
                                struct translate_response *response)
{
    response->target_language = tag_of(call, request->target_language);
    if (response->target_language == NULL) {
        return TR_NO_MEMORY;
    }
    if (request->source_language != NULL) {
        response->source_language = tag_of(call, request->source_language);
        if (response->source_language == NULL) {
            return TR_NO_MEMORY;
        }
    }
    response->text = tr_printf(call, "[%s] %s", response->target_language, request->text);
    return response->text != NULL ? TR_OK : TR_NO_MEMORY;
}

/* ---- 5. All of it together: the object that the suite lists (suite.c) ----
 *
 * Agents choose by the description, so it says what the tool does and when to use it. The
 * annotations tell a client that a call needs no confirmation. The example is a whole request; it
 * is shown in the documentation and must work, or the gateway does not start. */

TR_TOOL(translate, translate, translate_request, translate_response,
        .description = "Translate a text into another language. Use it when a text is needed in a "
                       "language other than its own. Without a translation service configured, the "
                       "text comes back unchanged behind a mark with the target language.",
        .annotations = { .read_only = true, .idempotent = true },
        .example_json = TR_JSON({ "text": "Hello", "target_language": "fr" }),
        .validate = check_languages_entry);
