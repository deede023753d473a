// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaImage
import HTTPTypes
import Logging

extension Failure where Code == FoveaCode {
  /// The same error in the words of a server's callers.
  ///
  /// The program prints the message after a name and a colon; a reply has only the message, capitalized like
  /// all others.
  var asked: FoveaError {
    var error = self
    error.message = message.prefix(1).uppercased() + message.dropFirst()
    error.remedy = Advice(remedy.asked)
    return error
  }

  /// The refusal for a caller whose image or options cause this error.
  var refusal: Refusal {
    let error = asked
    let refusal = Refusal(status, code.rawValue, error.message, remedy: error.remedy.description)
    switch code {
    case FoveaCode.modelsFull: return refusal.retrying(after: 60)
    case ImageCode.outOfMemory: return refusal.retrying(after: 5)
    default: return refusal
    }
  }

  private var status: HTTPResponse.Status {
    switch code {
    case ImageCode.unknownFormat, ImageCode.formatOff: .unsupportedMediaType
    case ImageCode.tooLarge: .contentTooLarge
    case ImageCode.corrupt, ImageCode.truncated, ImageCode.unsupported, ImageCode.empty:
      .unprocessableContent
    case ImageCode.libraryMissing: .unsupportedMediaType
    case ImageCode.emptyRegion, FoveaCode.optionInvalid: .badRequest
    case FoveaCode.cancelled: Refusal.clientGone.status
    case ImageCode.outOfMemory, FoveaCode.modelsFull: .serviceUnavailable
    default: .internalServerError
    }
  }
}

extension Failure {
  /// Returns log metadata for the error: its message, and the remedy for the operator.
  func logged(_ others: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = others
    let text = (subject.map { "\($0): " } ?? "") + message
    metadata["error"] = "\(text)"
    metadata["remedy"] = "\(remedy.served)"
    return metadata
  }
}
#endif
