// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "CLoad.h"
#include "CImages.h"

// On Linux, missing headers are an error that "make setup" fixes; elsewhere the format is left out.
#if defined(__linux__)
#define FOVEA_HEADER_MISSING(what) _Pragma("GCC error \"headers are missing: run make setup\"")
#endif

_Static_assert(
    (int)FOVEA_IMAGE_NO_LIBRARY == FOVEA_LOAD_NO_LIBRARY && (int)FOVEA_IMAGE_NO_SYMBOL == FOVEA_LOAD_NO_SYMBOL,
    "a result of loading is a status");

// A table of function pointers, with types from the library's own header, filled once.
#define FOVEA_FIELD(name) __typeof__(&name) name;
#define FOVEA_NAME(name) #name,
#define FOVEA_TABLE(library, FUNCTIONS, ...)                                                                      \
  static struct { FUNCTIONS(FOVEA_FIELD) } library;                                                               \
  static pthread_once_t library##_once = PTHREAD_ONCE_INIT;                                                       \
  static fovea_image_status library##_status;                                                                   \
  static char library##_text[256];                                                                                \
  static void library##_open(void) {                                                                              \
    static const char *const names[] = {__VA_ARGS__, NULL};                                                       \
    static const char *const symbols[] = {FUNCTIONS(FOVEA_NAME) NULL};                                            \
    library##_status = (fovea_image_status)fovea_load(                                                          \
        names, symbols, (void **)&library, library##_text, sizeof library##_text);                                \
  }                                                                                                               \
  static fovea_image_status library##_ready(const fovea_image_file *file) {                                   \
    pthread_once(&library##_once, library##_open);                                                                \
    if (library##_status != FOVEA_IMAGE_OK) snprintf(file->text, file->text_capacity, "%s", library##_text);    \
    return library##_status;                                                                                      \
  }

static inline fovea_image_status fovea_image_fail(
    const fovea_image_file *file, fovea_image_status status, const char *text) {
  snprintf(file->text, file->text_capacity, "%s", text);
  return status;
}
