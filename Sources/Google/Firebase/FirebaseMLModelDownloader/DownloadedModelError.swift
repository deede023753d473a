// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// Why downloaded models could not be listed or deleted.
public enum DownloadedModelError: Error, Sendable, Hashable {
  /// No model of that name was downloaded.
  case notFound
  /// The folder for models, or something in it, cannot be read or changed, in words.
  case fileIOError(description: String)
  /// Something else, in words.
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
  /// What happened and what to do next.
  public var errorDescription: String? {
    switch self {
    case .notFound: "No model of that name was downloaded. Check the name."
    case .fileIOError(let description), .internalError(let description): description
    }
  }
}
