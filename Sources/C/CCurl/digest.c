// SPDX-License-Identifier: Apache-2.0
// Source: OpenSSL's manual, EVP_DigestInit(3); the same in 1.1 and 3.
#include <dlfcn.h>
#include <stdlib.h>

#include "CDigest.h"

struct fovea_digest_library_s {
  void *(*make)(void);
  void (*free)(void *sum);
  const void *(*sha256)(void);
  int (*begin)(void *sum, const void *type, void *engine);
  int (*update)(void *sum, const void *bytes, size_t count);
  int (*copy)(void *sum, const void *from);
  int (*finish)(void *sum, unsigned char *digest, unsigned *count);
};

// Copies the address that dlsym found into a function pointer: ISO C has no cast between the two.
static bool resolve(void *library, const char *symbol, void *field) {
  void *address = dlsym(library, symbol);
  if (!address) return false;
  *(void **)field = address;
  return true;
}

const fovea_digest_library *fovea_digest_open(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return NULL;
  fovea_digest_library *table = calloc(1, sizeof *table);
  if (table && resolve(library, "EVP_MD_CTX_new", &table->make) &&
      resolve(library, "EVP_MD_CTX_free", &table->free) && resolve(library, "EVP_sha256", &table->sha256) &&
      resolve(library, "EVP_DigestInit_ex", &table->begin) && resolve(library, "EVP_DigestUpdate", &table->update) &&
      resolve(library, "EVP_MD_CTX_copy_ex", &table->copy) &&
      resolve(library, "EVP_DigestFinal_ex", &table->finish)) {
    return table;
  }
  free(table);
  dlclose(library);
  return NULL;
}

void *fovea_digest_make(const fovea_digest_library *library) {
  void *sum = library->make();
  if (sum && fovea_digest_begin(library, sum)) return sum;
  if (sum) library->free(sum);
  return NULL;
}

bool fovea_digest_begin(const fovea_digest_library *library, void *sum) {
  return library->begin(sum, library->sha256(), NULL) == 1;
}

bool fovea_digest_update(const fovea_digest_library *library, void *sum, const void *bytes, size_t count) {
  return count == 0 || library->update(sum, bytes, count) == 1;
}

bool fovea_digest_read(const fovea_digest_library *library, void *sum, unsigned char *digest) {
  void *copy = library->make();
  unsigned count = 0;
  bool is_read = copy && library->copy(copy, sum) == 1 && library->finish(copy, digest, &count) == 1 && count == 32;
  if (copy) library->free(copy);
  return is_read;
}

void fovea_digest_free(const fovea_digest_library *library, void *sum) { library->free(sum); }
