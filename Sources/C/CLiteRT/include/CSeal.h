// SPDX-License-Identifier: Apache-2.0
// Sandboxes a process before it reads untrusted data, so that it can use only its memory, its threads and its
// open files, and ends it with its parent.
#pragma once

#include <stdbool.h>

typedef enum {
  // The system supports neither.
  FOVEA_SEAL_NONE = 0,
  // Only Landlock: files and TCP.
  FOVEA_SEAL_FILES = 1,
  // seccomp: all system calls.
  FOVEA_SEAL_CALLS = 2,
} fovea_seal;

// Restricts the calling thread, or with `all` every thread of the process, to computing: it cannot open
// files, create files in memory, use the network, start programs or signal other processes. Open files stay
// open. `all` also limits their size, core files and the number of threads. The restriction is permanent.
fovea_seal fovea_seal_threads(bool all);

// Makes the system end this process with the thread that started it. Returns false if the parent has already
// ended, or is not `parent`.
bool fovea_end_with_parent(int parent);
