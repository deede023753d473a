// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaImage
import HTTPTypes
import Logging

extension Failure where Code == FoveaCode {
  /// The reply to a caller whose image or options meet this error.
  ///
  /// The program writes its message behind a name and a colon; a reply has it alone, with a capital letter as all others.
  var refusal: Refusal {
    let sentence = message.prefix(1).uppercased() + message.dropFirst()
    let refusal = Refusal(status, code.rawValue, sentence, remedy: remedy.asked)
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
  /// The metadata of a record about the error: what happened, and what the operator can do.
  func logged(_ others: Logger.Metadata = [:]) -> Logger.Metadata {
    var metadata = others
    let text = (subject.map { "\($0): " } ?? "") + message
    metadata["error"] = "\(text)"
    metadata["remedy"] = "\(remedy.served)"
    return metadata
  }
}
#endif
