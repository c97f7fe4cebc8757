#include "openapi/document.h"

#include <string.h>

#include "openapi/build.h"
#include "openapi/document_parts.h"
#include "tools/core/json.h"
#include "tools/core/registry.h"

static const char introduction[] =
    "Every tool is a POST endpoint that takes a JSON object of parameters. Look at `success` and "
    "`error` of any answer first; a refused call says in `detail` and `violations` what to change.";

static json_t *describe_info(const struct tr_document_facts *facts)
{
    json_t *info = json_object();
    tr_build_put_text(&info, "title", "Toolrest");
    tr_build_put_text(&info, "summary", "Tools as HTTP endpoints");
    tr_build_put_text(&info, "description", introduction);
    tr_build_put_text(&info, "version", facts->version);
    tr_build_put(&info, "license",
                 tr_build_constant(TR_JSON({ "name": "MIT", "identifier": "MIT" })));
    return info;
}

/* Relative to the document, so that it also holds below a path of a reverse proxy. */
static json_t *describe_servers(const struct tr_document_facts *facts)
{
    json_t *server = json_object();
    tr_build_put_text(&server, "url", facts->external_url != NULL ? facts->external_url : ".");
    tr_build_put_text(&server, "description", "This gateway");
    json_t *servers = json_array();
    tr_build_add(&servers, server);
    return servers;
}

/* Either credential will do. An empty list says that none is needed. */
static json_t *describe_security(const struct tr_document_facts *facts)
{
    return tr_build_constant(facts->needs_key ? TR_JSON([{ "ApiKey": [] }, { "Bearer": [] }])
                                              : TR_JSON([]));
}

/* ---- tags ---- */

static bool is_first_of_category(const struct tr_document_facts *facts, size_t index)
{
    const char *category = facts->entries[index]->category;
    for (size_t i = 0; i < index; i++) {
        if (strcmp(facts->entries[i]->category, category) == 0) {
            return false;
        }
    }
    return strcmp(category, TR_DOCUMENT_TAG) != 0;
}

static void add_tag(json_t **tags, const char *name, json_t *description)
{
    json_t *tag = json_object();
    tr_build_put_text(&tag, "name", name);
    tr_build_put(&tag, "description", description);
    tr_build_add(tags, tag);
}

static json_t *describe_tags(const struct tr_document_facts *facts)
{
    json_t *tags = json_array();
    for (size_t i = 0; i < facts->entry_count; i++) {
        if (is_first_of_category(facts, i)) {
            const char *category = facts->entries[i]->category;
            add_tag(&tags, category, tr_build_printf("Tools of the category '%s'", category));
        }
    }
    add_tag(&tags, TR_DOCUMENT_TAG, json_string("What the gateway says about itself"));
    return tags;
}

/* ---- the whole ---- */

static json_t *assemble(struct tr_document *document)
{
    const struct tr_document_facts *facts = document->facts;
    json_t *components = json_object();
    tr_build_put(&components, "schemas", tr_json_take(&document->schemas));
    tr_build_put(&components, "responses", tr_document_responses(document));
    tr_build_put(&components, "parameters", tr_document_parameters());
    tr_build_put(&components, "headers", tr_document_headers());
    if (facts->needs_key) {
        tr_build_put(&components, "securitySchemes", tr_document_security_schemes());
    }
    json_t *out = json_object();
    tr_build_put_text(&out, "openapi", "3.1.0");
    tr_build_put(&out, "info", describe_info(facts));
    tr_build_put(&out, "servers", describe_servers(facts));
    tr_build_put(&out, "security", describe_security(facts));
    tr_build_put(&out, "tags", describe_tags(facts));
    tr_build_put(&out, "paths", tr_json_take(&document->paths));
    tr_build_put(&out, "components", components);
    return out;
}

json_t *tr_document_render(const struct tr_document_facts *facts)
{
    struct tr_document document = {
        .facts = facts,
        .paths = json_object(),
        .schemas = json_object(),
    };
    for (size_t i = 0; i < facts->entry_count; i++) {
        tr_document_add_tool(&document, facts->entries[i]);
    }
    tr_document_add_gateway(&document);
    tr_document_add_schemas(&document);
    return assemble(&document);
}
