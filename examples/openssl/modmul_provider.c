/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider for OpenSSL 3 that signs by a modmul device: RSA (PKCS #1 v1.5 and PSS) and ECDSA. README.md says how to
 * use it. What is hashed, padded, and computed modulo a curve's order is computed here; the power with the private
 * exponent, and the multiple of the base point, come from the device and are checked with the public key.
 *
 *   MODMUL_DEVICE    where the devices are: "tcp:localhost:4000" or "/dev/ttyUSB0"; several with commas between them
 *   MODMUL_CONTEXTS  the folder with the contexts that `modmul device prepare` has made; by default the present one
 *
 * In a configuration file `device` and `contexts` of the provider's section say the same.
 */
#define OPENSSL_API_COMPAT 0x10101000L /* RSA_padding_add_... have no other name in OpenSSL 3 */
#include <openssl/bn.h>
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "modmul_bus.h"
#include "modmul_line.h"

#define MOST_DEVICES 8
#define MOST_WORDS 4096u   /* 32-bit words of an operand: 131,072 bits */
#define MOST_CONTEXT 65536u

/* Say why something fails, and be 0. */
static int fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    ERR_new();
    ERR_vset_error(ERR_LIB_USER, 1, format, values);
    va_end(values);
    return 0;
}

/* --- devices ---------------------------------------------------------------------------------------------------- */

typedef struct {
    char *device, *contexts;
    CRYPTO_RWLOCK *lock;
    char loaded[64]; /* name of the context that the open device holds */
    int file;        /* of its line; -1: none is open */
    modmul_device bus;
} provider;

/* What `modmul device prepare` has written. */
typedef struct {
    BIGNUM *of;
    uint32_t build, operand, half, scalar, count;
    uint32_t *words;
} context;

static void free_context(context *found) {
    BN_free(found->of);
    OPENSSL_clear_free(found->words, found->count * sizeof *found->words);
    memset(found, 0, sizeof *found);
}

/* The name of a key's context. */
static int name_of(char *name, size_t size, const char *kind, const BIGNUM *of) {
    unsigned char bytes[MOST_WORDS * 4u], digest[EVP_MAX_MD_SIZE];
    const int length = BN_num_bytes(of);
    size_t index, at;
    if ((size_t)length > sizeof bytes) return 0;
    BN_bn2bin(of, bytes);
    if (!EVP_Digest(bytes, (size_t)length, digest, NULL, EVP_sha256(), NULL)) return 0;
    at = (size_t)snprintf(name, size, "%s-", kind);
    for (index = 0; index < 8; ++index) at += (size_t)snprintf(name + at, size - at, "%02x", digest[index]);
    snprintf(name + at, size - at, ".context");
    return 1;
}

static int read_context(const provider *ours, const char *name, const char *kind, const BIGNUM *of, context *found) {
    char path[1024], told[8], number[2 * 4 * MOST_WORDS + 1], version[8];
    FILE *file;
    uint32_t index;
    int right;
    memset(found, 0, sizeof *found);
    snprintf(path, sizeof path, "%s/%s", ours->contexts, name);
    file = fopen(path, "r");
    if (file == NULL)
        return fail("there is no %s; make it: modmul device prepare --key KEY --core CORE --out %s", path, ours->contexts);
    right = fscanf(file, "modmul-context %7s kind %7s of %32768s build %x operand %u half %u scalar %u words %u", version,
                   told, number, &found->build, &found->operand, &found->half, &found->scalar, &found->count) == 8 &&
            strcmp(version, "1") == 0 && strcmp(told, kind) == 0 && BN_hex2bn(&found->of, number) &&
            BN_cmp(found->of, of) == 0 && found->operand > 0 && found->operand <= MOST_WORDS && found->count > 0 &&
            found->count <= MOST_CONTEXT;
    if (right) {
        found->words = OPENSSL_zalloc(found->count * sizeof *found->words);
        right = found->words != NULL;
        for (index = 0; right && index < found->count; ++index) right = fscanf(file, "%x", &found->words[index]) == 1;
    }
    fclose(file);
    if (right) return 1;
    free_context(found);
    return fail("%s is no context of this key; make it anew: modmul device prepare", path);
}

static void hang_up(provider *ours) {
    if (ours->file >= 0) close(ours->file);
    ours->file = -1;
    ours->loaded[0] = '\0';
}

/* Open the device that holds this build. */
static int connect_to(provider *ours, uint32_t build) {
    char list[1024], *where, *next;
    int failed = MODMUL_FAILED_BUS;
    snprintf(list, sizeof list, "%s", ours->device);
    hang_up(ours);
    for (where = list; where != NULL && *where != '\0'; where = next) {
        next = strchr(where, ',');
        if (next != NULL) *next++ = '\0';
        ours->file = modmul_line_open(where);
        if (ours->file < 0) continue;
        memset(&ours->bus, 0, sizeof ours->bus);
        ours->bus.read = modmul_line_read;
        ours->bus.write = modmul_line_write;
        ours->bus.handle = &ours->file;
        ours->bus.patience = 100000000u;
        failed = modmul_open(&ours->bus, build);
        if (failed == 0) return 1;
        hang_up(ours);
    }
    if (failed == MODMUL_FAILED_BUILD)
        return fail("the device at %s holds another build than the key's context is for", ours->device);
    return fail("no modmul device answers at %s (MODMUL_DEVICE)", ours->device);
}

static int to_words(uint32_t *words, uint32_t count, const BIGNUM *number) {
    unsigned char bytes[4u * MOST_WORDS];
    uint32_t index;
    const int fits = BN_bn2lebinpad(number, bytes, (int)(4u * count)) >= 0;
    for (index = 0; fits && index < count; ++index)
        words[index] = bytes[4 * index] | (uint32_t)bytes[4 * index + 1] << 8 | (uint32_t)bytes[4 * index + 2] << 16 |
                       (uint32_t)bytes[4 * index + 3] << 24;
    OPENSSL_cleanse(bytes, sizeof bytes);
    return fits;
}

static BIGNUM *from_words(const uint32_t *words, uint32_t count) {
    unsigned char bytes[4u * MOST_WORDS];
    uint32_t index;
    for (index = 0; index < 4 * count; ++index) bytes[index] = (unsigned char)(words[index / 4] >> 8 * (index % 4));
    return BN_lebin2bn(bytes, (int)(4 * count), NULL);
}

/* One operation by the device: with its context for this key in it, which is loaded where it is not. */
static BIGNUM *operate(provider *ours, const char *name, const context *with, const BIGNUM *x, const BIGNUM *y) {
    const uint32_t count = with->operand;
    uint32_t *words = OPENSSL_zalloc(3u * count * sizeof *words);
    BIGNUM *result = NULL;
    int failed = 0;
    if (words == NULL || !CRYPTO_THREAD_write_lock(ours->lock)) return OPENSSL_free(words), NULL;
    if (strcmp(ours->loaded, name) != 0) {
        if (!connect_to(ours, with->build)) goto end;
        failed = modmul_load(&ours->bus, with->words, with->count);
        if (!failed) snprintf(ours->loaded, sizeof ours->loaded, "%s", name);
    }
    if (!failed && !(to_words(words + count, count, x) && to_words(words + 2u * count, count, y))) {
        fail("an operand is longer than the device's");
        goto end;
    }
    if (!failed) failed = modmul_run(&ours->bus, words, words + count, words + 2u * count, count, 0);
    if (!failed) {
        result = from_words(words, count);
    } else {
        hang_up(ours);
        fail("the device at %s answers with error %d (docs/bus.md)", ours->device, failed);
    }
end:
    CRYPTO_THREAD_unlock(ours->lock);
    OPENSSL_clear_free(words, 3u * count * sizeof *words);
    return result;
}

/* --- keys ------------------------------------------------------------------------------------------------------- */

typedef struct {
    provider *ours;
    int is_private;
    BIGNUM *n, *e;            /* of RSA */
    EC_GROUP *group;          /* of a curve */
    BIGNUM *secret;
    EC_POINT *public;
    char name[64];            /* of the group */
} key;

static void *new_key(void *context_) {
    key *made = OPENSSL_zalloc(sizeof *made);
    if (made != NULL) made->ours = context_;
    return made;
}

static void free_key(void *key_) {
    key *old = key_;
    if (old == NULL) return;
    BN_free(old->n);
    BN_free(old->e);
    EC_GROUP_free(old->group);
    BN_clear_free(old->secret);
    EC_POINT_free(old->public);
    OPENSSL_free(old);
}

static int has(const void *key_, int selection) {
    const key *of = key_;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && !of->is_private) return 0;
    return of->n != NULL || of->group != NULL;
}

static int match(const void *one_, const void *other_, int selection) {
    const key *one = one_, *other = other_;
    (void)selection;
    if (one->n != NULL)
        return other->n != NULL && BN_cmp(one->n, other->n) == 0 && BN_cmp(one->e, other->e) == 0;
    return other->group != NULL && EC_GROUP_cmp(one->group, other->group, NULL) == 0 && one->public != NULL &&
           other->public != NULL && EC_POINT_cmp(one->group, one->public, other->public, NULL) == 0;
}

static int bn_of(const OSSL_PARAM *params, const char *name, BIGNUM **number) {
    const OSSL_PARAM *found = OSSL_PARAM_locate_const(params, name);
    return found != NULL && OSSL_PARAM_get_BN(found, number);
}

static int import_rsa(void *key_, int selection, const OSSL_PARAM *params) {
    key *to = key_;
    BIGNUM *secret = NULL;
    if (!bn_of(params, OSSL_PKEY_PARAM_RSA_N, &to->n) || !bn_of(params, OSSL_PKEY_PARAM_RSA_E, &to->e)) return 0;
    /* The exponent is not kept: the context holds what the device needs. */
    to->is_private = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && bn_of(params, OSSL_PKEY_PARAM_RSA_D, &secret);
    BN_clear_free(secret);
    return 1;
}

static int import_ec(void *key_, int selection, const OSSL_PARAM *params) {
    key *to = key_;
    const OSSL_PARAM *found = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
    const char *name = NULL;
    int nid;
    if (found == NULL || !OSSL_PARAM_get_utf8_string_ptr(found, &name)) return fail("only curves with names are taken");
    nid = OBJ_txt2nid(name);
    to->group = EC_GROUP_new_by_curve_name(nid);
    if (to->group == NULL) return fail("the curve %s is not known", name);
    snprintf(to->name, sizeof to->name, "%s", name);
    found = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
    if (found != NULL) {
        const void *bytes = NULL;
        size_t length = 0;
        to->public = EC_POINT_new(to->group);
        if (to->public == NULL || !OSSL_PARAM_get_octet_string_ptr(found, &bytes, &length) ||
            !EC_POINT_oct2point(to->group, to->public, bytes, length, NULL))
            return 0;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
        to->is_private = bn_of(params, OSSL_PKEY_PARAM_PRIV_KEY, &to->secret);
    if (to->public == NULL && to->is_private) {
        to->public = EC_POINT_new(to->group);
        if (to->public == NULL || !EC_POINT_mul(to->group, to->public, to->secret, NULL, NULL, NULL)) return 0;
    }
    return 1;
}

static const OSSL_PARAM *rsa_types(int selection) {
    static const OSSL_PARAM types[] = {
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_D, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)selection;
    return types;
}

static const OSSL_PARAM *ec_types(int selection) {
    static const OSSL_PARAM types[] = {
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)selection;
    return types;
}

/* The public half goes to other providers, which verify. */
static int export_key(void *key_, int selection, OSSL_CALLBACK *take, void *handle) {
    const key *of = key_;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    int right = builder != NULL;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) right = 0;
    if (right && of->n != NULL)
        right = OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, of->n) &&
                OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, of->e);
    if (right && of->group != NULL) {
        right = OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, of->name, 0);
        if (right && of->public != NULL) {
            length = EC_POINT_point2buf(of->group, of->public, POINT_CONVERSION_UNCOMPRESSED, &bytes, NULL);
            right = length > 0 && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, bytes, length);
        }
    }
    if (right) params = OSSL_PARAM_BLD_to_param(builder);
    right = right && params != NULL && take(params, handle);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(builder);
    OPENSSL_free(bytes);
    return right;
}

static int key_bits(const key *of) { return of->n != NULL ? BN_num_bits(of->n) : EC_GROUP_order_bits(of->group); }

/* Bytes of the longest signature: for ECDSA two INTEGERs in a SEQUENCE. */
static int signature_size(const key *of) {
    const int number = key_bits(of) / 8 + 1; /* with the bit of the sign */
    return of->n != NULL ? BN_num_bytes(of->n) : 2 * (number + 2) + 3;
}

static int get_key(void *key_, OSSL_PARAM *params) {
    const key *of = key_;
    OSSL_PARAM *found;
    const int bits = key_bits(of);
    const int strength = of->n != NULL ? (bits < 2048 ? 80 : bits < 3072 ? 112 : 128) : bits / 2;
    return ((found = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_BITS)) == NULL || OSSL_PARAM_set_int(found, bits)) &&
           ((found = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_SECURITY_BITS)) == NULL ||
            OSSL_PARAM_set_int(found, strength)) &&
           ((found = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MAX_SIZE)) == NULL ||
            OSSL_PARAM_set_int(found, signature_size(of))) &&
           ((found = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_DEFAULT_DIGEST)) == NULL ||
            OSSL_PARAM_set_utf8_string(found, "SHA256")) &&
           (of->n != NULL || (found = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_GROUP_NAME)) == NULL ||
            OSSL_PARAM_set_utf8_string(found, of->name));
}

static const OSSL_PARAM *gettable_key(void *context_) {
    static const OSSL_PARAM told[] = {
        OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)context_;
    return told;
}

static const char *ec_operation(int operation) { return operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL; }

/* --- signatures ------------------------------------------------------------------------------------------------- */

typedef struct {
    provider *ours;
    const key *with;
    EVP_MD *hash, *mask;
    EVP_MD_CTX *hashing;
    int padding, salt;
} signing;

static void *new_signing(void *context_, const char *properties) {
    signing *made = OPENSSL_zalloc(sizeof *made);
    (void)properties;
    if (made == NULL) return NULL;
    made->ours = context_;
    made->padding = RSA_PKCS1_PADDING;
    made->salt = RSA_PSS_SALTLEN_AUTO;
    return made;
}

static void free_signing(void *signing_) {
    signing *old = signing_;
    if (old == NULL) return;
    EVP_MD_free(old->hash);
    EVP_MD_free(old->mask);
    EVP_MD_CTX_free(old->hashing);
    OPENSSL_free(old);
}

static void *copy_signing(void *signing_) {
    const signing *from = signing_;
    signing *made = OPENSSL_memdup(from, sizeof *from);
    if (made == NULL) return NULL;
    made->hashing = NULL;
    if (made->hash != NULL) EVP_MD_up_ref(made->hash);
    if (made->mask != NULL) EVP_MD_up_ref(made->mask);
    if (from->hashing != NULL) {
        made->hashing = EVP_MD_CTX_new();
        if (made->hashing == NULL || !EVP_MD_CTX_copy_ex(made->hashing, from->hashing)) return free_signing(made), NULL;
    }
    return made;
}

static int set_hash(EVP_MD **hash, const OSSL_PARAM *name) {
    EVP_MD *found = name->data_type == OSSL_PARAM_UTF8_STRING ? EVP_MD_fetch(NULL, name->data, NULL) : NULL;
    if (found == NULL) return fail("there is no such hash");
    EVP_MD_free(*hash);
    *hash = found;
    return 1;
}

/* A number that comes as one, or by one of these names. */
static int choice(const OSSL_PARAM *from, const char *const *names, const int *numbers, size_t count, int *to) {
    size_t index;
    if (from->data_type == OSSL_PARAM_INTEGER || from->data_type == OSSL_PARAM_UNSIGNED_INTEGER)
        return OSSL_PARAM_get_int(from, to);
    for (index = 0; from->data_type == OSSL_PARAM_UTF8_STRING && index < count; ++index)
        if (strcmp(from->data, names[index]) == 0) return *to = numbers[index], 1;
    if (from->data_type != OSSL_PARAM_UTF8_STRING) return 0;
    return sscanf(from->data, "%d", to) == 1;
}

static int set_signing(void *signing_, const OSSL_PARAM *params) {
    static const char *const paddings[] = {OSSL_PKEY_RSA_PAD_MODE_PKCSV15, OSSL_PKEY_RSA_PAD_MODE_PSS};
    static const int padding_numbers[] = {RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING};
    static const char *const salts[] = {"digest", "max", "auto"};
    static const int salt_numbers[] = {RSA_PSS_SALTLEN_DIGEST, RSA_PSS_SALTLEN_MAX, RSA_PSS_SALTLEN_AUTO};
    signing *to = signing_;
    const OSSL_PARAM *found;
    if (params == NULL) return 1;
    if ((found = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST)) != NULL && !set_hash(&to->hash, found))
        return 0;
    if ((found = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_MGF1_DIGEST)) != NULL &&
        !set_hash(&to->mask, found))
        return 0;
    if ((found = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_PAD_MODE)) != NULL &&
        !(choice(found, paddings, padding_numbers, 2, &to->padding) &&
          (to->padding == RSA_PKCS1_PADDING || to->padding == RSA_PKCS1_PSS_PADDING)))
        return fail("the padding is pkcs1 or pss");
    if ((found = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_PSS_SALTLEN)) != NULL &&
        !choice(found, salts, salt_numbers, 3, &to->salt))
        return fail("the length of the salt is a number, digest, max or auto");
    return 1;
}

static const OSSL_PARAM *settable_signing(void *signing_, void *context_) {
    static const OSSL_PARAM taken[] = {
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_MGF1_DIGEST, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
        OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)signing_, (void)context_;
    return taken;
}

/* What certificates and requests say of their signature; PSS there is not told, and so refused. */
static int get_signing(void *signing_, OSSL_PARAM *params) {
    const signing *of = signing_;
    OSSL_PARAM *found = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    int nid, right;
    X509_ALGOR *algorithm;
    unsigned char *bytes = NULL;
    if (found == NULL) return 1;
    if (of->hash == NULL || (of->with->n != NULL && of->padding != RSA_PKCS1_PADDING)) return 0;
    if (!OBJ_find_sigid_by_algs(&nid, EVP_MD_get_type(of->hash), of->with->n != NULL ? NID_rsaEncryption : NID_X9_62_id_ecPublicKey))
        return 0;
    algorithm = X509_ALGOR_new();
    right = algorithm != NULL &&
            X509_ALGOR_set0(algorithm, OBJ_nid2obj(nid), of->with->n != NULL ? V_ASN1_NULL : V_ASN1_UNDEF, NULL);
    if (right) {
        const int length = i2d_X509_ALGOR(algorithm, &bytes);
        right = length > 0 && OSSL_PARAM_set_octet_string(found, bytes, (size_t)length);
    }
    X509_ALGOR_free(algorithm);
    OPENSSL_free(bytes);
    return right;
}

static const OSSL_PARAM *gettable_signing(void *signing_, void *context_) {
    static const OSSL_PARAM told[] = {
        OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
        OSSL_PARAM_END,
    };
    (void)signing_, (void)context_;
    return told;
}

static int begin(void *signing_, void *key_, const OSSL_PARAM *params) {
    signing *to = signing_;
    if (key_ != NULL) to->with = key_;
    if (to->with == NULL || !to->with->is_private) return fail("a private key signs");
    return set_signing(to, params);
}

static int begin_message(void *signing_, const char *hash, void *key_, const OSSL_PARAM *params) {
    signing *to = signing_;
    if (!begin(to, key_, params)) return 0;
    if (hash != NULL || to->hash == NULL) {
        static const char usual[] = "SHA256";
        const char *wanted = hash != NULL && *hash != '\0' ? hash : usual;
        EVP_MD *found = EVP_MD_fetch(NULL, wanted, NULL);
        if (found == NULL) return fail("there is no hash %s", wanted);
        EVP_MD_free(to->hash);
        to->hash = found;
    }
    EVP_MD_CTX_free(to->hashing);
    to->hashing = EVP_MD_CTX_new();
    return to->hashing != NULL && EVP_DigestInit_ex(to->hashing, to->hash, NULL);
}

static int more_message(void *signing_, const unsigned char *data, size_t length) {
    return EVP_DigestUpdate(((signing *)signing_)->hashing, data, length);
}

/* The padded block of a digest, as long as the modulus. */
static int padded(const signing *with, unsigned char *block, int size, const unsigned char *digest, size_t length) {
    if (with->padding == RSA_PKCS1_PSS_PADDING) {
        RSA *rsa = RSA_new();
        const int salt = with->salt == RSA_PSS_SALTLEN_AUTO ? RSA_PSS_SALTLEN_MAX : with->salt;
        int right = with->hash != NULL && (int)length == EVP_MD_get_size(with->hash) && rsa != NULL;
        if (right) {
            BIGNUM *n = BN_dup(with->with->n), *e = BN_dup(with->with->e);
            right = n != NULL && e != NULL && RSA_set0_key(rsa, n, e, NULL);
            if (!right) BN_free(n), BN_free(e);
        }
        right = right && RSA_padding_add_PKCS1_PSS_mgf1(rsa, block, digest, with->hash,
                                                        with->mask != NULL ? with->mask : with->hash, salt);
        RSA_free(rsa);
        return right;
    }
    if (with->hash != NULL) { /* the digest with its name before it */
        X509_SIG *named = X509_SIG_new();
        X509_ALGOR *algorithm = NULL;
        ASN1_OCTET_STRING *value = NULL;
        unsigned char *bytes = NULL;
        int count = -1;
        if (named != NULL) X509_SIG_getm(named, &algorithm, &value);
        if (named != NULL && (int)length == EVP_MD_get_size(with->hash) &&
            X509_ALGOR_set0(algorithm, OBJ_nid2obj(EVP_MD_get_type(with->hash)), V_ASN1_NULL, NULL) &&
            ASN1_OCTET_STRING_set(value, digest, (int)length))
            count = i2d_X509_SIG(named, &bytes);
        count = count > 0 && RSA_padding_add_PKCS1_type_1(block, size, bytes, count);
        X509_SIG_free(named);
        OPENSSL_free(bytes);
        return count;
    }
    return length < (size_t)size && RSA_padding_add_PKCS1_type_1(block, size, digest, (int)length);
}

static int sign_rsa(const signing *with, unsigned char *signature, size_t *written, const unsigned char *digest,
                    size_t length) {
    const key *of = with->with;
    const int size = BN_num_bytes(of->n);
    char name[64];
    context found;
    BN_CTX *scratch = BN_CTX_new();
    unsigned char *block = OPENSSL_zalloc((size_t)size);
    BIGNUM *x = NULL, *y = BN_new(), *z = NULL, *back = BN_new();
    int right = 0;
    memset(&found, 0, sizeof found);
    if (scratch == NULL || block == NULL || y == NULL || back == NULL) goto end;
    if (!padded(with, block, size, digest, length)) {
        fail("the digest does not fit this key, hash and padding");
        goto end;
    }
    if (!name_of(name, sizeof name, "rsa", of->n) || !read_context(with->ours, name, "rsa", of->n, &found)) goto end;
    x = BN_bin2bn(block, size, NULL);
    if (x == NULL || !BN_priv_rand_range(y, of->n)) goto end; /* bits that blind the exponents */
    z = operate(with->ours, name, &found, x, y);
    if (z == NULL) goto end;
    if (BN_cmp(z, of->n) >= 0 || !BN_mod_exp(back, z, of->e, of->n, scratch) || BN_cmp(back, x) != 0) {
        fail("the device's result is wrong: no signature");
        goto end;
    }
    right = BN_bn2binpad(z, signature, size) == size;
    *written = (size_t)size;
end:
    free_context(&found);
    BN_free(x);
    BN_clear_free(y);
    BN_clear_free(z);
    BN_free(back);
    BN_CTX_free(scratch);
    OPENSSL_clear_free(block, (size_t)size);
    return right;
}

/* The multiple of the base point by the device; its x. A random multiple of n, as long as the
 * context has room for, blinds the scalar. */
static int multiple(const signing *with, const char *name, const context *found, const BIGNUM *k, const BIGNUM *n,
                    BIGNUM *x, BIGNUM *y, BN_CTX *scratch) {
    BIGNUM *point = BN_new(), *scalar = BN_new(), *result = NULL;
    const EC_GROUP *group = with->with->group;
    const int blind = (int)found->scalar - BN_num_bits(n);
    int right = blind >= 0 ||
                fail("%s has no room for a scalar of this key; make it anew: modmul device prepare", name);
    right = right && point != NULL && scalar != NULL &&
                EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group), x, y, scratch) &&
                BN_lshift(point, y, (int)found->half) && BN_add(point, point, x) &&
                BN_priv_rand(scalar, blind, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) && BN_mul(scalar, scalar, n, scratch) &&
                BN_add(scalar, scalar, k);
    if (right && BN_num_bits(scalar) > (int)found->scalar) right = BN_sub(scalar, scalar, n);
    if (right) result = operate(with->ours, name, found, point, scalar);
    right = right && result != NULL && BN_rshift(y, result, (int)found->half) && BN_lshift(point, y, (int)found->half) &&
            BN_sub(x, result, point);
    BN_free(point);
    BN_clear_free(scalar);
    BN_clear_free(result);
    return right;
}

/* Whether r and s are the signature of e: (e / s) G + (r / s) Q has r as its x. */
static int verifies(const key *of, const BIGNUM *e, const BIGNUM *r, const BIGNUM *s, const BIGNUM *n, BN_CTX *scratch) {
    BIGNUM *w = BN_mod_inverse(NULL, s, n, scratch), *u = BN_new(), *v = BN_new();
    EC_POINT *point = EC_POINT_new(of->group);
    const int right = w != NULL && u != NULL && v != NULL && point != NULL && BN_mod_mul(u, e, w, n, scratch) &&
                      BN_mod_mul(v, r, w, n, scratch) && EC_POINT_mul(of->group, point, u, of->public, v, scratch) &&
                      EC_POINT_get_affine_coordinates(of->group, point, u, NULL, scratch) &&
                      BN_nnmod(v, u, n, scratch) && BN_cmp(v, r) == 0;
    BN_free(w);
    BN_free(u);
    BN_free(v);
    EC_POINT_free(point);
    return right;
}

static int sign_ec(const signing *with, unsigned char *signature, size_t *written, const unsigned char *digest,
                   size_t length) {
    const key *of = with->with;
    const BIGNUM *n = EC_GROUP_get0_order(of->group);
    const int excess = 8 * (int)length - BN_num_bits(n);
    char name[64];
    context found;
    BN_CTX *scratch = BN_CTX_secure_new();
    BIGNUM *e = BN_bin2bn(digest, (int)length, NULL), *k = BN_new(), *x = BN_new(), *y = BN_new(), *r = BN_new(),
           *s = BN_new(), *minus_two = BN_new();
    ECDSA_SIG *made = ECDSA_SIG_new();
    int right = scratch != NULL && e != NULL && k != NULL && x != NULL && y != NULL && r != NULL && s != NULL &&
                minus_two != NULL && made != NULL;
    memset(&found, 0, sizeof found);
    right = right && name_of(name, sizeof name, "ec", n) && read_context(with->ours, name, "ec", n, &found);
    if (right && excess > 0) right = BN_rshift(e, e, excess);
    right = right && BN_copy(minus_two, n) && BN_sub_word(minus_two, 2);
    BN_set_flags(k, BN_FLG_CONSTTIME);
    do { /* again where r or s is 0, which nobody will see */
        do {
            right = right && BN_priv_rand_range(k, n);
        } while (right && BN_is_zero(k));
        right = right && multiple(with, name, &found, k, n, x, y, scratch) && BN_nnmod(r, x, n, scratch) &&
                BN_mod_mul(s, r, of->secret, n, scratch) && BN_mod_add(s, s, e, n, scratch) &&
                BN_mod_exp_mont_consttime(y, k, minus_two, n, scratch, NULL) && BN_mod_mul(s, s, y, n, scratch);
    } while (right && (BN_is_zero(r) || BN_is_zero(s)));
    if (right && !verifies(of, e, r, s, n, scratch)) right = fail("the device's result is wrong: no signature");
    if (right && ECDSA_SIG_set0(made, r, s)) {
        unsigned char *end = signature;
        const int count = i2d_ECDSA_SIG(made, &end);
        r = s = NULL;
        right = count > 0;
        *written = right ? (size_t)count : 0;
    }
    free_context(&found);
    ECDSA_SIG_free(made);
    BN_free(e);
    BN_clear_free(k);
    BN_clear_free(x);
    BN_clear_free(y);
    BN_free(r);
    BN_free(s);
    BN_free(minus_two);
    BN_CTX_free(scratch);
    return right;
}

static int sign(void *signing_, unsigned char *signature, size_t *written, size_t room, const unsigned char *digest,
                size_t length) {
    const signing *with = signing_;
    const size_t most = (size_t)signature_size(with->with);
    if (signature == NULL) return *written = most, 1;
    if (room < most) return fail("a signature takes %zu bytes", most);
    return with->with->n != NULL ? sign_rsa(with, signature, written, digest, length)
                                 : sign_ec(with, signature, written, digest, length);
}

static int sign_message(void *signing_, unsigned char *signature, size_t *written, size_t room) {
    signing *with = signing_;
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    if (signature == NULL) return sign(with, NULL, written, 0, NULL, 0);
    return EVP_DigestFinal_ex(with->hashing, digest, &length) &&
           sign(with, signature, written, room, digest, length);
}

/* --- the provider ----------------------------------------------------------------------------------------------- */

#define DO(name, function) {name, (void (*)(void))(function)}

#define KEYS                                                                                          \
    DO(OSSL_FUNC_KEYMGMT_NEW, new_key), DO(OSSL_FUNC_KEYMGMT_FREE, free_key),                         \
        DO(OSSL_FUNC_KEYMGMT_HAS, has), DO(OSSL_FUNC_KEYMGMT_MATCH, match),                           \
        DO(OSSL_FUNC_KEYMGMT_EXPORT, export_key), DO(OSSL_FUNC_KEYMGMT_GET_PARAMS, get_key),          \
        DO(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, gettable_key)

static const OSSL_DISPATCH rsa_keys[] = {
    KEYS,
    DO(OSSL_FUNC_KEYMGMT_IMPORT, import_rsa),
    DO(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, rsa_types),
    DO(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, rsa_types),
    {0, NULL},
};

static const OSSL_DISPATCH ec_keys[] = {
    KEYS,
    DO(OSSL_FUNC_KEYMGMT_IMPORT, import_ec),
    DO(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, ec_types),
    DO(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, ec_types),
    DO(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, ec_operation),
    {0, NULL},
};

static const OSSL_DISPATCH signatures[] = {
    DO(OSSL_FUNC_SIGNATURE_NEWCTX, new_signing),
    DO(OSSL_FUNC_SIGNATURE_FREECTX, free_signing),
    DO(OSSL_FUNC_SIGNATURE_DUPCTX, copy_signing),
    DO(OSSL_FUNC_SIGNATURE_SIGN_INIT, begin),
    DO(OSSL_FUNC_SIGNATURE_SIGN, sign),
    DO(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, begin_message),
    DO(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, more_message),
    DO(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, sign_message),
    DO(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, get_signing),
    DO(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, gettable_signing),
    DO(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, set_signing),
    DO(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, settable_signing),
    {0, NULL},
};

static const OSSL_ALGORITHM all_keys[] = {
    {"RSA:rsaEncryption:1.2.840.113549.1.1.1", "provider=modmul", rsa_keys, "RSA keys of a modmul device"},
    {"EC:id-ecPublicKey:1.2.840.10045.2.1", "provider=modmul", ec_keys, "keys of curves of a modmul device"},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM all_signatures[] = {
    {"RSA:rsaEncryption:1.2.840.113549.1.1.1", "provider=modmul", signatures, "RSA by a modmul device"},
    {"ECDSA", "provider=modmul", signatures, "ECDSA by a modmul device"},
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM *query(void *context_, int operation, int *no_store) {
    (void)context_;
    *no_store = 0;
    return operation == OSSL_OP_KEYMGMT ? all_keys : operation == OSSL_OP_SIGNATURE ? all_signatures : NULL;
}

static void teardown(void *context_) {
    provider *ours = context_;
    hang_up(ours);
    CRYPTO_THREAD_lock_free(ours->lock);
    OPENSSL_free(ours->device);
    OPENSSL_free(ours->contexts);
    OPENSSL_free(ours);
}

static const OSSL_DISPATCH functions[] = {
    DO(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    DO(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    {0, NULL},
};

/* A setting: of the environment, the configuration file, or the usual one. */
static char *setting(const char *variable, const char *configured, const char *usual) {
    const char *found = getenv(variable);
    return OPENSSL_strdup(found != NULL ? found : configured != NULL ? configured : usual);
}

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                       void **context_) {
    provider *ours = OPENSSL_zalloc(sizeof *ours);
    char *device = NULL, *contexts = NULL;
    OSSL_PARAM asked[3];
    asked[0] = OSSL_PARAM_construct_utf8_ptr("device", &device, 0);
    asked[1] = OSSL_PARAM_construct_utf8_ptr("contexts", &contexts, 0);
    asked[2] = OSSL_PARAM_construct_end();
    if (ours == NULL) return 0;
    for (; in->function_id != 0; ++in)
        if (in->function_id == OSSL_FUNC_CORE_GET_PARAMS) (void)OSSL_FUNC_core_get_params(in)(handle, asked);
    ours->file = -1;
    ours->lock = CRYPTO_THREAD_lock_new();
    ours->device = setting("MODMUL_DEVICE", device, "tcp:localhost:4000");
    ours->contexts = setting("MODMUL_CONTEXTS", contexts, ".");
    *context_ = ours;
    *out = functions;
    if (ours->lock != NULL && ours->device != NULL && ours->contexts != NULL) return 1;
    teardown(ours);
    return 0;
}
