// SPDX-License-Identifier: Apache-2.0
// What binds the library to glibc 2.34 where newer versions of a function differ in errno alone.
//
// The linker sends all calls to the functions here (--wrap).

double hypot_of_2_2_5(double x, double y);
float hypotf_of_2_2_5(float x, float y);
__asm__(".symver hypot_of_2_2_5, hypot@GLIBC_2.2.5");
__asm__(".symver hypotf_of_2_2_5, hypotf@GLIBC_2.2.5");

double __wrap_hypot(double x, double y) { return hypot_of_2_2_5(x, y); }
float __wrap_hypotf(float x, float y) { return hypotf_of_2_2_5(x, y); }
