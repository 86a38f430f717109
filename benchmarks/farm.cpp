// SPDX-License-Identifier: Apache-2.0
//
// Modular products a second of OpenSSL and GMP on one core of a processor: farm.py compiles and runs it, and says which
// of the two there are (-DOPENSSL, -DGMP). For each number of bits on the command line a line each: what, bits, products
// a second. Each product takes the result of the one before, and none is counted before it is right.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#ifdef OPENSSL
#include <openssl/bn.h>
#include <openssl/crypto.h>
#endif
#ifdef GMP
#include <gmp.h>
#endif

namespace {

constexpr double kSeconds = 0.5;  // of CPU time, each of kRuns
constexpr int kRuns = 5;
constexpr int kBlock = 1000;

double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[maybe_unused]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

// The best of some runs: what else the machine does only makes one slower.
template <typename Product>
[[maybe_unused]] void measure(const char* what, int bits, Product product) {
  double best = 0;
  for (int run = 0; run < kRuns; run++) {
    const double start = now();
    long count = 0;
    double spent = 0;
    do {
      for (int i = 0; i < kBlock; i++) product();
      count += kBlock;
      spent = now() - start;
    } while (spent < kSeconds);
    if (static_cast<double>(count) / spent > best) best = static_cast<double>(count) / spent;
  }
  std::printf("%s\t%d\t%.0f\n", what, bits, best);
}

#ifdef OPENSSL
void with_openssl(int bits) {
  BN_CTX* context = BN_CTX_new();
  BN_MONT_CTX* montgomery = BN_MONT_CTX_new();
  BIGNUM *m = BN_new(), *x = BN_new(), *y = BN_new(), *z = BN_new(), *right = BN_new();
  if (!BN_rand(m, bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD) || !BN_rand_range(x, m) || !BN_rand_range(y, m) ||
      !BN_MONT_CTX_set(montgomery, m, context)) {
    fail("OpenSSL cannot begin");
  }
  BN_mod_mul(right, x, y, m, context);
  BN_to_montgomery(z, x, montgomery, context);
  BN_mod_mul_montgomery(z, z, y, montgomery, context);
  if (BN_cmp(z, right) != 0) fail("OpenSSL: a wrong product");
  measure("BN_mod_mul_montgomery", bits, [&] { BN_mod_mul_montgomery(z, z, y, montgomery, context); });
  measure("BN_mod_mul", bits, [&] { BN_mod_mul(z, z, y, m, context); });
  BN_free(m), BN_free(x), BN_free(y), BN_free(z), BN_free(right);
  BN_MONT_CTX_free(montgomery);
  BN_CTX_free(context);
}
#endif

#ifdef GMP
void with_gmp(int bits) {
  gmp_randstate_t random;
  gmp_randinit_default(random);
  mpz_t m, y, z, wide, quotient, back;
  mpz_inits(m, y, z, wide, quotient, back, nullptr);
  mpz_urandomb(m, random, static_cast<mp_bitcnt_t>(bits));
  mpz_setbit(m, static_cast<mp_bitcnt_t>(bits - 1));
  mpz_setbit(m, 0);
  mpz_urandomm(y, random, m);
  mpz_urandomm(z, random, m);
  mpz_mul(wide, z, y);
  mpz_tdiv_qr(quotient, back, wide, m);
  mpz_mul(quotient, quotient, m);
  mpz_add(quotient, quotient, back);
  if (mpz_cmp(quotient, wide) != 0 || mpz_cmp(back, m) >= 0) fail("GMP: a wrong product");
  measure("mpz_mul, mpz_tdiv_r", bits, [&] {
    mpz_mul(wide, z, y);
    mpz_tdiv_r(z, wide, m);
  });
  mpz_clears(m, y, z, wide, quotient, back, nullptr);
  gmp_randclear(random);
}
#endif

}  // namespace

int main(int count, char** values) {
#ifdef OPENSSL
  std::printf("# %s\n", OpenSSL_version(OPENSSL_VERSION));
  for (int i = 1; i < count; i++) with_openssl(std::atoi(values[i]));
#endif
#ifdef GMP
  std::printf("# GMP %s\n", gmp_version);
  for (int i = 1; i < count; i++) with_gmp(std::atoi(values[i]));
#endif
  static_cast<void>(count);
  static_cast<void>(values);
  return 0;
}
