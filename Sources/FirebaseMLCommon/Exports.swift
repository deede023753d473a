// SPDX-License-Identifier: Apache-2.0

// Its only public type is the error.
@_exported public import FoveaCompatibility

/// The errors of Firebase ML's names.
public typealias FirebaseMLError = MLError
