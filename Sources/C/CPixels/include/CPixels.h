// SPDX-License-Identifier: Apache-2.0
// Inner loops over pixels that libyuv lacks. They are in C because they need a widening multiply on vectors
// and instructions chosen at run time: Swift's SIMD types have no such multiply, and Swift cannot compile one
// function for a wider instruction set than the rest of the program.
//
// All functions may be called from any thread. They do not allocate memory or keep pointers. A stride is the
// number of bytes from one row to the next; sizes are in pixels unless stated otherwise.
#pragma once

#include "blend_rows.h"
#include "columns.h"
#include "luma_chroma.h"
#include "normalize.h"
#include "turned.h"
#include "ycbcr.h"
