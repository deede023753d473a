// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Why a library cannot be loaded, where the loader would end the process with SIGBUS or call the file missing: it ends before what
/// its headers say, or is for another processor. NULL where the loader is to be asked.
const char *fovea_why_not_loadable(const char *path);
