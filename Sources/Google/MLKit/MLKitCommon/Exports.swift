// SPDX-License-Identifier: Apache-2.0

// FoveaCompatibility's public types are common to both of Google's libraries.
@_exported public import FoveaCompatibility

/// The errors of ML Kit's API.
public typealias MLKitError = MLError

/// The conditions under which a model may be downloaded.
public typealias ModelDownloadConditions = FoveaCompatibility.ModelDownloadConditions
