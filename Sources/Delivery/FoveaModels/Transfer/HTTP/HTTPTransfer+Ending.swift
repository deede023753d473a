// SPDX-License-Identifier: Apache-2.0

import CCurl

extension HTTPTransfer {
  /// The end of a transfer.
  package enum Ending: Sendable, Hashable {
    case ok
    /// Stopped by the receiver, by cancelling its task, or at the deadline.
    case stopped
    /// The address is invalid, or its protocol is not allowed.
    case wrongURL
    /// The name cannot be resolved, or the connection or proxy failed.
    case unreachable
    case connectTimeout
    case stalled
    /// The connection ended early.
    case cut
    /// The certificate is invalid, or encryption failed.
    case notSecure
    case tooManyRedirects
    /// The file of a `file://` address cannot be read.
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
  /// Whether a retry may help.
  package var isTransient: Bool {
    if isLate { return false }
    if head.status >= 400 { return head.status == 408 || head.status == 429 || head.status >= 500 }
    return [.cut, .stalled, .unreachable, .connectTimeout].contains(result)
  }
}
