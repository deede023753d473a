// SPDX-License-Identifier: Apache-2.0

public import FoveaCompatibility

/// The errors of Firebase ML's names.
public typealias FirebaseMLError = MLError
