// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "library.h"

_Static_assert(sizeof(void *) == sizeof(void (*)(void)), "function and data pointers have one size");

fovea_picture_status fovea_picture_library_open(
    const char *const *names, const char *const *symbols, void **fields, char *text, size_t text_capacity) {
  void *library = NULL;
  const char *name = names[0];
  text[0] = 0;
  for (; *names && !library; names++) {
    name = *names;
    library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library) break;
    // The first name is the usual one: its reason is the one to tell.
    const char *reason = dlerror();
    if (!text[0]) snprintf(text, text_capacity, "%s", reason ? reason : "no reason given");
  }
  if (!library) return FOVEA_PICTURE_NO_LIBRARY;
  for (size_t index = 0; symbols[index]; index++) {
    void *address = dlsym(library, symbols[index]);
    if (!address) {
      snprintf(text, text_capacity, "%s has no function %s", name, symbols[index]);
      dlclose(library);
      return FOVEA_PICTURE_NO_SYMBOL;
    }
    fields[index] = address;
  }
  return FOVEA_PICTURE_OK;
}
