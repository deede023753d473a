// SPDX-License-Identifier: Apache-2.0

// Its public types are those that both Google's libraries have.
@_exported public import FoveaCompatibility

/// The errors of ML Kit's names.
public typealias MLKitError = MLError

/// Under which conditions a model may be downloaded.
public typealias ModelDownloadConditions = FoveaCompatibility.ModelDownloadConditions
