// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaCompatibility

/// Why a model could not be downloaded.
public enum DownloadError: Error, Sendable, Hashable {
  /// The host has no model of that name.
  case notFound
  /// The host does not give the model to us, or the folder for models cannot be read or written.
  case permissionDenied
  /// No model host is set, there is no folder for models, or libcurl is missing.
  case failedPrecondition
  /// The host was asked too often.
  case resourceExhausted
  /// There is no space for the model.
  case notEnoughSpace
  /// The name, or the address of the host, cannot be one.
  case invalidArgument
  /// The name is empty.
  case emptyModelName
  /// Something else, in words: what happened, and what to do next.
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
  /// What happened and what to do next.
  public var errorDescription: String? {
    switch self {
    case .notFound:
      "The model host has no model of that name. Check the name, and ModelDownloader.host or FOVEA_MODEL_HOST."
    case .permissionDenied:
      "The model host refuses the model, or the folder for models cannot be read or written. Check user name and "
        + "password in ModelDownloader.host or FOVEA_MODEL_HOST, and the permissions of the folder in FOVEA_MODELS."
    case .failedPrecondition:
      "Downloads need a model host, a folder and libcurl. Set ModelDownloader.host or FOVEA_MODEL_HOST, set HOME "
        + "or FOVEA_MODELS, and install libcurl4."
    case .resourceExhausted: "The model host was asked too often. Try again later."
    case .notEnoughSpace:
      "There is no space for the model. Free some, or name another folder in FOVEA_MODELS."
    case .invalidArgument:
      "The model's name or the host's address cannot be used. Names have letters, digits, '.', '_' and '-'."
    case .emptyModelName: "The name of the model is empty. Give the name that it has on the model host."
    case .internalError(let description): description
    }
  }
}
