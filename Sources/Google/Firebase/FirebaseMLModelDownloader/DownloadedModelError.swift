// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// The error of listing or deleting downloaded models.
public enum DownloadedModelError: Error, Sendable, Hashable {
  /// No model of that name was downloaded.
  case notFound
  /// The model folder, or a file in it, cannot be read or changed; the description explains why.
  case fileIOError(description: String)
  /// Any other error, with its description.
  case internalError(description: String)

  init(_ error: MLError) {
    switch error.code {
    case .notFound: self = .notFound
    case .internal, .permissionDenied, .failedPrecondition, .notEnoughSpace, .dataLoss:
      self = .fileIOError(description: error.description)
    default: self = .internalError(description: error.description)
    }
  }
}

extension DownloadedModelError: LocalizedError {
  /// A description of the error, with a remedy.
  public var errorDescription: String? {
    switch self {
    case .notFound: "No model of that name was downloaded. Check the name."
    case .fileIOError(let description), .internalError(let description): description
    }
  }
}
