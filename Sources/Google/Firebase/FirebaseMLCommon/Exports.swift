// SPDX-License-Identifier: Apache-2.0

// Re-exports the types that this module mentions: the app, and the errors of calls.
@_exported public import FirebaseCore
@_exported public import FoveaCompatibility

/// The errors of Firebase ML's API.
public typealias FirebaseMLError = MLError

/// The conditions under which a model may be downloaded.
public typealias ModelDownloadConditions = FoveaCompatibility.ModelDownloadConditions
