// SPDX-License-Identifier: Apache-2.0

// Re-exports AppleShims, which declares the samples that a session delivers.
@_exported public import AppleShims
