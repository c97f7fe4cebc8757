/* A certificate that is its own authority, made at the start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "tests/peer/peer_parts.h"

enum { VALID_SECONDS = 24 * 60 * 60 };

static void add_extension(X509 *certificate, int id, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, id, value);
    if (extension == NULL || X509_add_ext(certificate, extension, -1) != 1) {
        peer_die("certificate");
    }
    X509_EXTENSION_free(extension);
}

static X509 *make_certificate(EVP_PKEY *key)
{
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    (void)X509_set_version(certificate, X509_VERSION_3);
    (void)ASN1_INTEGER_set(X509_get_serialNumber(certificate), (long)getpid());
    (void)X509_gmtime_adj(X509_getm_notBefore(certificate), -VALID_SECONDS);
    (void)X509_gmtime_adj(X509_getm_notAfter(certificate), VALID_SECONDS);
    (void)X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                     (const unsigned char *)"Toolrest test peer", -1, -1, 0);
    (void)X509_set_issuer_name(certificate, name);
    (void)X509_set_pubkey(certificate, key);
    add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
    add_extension(certificate, NID_subject_alt_name, "DNS:localhost,DNS:peer.test,IP:127.0.0.1");
    if (X509_sign(certificate, key, EVP_sha256()) == 0) {
        peer_die("certificate");
    }
    return certificate;
}

static void write_certificate(X509 *certificate, char ca_file[PEER_NAME_BYTES])
{
    (void)snprintf(ca_file, PEER_NAME_BYTES, "/tmp/toolrest-peer-XXXXXX");
    const int fd = mkstemp(ca_file);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL || PEM_write_X509(file, certificate) != 1 || fclose(file) != 0) {
        peer_die(ca_file);
    }
}

SSL_CTX *peer_make_tls(char ca_file[PEER_NAME_BYTES])
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = make_certificate(key);
    write_certificate(certificate, ca_file);
    if (SSL_CTX_use_certificate(tls, certificate) != 1 || SSL_CTX_use_PrivateKey(tls, key) != 1) {
        peer_die("TLS");
    }
    (void)SSL_CTX_set_mode(tls,
                           SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return tls;
}
