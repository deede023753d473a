// SPDX-License-Identifier: Apache-2.0
// Binds the library to glibc 2.34 functions if newer versions differ only in errno.
//
// The linker redirects all calls to the functions here (--wrap).

double hypot_of_2_2_5(double x, double y);
float hypotf_of_2_2_5(float x, float y);
__asm__(".symver hypot_of_2_2_5, hypot@GLIBC_2.2.5");
__asm__(".symver hypotf_of_2_2_5, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) { return hypot_of_2_2_5(x, y); }
float __wrap_hypotf(float x, float y) { return hypotf_of_2_2_5(x, y); }
