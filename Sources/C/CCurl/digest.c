// SPDX-License-Identifier: Apache-2.0
// Source: OpenSSL's manual, EVP_DigestInit(3); the same in 1.1 and 3.
#include "CDigest.h"
#include "CLoad.h"

// All functions that are called: F(result, name, parameters).
#define DIGEST_FUNCTIONS(F)                                                      \
  F(void *, EVP_MD_CTX_new, (void))                                              \
  F(void, EVP_MD_CTX_free, (void *sum))                                          \
  F(const void *, EVP_sha256, (void))                                            \
  F(int, EVP_DigestInit_ex, (void *sum, const void *type, void *engine))         \
  F(int, EVP_DigestUpdate, (void *sum, const void *bytes, size_t count))         \
  F(int, EVP_MD_CTX_copy_ex, (void *sum, const void *from))                      \
  F(int, EVP_DigestFinal_ex, (void *sum, unsigned char *digest, unsigned *count))

struct fovea_digest_library_s {
#define FOVEA_FIELD(result, name, parameters) result(*name) parameters;
  DIGEST_FUNCTIONS(FOVEA_FIELD)
};

const fovea_digest_library *fovea_digest_open(void) {
#if defined(__APPLE__)
  static const char *const names[] = {NULL};
#else
  static const char *const names[] = {FOVEA_LIBRARY("crypto", "3"), FOVEA_LIBRARY("crypto", "1.1"), NULL};
#endif
#define FOVEA_NAME(result, name, parameters) #name,
  static const char *const symbols[] = {DIGEST_FUNCTIONS(FOVEA_NAME) NULL};
  static fovea_digest_library table;
  char reason[64];
  return fovea_load(names, symbols, (void **)&table, reason, sizeof reason) == FOVEA_LOAD_OK ? &table : NULL;
}

void *fovea_digest_make(const fovea_digest_library *library) {
  void *sum = library->EVP_MD_CTX_new();
  if (sum && fovea_digest_begin(library, sum)) return sum;
  if (sum) library->EVP_MD_CTX_free(sum);
  return NULL;
}

bool fovea_digest_begin(const fovea_digest_library *library, void *sum) {
  return library->EVP_DigestInit_ex(sum, library->EVP_sha256(), NULL) == 1;
}

bool fovea_digest_update(const fovea_digest_library *library, void *sum, const void *bytes, size_t count) {
  return count == 0 || library->EVP_DigestUpdate(sum, bytes, count) == 1;
}

bool fovea_digest_read(const fovea_digest_library *library, void *sum, unsigned char *digest) {
  void *copy = library->EVP_MD_CTX_new();
  unsigned count = 0;
  bool is_read = copy && library->EVP_MD_CTX_copy_ex(copy, sum) == 1 && library->EVP_DigestFinal_ex(copy, digest, &count) == 1 && count == 32;
  if (copy) library->EVP_MD_CTX_free(copy);
  return is_read;
}

void fovea_digest_free(const fovea_digest_library *library, void *sum) { library->EVP_MD_CTX_free(sum); }
