// SPDX-License-Identifier: Apache-2.0

public import FoveaCompatibility

/// The errors of ML Kit's names.
public typealias MLKitError = MLError
