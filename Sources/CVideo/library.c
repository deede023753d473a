// SPDX-License-Identifier: Apache-2.0
#include "CVideo.h"
int32_t fovea_video_version(void) { return 0; }
