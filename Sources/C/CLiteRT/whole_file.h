// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>

/// Whether a library's file ends before what its headers say: loading it would end the process with SIGBUS.
bool fovea_is_cut_off(const char *path);
