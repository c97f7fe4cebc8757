#include "tests/support/sample_suite.h"

#include <string.h>

#include "tools/core/limits.h"

static const struct tr_field sample_request_fields[] = {
    {
        TR_FIELD(sample_request, text),
        .description = "A text",
        .length = TR_AT_MOST(100),
        .required = true,
    },
    {
        TR_FIELD(sample_request, times),
        .description = "How often",
        .range = TR_RANGE(1, 1000),
        .default_json = TR_JSON(1),
    },
    {
        TR_LIST(sample_request, numbers),
        .description = "Some numbers",
        .count = TR_AT_MOST(3),
    },
};
static TR_TYPE(sample_request, "A text and how often");

static const struct tr_field sample_response_fields[] = {
    {
        TR_FIELD(sample_response, text),
        .description = "The text",
        .required = true,
    },
    {
        TR_FIELD(sample_response, length),
        .description = "For the tool's own use",
        .internal = true,
    },
};
static TR_TYPE(sample_response, "A text");

struct sample_soft_response {
    struct tr_opt_bool success;
    const char *error;
    TR_SPAN(const char *) errors;
    int64_t n;
};

static const struct tr_field sample_soft_response_fields[] = {
    {
        TR_FIELD(sample_soft_response, success),
        .description = "Did it work",
    },
    {
        TR_FIELD(sample_soft_response, error),
        .description = "Why not",
    },
    {
        TR_LIST(sample_soft_response, errors),
        .description = "Why not, in several parts",
    },
    {
        TR_FIELD(sample_soft_response, n),
        .description = "A number",
        .required = true,
    },
};
static TR_TYPE(sample_soft_response, "An outcome of its own");

static const struct tr_field sample_settings_fields[] = {
    {
        TR_FIELD(sample_settings, greeting),
        .description = "What to say",
        .default_json = TR_JSON("Hello"),
        .secret = true,
    },
};
static TR_TYPE(sample_settings, "Settings of the sample suite");

static enum tr_status repeat(struct tr_call *call, const struct sample_request *request,
                             struct sample_response *response)
{
    const size_t size = strlen(request->text);
    char *text = tr_alloc(call, size * (size_t)request->times + 1, 1);
    if (text == NULL) {
        return TR_NO_MEMORY;
    }
    for (int64_t i = 0; i < request->times; i++) {
        memcpy(text + (size_t)i * size, request->text, size);
    }
    response->text = text;
    response->length = (int64_t)(size * (size_t)request->times);
    return TR_OK;
}

static enum tr_status refuse(struct tr_call *call, const struct sample_request *request,
                             struct sample_response *response)
{
    (void)response;
    return tr_fail(call, "There is no '%s'", request->text);
}

static enum tr_status defect(struct tr_call *call, const struct sample_request *request,
                             struct sample_response *response)
{
    (void)request;
    (void)response;
    return tr_fail_internal(call, "boom");
}

static enum tr_status overdue(struct tr_call *call, const struct sample_request *request,
                              struct sample_response *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_TIMEOUT;
}

static enum tr_status lie(struct tr_call *call, const struct sample_request *request,
                          struct sample_response *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_UNAUTHENTICATED;
}

static enum tr_status fail_silently(struct tr_call *call, const struct sample_request *request,
                                    struct sample_response *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_TOOL_FAILED;
}

static enum tr_status use_everything(struct tr_call *call, const struct sample_request *request,
                                     struct sample_response *response)
{
    (void)request;
    (void)response;
    while (tr_alloc(call, 1, 1024 * 1024) != NULL) {
    }
    return TR_NO_MEMORY;
}

static enum tr_status say_nothing(struct tr_call *call, const struct sample_request *request,
                                  struct sample_response *response)
{
    (void)call;
    (void)request;
    (void)response;
    return TR_OK;
}

static enum tr_status greet(struct tr_call *call, const struct sample_request *request,
                            struct sample_response *response)
{
    const struct sample_settings *settings = call->settings;
    const char *state = call->suite_state;
    response->text = tr_printf(call, "%s %s %s", settings->greeting, request->text, state);
    return TR_OK;
}

static const char *dislike_no(struct tr_call *call, const struct sample_request *request)
{
    return strcmp(request->text, "no") == 0 ? tr_printf(call, "I do not like '%s'", request->text)
                                            : NULL;
}
TR_VALIDATOR(dislike_no, sample_request)

static enum tr_status end_softly(struct tr_call *call, const struct sample_request *request,
                                 struct sample_soft_response *response)
{
    static const char *const parts[] = { "a", " ", "b" };
    (void)call;
    response->n = 1;
    if (strcmp(request->text, "fine") == 0) {
        return TR_OK;
    }
    response->success = (struct tr_opt_bool){ .has = true, .value = false };
    if (strcmp(request->text, "error") == 0) {
        response->error = "E1";
    }
    if (strcmp(request->text, "errors") == 0) {
        response->errors.items = parts;
        response->errors.count = 3;
    }
    return TR_OK;
}

#define SAMPLE_WORDS .description = "For tests"
TR_TOOL(repeat, repeat, sample_request, sample_response, SAMPLE_WORDS, .output_limit_bytes = 200,
        .example_json = TR_JSON({ "text": "ab", "times": 2 }));
TR_TOOL(refuse, refuse, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(defect, defect, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(overdue, overdue, sample_request, sample_response, SAMPLE_WORDS, .timeout_ms = 200);
TR_TOOL(liar, lie, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(silent, fail_silently, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(greedy, use_everything, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(empty, say_nothing, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(greet, greet, sample_request, sample_response, SAMPLE_WORDS);
TR_TOOL(picky, repeat, sample_request, sample_response, SAMPLE_WORDS, .validate = dislike_no_entry);
TR_TOOL(soft, end_softly, sample_request, sample_soft_response, SAMPLE_WORDS);

static const struct tr_tool *const sample_tools[] = {
    &repeat_tool, &refuse_tool, &defect_tool, &overdue_tool, &liar_tool, &silent_tool,
    &greedy_tool, &empty_tool,  &greet_tool,  &picky_tool,   &soft_tool,
};

int sample_initialized;
int sample_cleaned_up;
bool sample_fails_to_initialize;

static enum tr_status initialize(const void *settings, void **ret_state, struct tr_fault *reterr)
{
    static char state[] = "(state)";
    const struct sample_settings *sample = settings;
    if (sample_fails_to_initialize) {
        return tr_refuse(TR_INVALID_PARAMETERS, reterr, NULL,
                         "no luck with a greeting of %zu bytes", strlen(sample->greeting));
    }
    sample_initialized++;
    *ret_state = state;
    return TR_OK;
}

static void cleanup(void *state)
{
    (void)state;
    sample_cleaned_up++;
}

const struct tr_suite sample_suite = {
    TR_SUITE_HEADER,
    .name = "sample",
    .version = "1.2.3",
    .description = "Tools for tests",
    .tools = sample_tools,
    .tool_count = TR_COUNT_OF(sample_tools),
    .settings = &sample_settings_type,
    .initialize = initialize,
    .cleanup = cleanup,
};
