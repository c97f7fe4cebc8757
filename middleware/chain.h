/* chain.h - the middleware chain: THE order of the links, and the three walks over it.
 *
 * No link calls the next one, so the chain survives suspension: admit runs when the headers are
 * there and before any body byte is read, enter when the request is whole, leave when the answer is
 * ready, in reverse order, exactly once for every link that admitted, in whatever thread. */
#ifndef TR_MIDDLEWARE_CHAIN_H
#define TR_MIDDLEWARE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "middleware/exchange.h"

/* A link sees only the exchange. Each function may be NULL. admit and enter refuse by answering
 * (tr_answer_problem()); then the walk stops there. leave may add headers, never change the status.
 */
struct tr_middleware {
    const char *name;
    void (*admit)(struct tr_exchange *exchange);
    void (*enter)(struct tr_exchange *exchange);
    void (*leave)(struct tr_exchange *exchange);
    /* leave runs even when an earlier link, or the listener before the chain, refused and this link
     * never saw the request: it describes the answer and takes nothing back. */
    bool leaves_always;
};

/* Each link, in its own file: middleware/<name>.c */
extern const struct tr_middleware tr_request_id, tr_access_log, tr_forwarded, tr_header_sanitizer,
    tr_security_headers, tr_cors, tr_body_limit, tr_auth, tr_deadline;

/* True: every link let the request pass. False: exchange->answer is ready. Indexes the headers. */
bool tr_chain_admit(struct tr_exchange *exchange);
bool tr_chain_enter(struct tr_exchange *exchange);

/* Call it for every answer, whoever gave it, also one from before tr_chain_admit(). A second call
 * does nothing. */
void tr_chain_leave(struct tr_exchange *exchange);

/* THE order, for the tests and the docs; `ret_count` links. */
const struct tr_middleware *const *tr_chain_links(size_t *ret_count);

/* The three walks over any list of links. */
bool tr_links_admit(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange);
bool tr_links_enter(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange);
void tr_links_leave(const struct tr_middleware *const *links, size_t count,
                    struct tr_exchange *exchange);

#endif
