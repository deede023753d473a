// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module mentions, as the modules of Google's pods do. FoveaCompatibility has
// the errors of calls and the normalisation of custom models, which are the same for all of Google's
// libraries.
@_exported public import AppleCapture
@_exported public import FoveaCompatibility
@_exported public import MLImage
