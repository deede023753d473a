// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaModels

extension MLError {
  /// Converts an error of the model folder or of a download: its message and remedy are kept, and it becomes
  /// the cause.
  init(_ error: ModelStoreError) {
    self.init(Self.code(error.code), error.message, remedy: error.remedy.mlKit, cause: error)
  }

  /// Returns the error for a missing model folder, which the environment does not name.
  static func noFolder(_ error: ModelStoreError) -> MLError {
    MLError(.failedPrecondition, error.message, remedy: error.remedy.mlKit, cause: error)
  }

  /// Converts an error of a manifest, or of the files that it names.
  init(manifest error: MetadataError) {
    let code: Code =
      switch error.code {
      case .missingFile, .noModel: .notFound
      case .unreadable: .permissionDenied
      default: .invalidArgument
      }
    self.init(code, error.message, remedy: error.remedy.mlKit, cause: error)
  }

  private static func code(_ code: ModelStoreCode) -> Code {
    switch code {
    case .notFound, .notInstalled, .unknownModel: .notFound
    case .invalidName, .invalidOption: .invalidArgument
    case .hostMissing, .libraryMissing: .failedPrecondition
    case .refused, .storeUnreadable, .storeUnwritable: .permissionDenied
    case .tooManyRequests: .resourceExhausted
    case .diskFull: .notEnoughSpace
    case .timeout: .deadlineExceeded
    case .unreachable, .interrupted, .insecure, .serverError, .invalidInformation: .unavailable
    case .damagedModel, .wrongSize: .dataLoss
    case .wrongChecksum: .modelHashMismatch
    case .invalidModel: .modelIncompatible
    case .cancelled: .cancelled
    default: .internal
    }
  }
}
