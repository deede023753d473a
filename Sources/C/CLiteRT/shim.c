// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLiteRT.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const fovea_litert *fovea_litert_open(
    const char *path, fovea_load_result *result, char *detail, size_t detail_capacity) {
#define FOVEA_NAME(result, name, parameters) "LiteRt" #name,
  static const char *const symbols[] = {FOVEA_LITERT_FUNCTIONS(FOVEA_NAME) NULL};
  const char *const names[] = {path, NULL};
  fovea_litert *table = calloc(1, sizeof *table);
  void **fields = (void **)table;
  *result = fovea_load(names, symbols, fields, detail, detail_capacity);
  if (*result == FOVEA_LOAD_OK) return table;
  if (*result == FOVEA_LOAD_NO_SYMBOL) {
    size_t missing = 0;
    while (fields[missing]) missing++;
    snprintf(detail, detail_capacity, "%s", symbols[missing]);
  }
  free(table);
  return NULL;
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
  if (!copy) abort();  // There is no memory even for a line of text.
  return copy;
}

void fovea_free(void *memory) { free(memory); }
