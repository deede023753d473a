// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What a server prints once it takes connections.
struct ListeningNote {
  /// The address that clients on this machine use.
  let url: String
  /// The SHA-256 of the certificate that the server has made for itself; nil where it has none.
  let fingerprint: String?
  /// The addresses that other machines may use, where it listens on all.
  let others: [String]

  /// One line, `details` at its end, and one for each thing to compare or to open.
  func text(_ details: String = "") -> String {
    var text = "listening \(url)\(details)\n"
    if let fingerprint { text += "certificate SHA-256 \(fingerprint)\n" }
    for other in others { text += "reachable \(other)\n" }
    return text
  }

  /// The same as one line of JSON.
  var json: String {
    JSONText.line { json in
      json.member("listening", url)
      if let fingerprint { json.member("certificateSHA256", fingerprint) }
      if !others.isEmpty { json.member("reachable", others) }
    }
  }
}
#endif
