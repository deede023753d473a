// SPDX-License-Identifier: Apache-2.0
// Video through FFmpeg's libraries, which are opened at the first use.
#pragma once
#include <stdint.h>
int32_t fovea_video_version(void);
