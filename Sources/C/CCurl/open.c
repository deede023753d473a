// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "CCurl.h"
#include "numbers.h"

// Copies the address that dlsym found into a function pointer: ISO C has no cast between the two.
static bool resolve(void *library, const char *symbol, void *field) {
  void *address = dlsym(library, symbol);
  if (!address) return false;
  *(void **)field = address;
  return true;
}

const fovea_curl *fovea_curl_open(const char *name, char *detail, size_t detail_capacity) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(detail, detail_capacity, "%s", reason ? reason : "no reason given");
    return NULL;
  }
  fovea_curl *table = calloc(1, sizeof *table);
  const char *missing = table ? NULL : "(out of memory)";
#define FOVEA_RESOLVE(result, name, parameters) \
  if (!missing && !resolve(library, "curl_" #name, &table->name)) missing = "curl_" #name;
  FOVEA_CURL_FUNCTIONS(FOVEA_RESOLVE)
#undef FOVEA_RESOLVE
  if (missing) {
    snprintf(detail, detail_capacity, "%s has no function %s", name, missing);
  } else if (table->global_init(FOVEA_CURL_GLOBAL_ALL) != FOVEA_CURLE_OK) {
    snprintf(detail, detail_capacity, "%s does not start", name);
  } else {
    return table;  // Never closed: libcurl and its TLS library may have threads and exit handlers.
  }
  free(table);
  dlclose(library);
  return NULL;
}
