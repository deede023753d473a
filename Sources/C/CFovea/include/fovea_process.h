// SPDX-License-Identifier: Apache-2.0
// What the library's Swift code needs of C; no part of the interface.
#pragma once

#include <stdint.h>

/// How many forks lie between the process that loaded the library and this one.
uint32_t fovea_process_generation(void);
