/* Headers that tell browsers to do nothing with an answer but read it. They are constants in a
 * table: an answer refers to them, nothing is copied or formatted. */
#include "middleware/chain.h"
#include "middleware/policy.h"

static const struct tr_answer_header always[] = {
    { "X-Content-Type-Options", "nosniff" },
    { "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
};

static const struct tr_answer_header not_stored = { "Cache-Control", "no-store" };
static const struct tr_answer_header only_https = { "Strict-Transport-Security",
                                                    "max-age=31536000" };

/* What a route has said already stays: the pages for people need a policy of their own. */
static void add_unless_said(struct tr_exchange *exchange, const struct tr_answer_header *header)
{
    if (!tr_answer_has_header(&exchange->answer, header->name)) {
        tr_answer_header_constant(exchange, header->name, header->value);
    }
}

static void leave(struct tr_exchange *exchange)
{
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        add_unless_said(exchange, &always[i]);
    }
    add_unless_said(exchange, &not_stored);
    if (exchange->policy->sends_hsts) {
        add_unless_said(exchange, &only_https);
    }
}

const struct tr_middleware tr_security_headers = {
    .name = "security headers",
    .leave = leave,
    .leaves_always = true,
};
