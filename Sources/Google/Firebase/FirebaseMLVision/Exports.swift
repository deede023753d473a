// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module mentions, as the modules of Google's pods do. The errors of calls are
// the same for all of Google's libraries.
@_exported public import AppleCapture
@_exported public import FirebaseCore
@_exported public import FoveaCompatibility
