// SPDX-License-Identifier: Apache-2.0

import CCurl

extension HTTPTransfer {
  /// What ended a transfer.
  package enum Ending: Sendable, Hashable {
    case ok
    /// By the receiver, or because its task was cancelled or its time is over.
    case stopped
    /// The address cannot be read, or its protocol is not allowed.
    case wrongURL
    /// No address, no connection, no proxy.
    case unreachable
    case connectTimeout
    case stalled
    /// The connection ended early.
    case cut
    /// Certificate or encryption.
    case notSecure
    case tooManyRedirects
    /// Of `file://`.
    case noFile
    case other

    init(_ result: fovea_curl_result) {
      self =
        switch result {
        case FOVEA_CURL_OK: .ok
        case FOVEA_CURL_STOPPED: .stopped
        case FOVEA_CURL_WRONG_URL: .wrongURL
        case FOVEA_CURL_UNREACHABLE: .unreachable
        case FOVEA_CURL_CONNECT_TIMEOUT: .connectTimeout
        case FOVEA_CURL_STALLED: .stalled
        case FOVEA_CURL_CUT: .cut
        case FOVEA_CURL_TLS: .notSecure
        case FOVEA_CURL_TOO_MANY_REDIRECTS: .tooManyRedirects
        case FOVEA_CURL_NO_FILE: .noFile
        default: .other
        }
    }
  }
}

extension HTTPTransfer.Outcome {
  /// Whether asking again may help.
  package var isTransient: Bool {
    if isLate { return false }
    if head.status >= 400 { return head.status == 408 || head.status == 429 || head.status >= 500 }
    return [.cut, .stalled, .unreachable, .connectTimeout].contains(result)
  }
}
