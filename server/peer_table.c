#include "server/peer_table.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256, KEY_BYTES = 8, MAPPED_PREFIX = 12 };

struct peer {
    struct peer *next;
    unsigned char key[KEY_BYTES];
    size_t count; /* never 0 */
};

struct tr_peer_table {
    size_t limit;
    pthread_mutex_t lock; /* guards the buckets */
    struct peer *buckets[BUCKETS];
};

struct tr_peer_table *tr_peer_table_new(size_t limit)
{
    struct tr_peer_table *table = calloc(1, sizeof(*table));
    if (table != NULL) {
        table->limit = limit;
        pthread_mutex_init(&table->lock, NULL);
    }
    return table;
}

void tr_peer_table_free(struct tr_peer_table *table)
{
    if (table == NULL) {
        return;
    }
    for (size_t at = 0; at < BUCKETS; at++) {
        struct peer *peer = table->buckets[at];
        while (peer != NULL) {
            struct peer *next = peer->next;
            free(peer);
            peer = next;
        }
    }
    pthread_mutex_destroy(&table->lock);
    free(table);
}

/* An IPv4 address takes the last four bytes behind zeros, which no global IPv6 network starts with.
 */
static void key_of(const struct sockaddr *address, unsigned char key[KEY_BYTES])
{
    memset(key, 0, KEY_BYTES);
    if (address->sa_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, address, sizeof(ipv4));
        memcpy(key + 4, &ipv4.sin_addr, 4);
    } else if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 ipv6;
        memcpy(&ipv6, address, sizeof(ipv6));
        if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
            memcpy(key + 4, ipv6.sin6_addr.s6_addr + MAPPED_PREFIX, 4);
        } else {
            memcpy(key, ipv6.sin6_addr.s6_addr, KEY_BYTES);
        }
    }
}

/* The link that points to the peer with this key, or to the end of its bucket. */
static struct peer **find(struct tr_peer_table *table, const unsigned char key[KEY_BYTES])
{
    uint32_t hash = 2166136261u;
    for (size_t at = 0; at < KEY_BYTES; at++) {
        hash = (hash ^ key[at]) * 16777619u;
    }
    struct peer **link = &table->buckets[hash % BUCKETS];
    while (*link != NULL && memcmp((*link)->key, key, KEY_BYTES) != 0) {
        link = &(*link)->next;
    }
    return link;
}

/* Under the lock. */
static bool count_one(struct tr_peer_table *table, const unsigned char key[KEY_BYTES])
{
    struct peer **link = find(table, key);
    if (*link == NULL) {
        *link = calloc(1, sizeof(**link));
        if (*link == NULL) {
            return false;
        }
        memcpy((*link)->key, key, KEY_BYTES);
    }
    if ((*link)->count >= table->limit) {
        return false;
    }
    (*link)->count++;
    return true;
}

bool tr_peer_table_take(struct tr_peer_table *table, const struct sockaddr *address)
{
    unsigned char key[KEY_BYTES];
    key_of(address, key);
    pthread_mutex_lock(&table->lock);
    const bool is_taken = count_one(table, key);
    pthread_mutex_unlock(&table->lock);
    return is_taken;
}

void tr_peer_table_give(struct tr_peer_table *table, const struct sockaddr *address)
{
    unsigned char key[KEY_BYTES];
    key_of(address, key);
    pthread_mutex_lock(&table->lock);
    struct peer **link = find(table, key);
    struct peer *peer = *link;
    if (peer != NULL && --peer->count == 0) {
        *link = peer->next;
        free(peer);
    }
    pthread_mutex_unlock(&table->lock);
}
