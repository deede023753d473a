// SPDX-License-Identifier: Apache-2.0

// Who imports this module alone sees the types that it mentions, as with the modules of Google's pods.
// The errors of calls, and the normalisation that options of custom models take, are the same for all of Google's names.
@_exported public import AppleCapture
@_exported public import FoveaCompatibility
@_exported public import MLImage
