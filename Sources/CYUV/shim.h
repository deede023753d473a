// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <libyuv.h>
#include "columns.h"
#include "kernels.h"
#include "luma_chroma.h"
#include "normalize.h"
