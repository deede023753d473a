// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// The error of a failed download.
public enum DownloadError: Error, Sendable, Hashable {
  /// The host has no model of that name.
  case notFound
  /// The host refuses access to the model, or the model folder cannot be read or written.
  case permissionDenied
  /// No model host is set, there is no model folder, or libcurl is missing.
  case failedPrecondition
  /// The host received too many requests.
  case resourceExhausted
  /// There is not enough space for the model.
  case notEnoughSpace
  /// The model's name or the host's address is invalid.
  case invalidArgument
  /// The name is empty.
  case emptyModelName
  /// Any other error: what happened, and what to do next.
  case internalError(description: String)

  init(_ error: MLError) {
    switch error.code {
    case .notFound: self = .notFound
    case .permissionDenied: self = .permissionDenied
    case .failedPrecondition: self = .failedPrecondition
    case .resourceExhausted: self = .resourceExhausted
    case .notEnoughSpace: self = .notEnoughSpace
    case .invalidArgument: self = .invalidArgument
    default: self = .internalError(description: error.description)
    }
  }
}

extension DownloadError: LocalizedError {
  /// A description of the error, with a remedy.
  public var errorDescription: String? {
    switch self {
    case .notFound:
      "The model host has no model of that name. Check the name, and ModelDownloader.host or "
        + "FOVEA_MODEL_HOST."
    case .permissionDenied:
      "The model host denies access to the model, or the model folder cannot be read or written. Check the "
        + "user name and password in ModelDownloader.host or FOVEA_MODEL_HOST, and the permissions of the "
        + "folder in FOVEA_MODELS."
    case .failedPrecondition:
      "Downloads need a model host, a model folder and libcurl. Set ModelDownloader.host or "
        + "FOVEA_MODEL_HOST, set HOME or FOVEA_MODELS, and install libcurl4."
    case .resourceExhausted: "The model host received too many requests. Try again later."
    case .notEnoughSpace:
      "There is not enough space for the model. Free some space, or set another folder in FOVEA_MODELS."
    case .invalidArgument:
      "The model's name or the host's address is invalid. Use only letters, digits, '.', '_' and '-' in "
        + "names."
    case .emptyModelName:
      "The model's name is empty. Pass the name that the model has on the model host."
    case .internalError(let description): description
    }
  }
}
