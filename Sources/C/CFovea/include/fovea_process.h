// SPDX-License-Identifier: Apache-2.0
// C functions for the library's Swift code; not part of the interface.
#pragma once

#include <stdint.h>

/// Returns the number of forks between the process that loaded the library and this one.
uint32_t fovea_process_generation(void);
