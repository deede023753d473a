// SPDX-License-Identifier: Apache-2.0

// Who imports this module alone sees the types that it mentions, as with the modules of Google's pods.
@_exported public import FirebaseCore
