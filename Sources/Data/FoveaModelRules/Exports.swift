// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module's API accepts and returns.
@_exported public import Fovea
