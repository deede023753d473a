// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import Fovea
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaImage
  internal import HTTPTypes

  extension Failure where Code == FoveaCode {
    /// The reply to a caller whose image or options meet this error.
    var refusal: Refusal {
      let refusal = Refusal(status, code.rawValue, message, remedy: remedy.served)
      return code == FoveaCode.modelsFull ? refusal.retrying(after: 60) : refusal
    }

    private var status: HTTPResponse.Status {
      switch code {
      case ImageCode.unknownFormat, ImageCode.formatOff: .unsupportedMediaType
      case ImageCode.tooLarge: .contentTooLarge
      case ImageCode.corrupt, ImageCode.truncated, ImageCode.unsupported, ImageCode.empty:
        .unprocessableContent
      case ImageCode.libraryMissing: .unsupportedMediaType
      case ImageCode.emptyRegion, FoveaCode.optionInvalid: .badRequest
      case FoveaCode.cancelled: .init(code: 499, reasonPhrase: "Client Closed Request")
      case ImageCode.outOfMemory, FoveaCode.modelsFull: .serviceUnavailable
      default: .internalServerError
      }
    }
  }
#endif
