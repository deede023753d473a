// SPDX-License-Identifier: Apache-2.0
// Inner loops over pixels that libyuv lacks. They are C, not Swift, because they need a widening multiply on vectors and
// instructions chosen at run time: Swift's SIMD types have no such multiply, and Swift cannot compile one function for a
// wider instruction set than the rest of the program.
//
// All functions may be called from any thread. None allocates, none keeps a pointer. A stride is the number of bytes
// from one row to the next; sizes are pixels unless they say otherwise.
#pragma once

#include "blend_rows.h"
#include "columns.h"
#include "luma_chroma.h"
#include "normalize.h"
#include "ycbcr.h"
