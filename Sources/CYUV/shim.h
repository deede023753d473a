// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <libyuv.h>
#include "kernels.h"
