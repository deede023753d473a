// SPDX-License-Identifier: Apache-2.0

// The C library of the system, for every module that imports this one.
#if canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#else
@_exported import Darwin
#endif
