// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import NIOHTTP1
import NIOHTTPTypesHTTP1

extension Refusal {
  /// What an error of the parser is to the caller; nil for errors of the connection.
  init?(parserError error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow:
      self.init(
        .requestHeaderFieldsTooLarge, "request-too-large", "The head of the request is too large",
        remedy: "Send fewer headers")
    case HTTPParserError.invalidEOFState: self = .clientGone
    case is HTTPParserError, is HTTP1TypeConversionError:
      self.init(
        .badRequest, "request-malformed", "The request is not valid HTTP/1.1", remedy: "Send RFC 9112")
    default: return nil
    }
  }
}
#endif
