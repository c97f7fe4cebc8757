/* Headers that tell browsers to do nothing with an answer but read it, as OWASP's REST cheat sheet
 * has them. No more than these, for each costs a thousand instructions an answer: a referrer policy
 * means nothing where nothing is linked, and a cross-origin load cannot bring the key that an
 * answer takes. They are constants in a table: an answer refers to them, nothing is copied or
 * formatted. */
#include "middleware/chain.h"
#include "middleware/policy.h"

static const struct tr_answer_header always[] = {
    { "X-Content-Type-Options", "nosniff" },
    { "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'" },
    { "Cache-Control", "no-store" },
};

static const struct tr_answer_header only_https = { "Strict-Transport-Security",
                                                    "max-age=31536000" };

/* What has been said already stays: the pages for people need a policy of their own. `said` headers
 * were there before this link added any. */
static void add_unless_said(struct tr_exchange *exchange, size_t said,
                            const struct tr_answer_header *header)
{
    if (!tr_answer_has_header(&exchange->answer, said, header->name)) {
        tr_answer_header_constant(exchange, header->name, header->value);
    }
}

static void leave(struct tr_exchange *exchange)
{
    const size_t said = exchange->answer.header_count;
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        add_unless_said(exchange, said, &always[i]);
    }
    if (exchange->policy->sends_hsts) {
        add_unless_said(exchange, said, &only_https);
    }
}

const struct tr_middleware tr_security_headers = {
    .name = "security headers",
    .leave = leave,
    .leaves_always = true,
};
