// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module mentions, as the modules of Google's pods do.
@_exported public import FirebaseMLVision
