// SPDX-License-Identifier: Apache-2.0

// Its only public type is the error.
@_exported public import FoveaCompatibility

/// The errors of ML Kit's names.
public typealias MLKitError = MLError
