// SPDX-License-Identifier: Apache-2.0

// Who imports this module alone sees the types that it mentions: the app, and the error of calls.
@_exported public import FirebaseCore
@_exported public import FoveaCompatibility

/// The errors of Firebase ML's names.
public typealias FirebaseMLError = MLError

/// Under which conditions a model may be downloaded.
public typealias ModelDownloadConditions = FoveaCompatibility.ModelDownloadConditions
