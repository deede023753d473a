// SPDX-License-Identifier: Apache-2.0
#include "fovea_process.h"

#include <pthread.h>
#include <stdatomic.h>

static _Atomic uint32_t generation;

static void in_child(void) { atomic_fetch_add(&generation, 1); }

// Runs when the library is loaded, before there can be a handle. The library is never unloaded.
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

uint32_t fovea_process_generation(void) { return atomic_load(&generation); }
