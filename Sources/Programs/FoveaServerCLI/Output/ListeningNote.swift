// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The text that a server prints once it accepts connections.
struct ListeningNote {
  /// The address for clients on this machine.
  let url: String
  /// The SHA-256 of the self-signed certificate; nil without one.
  let fingerprint: String?
  /// The addresses for other machines, if the server listens on all.
  let others: [String]

  /// Returns a line that ends with `details`, and one for the fingerprint and each address.
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
