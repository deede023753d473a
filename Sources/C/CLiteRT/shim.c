// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLiteRT.h"

#include "loadable_file.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies the address that dlsym found into a function pointer: ISO C has no cast between the two.
static bool resolve(void *library, const char *symbol, void *field) {
  void *address = dlsym(library, symbol);
  if (!address) return false;
  *(void **)field = address;
  return true;
}

const fovea_litert *fovea_litert_open(
    const char *path, fovea_open_result *result, char *detail, size_t detail_capacity) {
  char file[4096];
  const char *problem = fovea_why_not_loadable(path, file, sizeof file);
  if (problem) {
    snprintf(detail, detail_capacity, "%s: %s", file, problem);
    *result = FOVEA_OPEN_NOT_LOADABLE;
    return NULL;
  }
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(detail, detail_capacity, "%s", reason ? reason : "no reason given");
    *result = FOVEA_OPEN_NOT_LOADABLE;
    return NULL;
  }
  fovea_litert *table = calloc(1, sizeof *table);
  const char *missing = table ? NULL : "(out of memory)";
#define FOVEA_RESOLVE(result, name, parameters) \
  if (!missing && !resolve(library, "LiteRt" #name, &table->name)) missing = "LiteRt" #name;
  FOVEA_LITERT_FUNCTIONS(FOVEA_RESOLVE)
#undef FOVEA_RESOLVE
  if (missing) {
    snprintf(detail, detail_capacity, "%s", missing);
    *result = FOVEA_OPEN_MISSING_SYMBOL;
    free(table);
    dlclose(library);
    return NULL;
  }
  *result = FOVEA_OPEN_OK;
  return table;
}

#ifndef __APPLE__
size_t fovea_own_file(char *path, size_t capacity) {
  Dl_info info;
  if (!dladdr((const void *)(uintptr_t)&fovea_own_file, &info) || !info.dli_fname) return 0;
  char *whole = realpath(info.dli_fname, NULL);
  if (!whole) return 0;
  size_t length = strlen(whole);
  if (length >= capacity) length = 0;
  memcpy(path, whole, length);
  free(whole);
  return length;
}
#else
size_t fovea_own_file(char *path, size_t capacity) { return 0; }
#endif

struct fovea_cancellation_s {
  atomic_bool cancelled;
};

fovea_cancellation fovea_cancellation_create(void) {
  return calloc(1, sizeof(struct fovea_cancellation_s));
}

void fovea_cancellation_destroy(fovea_cancellation flag) { free(flag); }

void fovea_cancellation_set(fovea_cancellation flag, bool cancelled) {
  atomic_store_explicit(&flag->cancelled, cancelled, memory_order_release);
}

bool fovea_cancellation_is_set(fovea_cancellation flag) {
  return atomic_load_explicit(&flag->cancelled, memory_order_acquire);
}

bool fovea_cancellation_poll(void *context) {
  return context && fovea_cancellation_is_set((fovea_cancellation)context);
}

char *fovea_copy(const char *text) {
  char *copy = strdup(text);
  if (!copy) abort();  // A line of text does not fit into memory: nothing sensible can follow.
  return copy;
}

void fovea_free(void *memory) { free(memory); }
