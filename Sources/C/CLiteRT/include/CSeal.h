// SPDX-License-Identifier: Apache-2.0
// Closes a process off from everything but its memory, its threads and the files that it has open, before it reads what a
// stranger has sent; and ends it with the one that started it.
#pragma once

#include <stdbool.h>

typedef enum {
  // Nothing of the kind is there.
  FOVEA_SEAL_NONE = 0,
  // Landlock alone: files and TCP.
  FOVEA_SEAL_FILES = 1,
  // seccomp: what the system does for the process at all.
  FOVEA_SEAL_CALLS = 2,
} fovea_seal;

// Allows the calling thread what computing takes and nothing else, or with `all` every thread of the process: no opening of
// files, no network, no other program, no signal to another process. What is open stays open. It cannot be taken back.
fovea_seal fovea_seal_threads(bool all);

// Has the system end this process with the thread that started it. False where that process is gone already, or is another one.
bool fovea_end_with_parent(int parent);
