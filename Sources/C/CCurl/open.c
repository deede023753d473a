// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>

#include "CCurl.h"
#include "CLoad.h"
#include "numbers.h"

const fovea_curl *fovea_curl_open(const char *name, char *detail, size_t detail_capacity) {
#define FOVEA_NAME(result, name, parameters) "curl_" #name,
  static const char *const symbols[] = {FOVEA_CURL_FUNCTIONS(FOVEA_NAME) NULL};
  const char *const names[] = {name, NULL};
  fovea_curl *table = calloc(1, sizeof *table);
  // Never closed: libcurl and its TLS library may have threads and exit handlers.
  if (fovea_load(names, symbols, (void **)table, detail, detail_capacity) == FOVEA_LOAD_OK) {
    if (table->global_init(FOVEA_CURL_GLOBAL_ALL) == FOVEA_CURLE_OK) return table;
    snprintf(detail, detail_capacity, "%s does not start", name);
  }
  free(table);
  return NULL;
}
