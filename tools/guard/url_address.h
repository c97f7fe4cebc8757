/* url_address.h - where an IP address leads: the Internet, a private network, or nowhere that a URL
 * may lead to. */
#ifndef TR_TOOLS_GUARD_URL_ADDRESS_H
#define TR_TOOLS_GUARD_URL_ADDRESS_H

/* The strictest first, so that what was never judged is refused. */
enum tr_reach {
    TR_REACH_NEVER, /* link-local (where clouds keep their credentials), multicast, reserved ... */
    TR_REACH_PRIVATE, /* this machine or a network of our own: an operator may allow it */
    TR_REACH_GLOBAL,  /* global unicast */
};

/* Both in network order. An IPv6 address that stands for an IPv4 address (mapped, NAT64) is judged
 * as that one. */
enum tr_reach tr_reach_of_v4(const unsigned char bytes[4]);
enum tr_reach tr_reach_of_v6(const unsigned char bytes[16]);

#endif
