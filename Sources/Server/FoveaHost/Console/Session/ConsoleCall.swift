// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Hummingbird

/// A request of a signed-in user.
struct ConsoleCall: Sendable {
  let session: ConsoleSession
  let request: Request
  let context: HTTPContext
  /// The fields of the form, or of the query for a request that reads.
  let fields: RequestQuery
  /// The SHA-256 of the form, by which one that is sent twice is known; empty for a request that reads.
  var digest = ""

  /// The form as its user sent it.
  var form: SentForms.Form { SentForms.Form(session, path: request.uri.path, digest: digest) }

  /// The revision that the form's confirmation has shown.
  var seen: SeenRevision { SeenRevision(form: fields["revision"]) }

  func may(_ scope: Scope) -> Bool { session.identity.scopes.contains(scope) }

  /// Returns a field that the form must have.
  /// - Throws: `invalid` that names it.
  func field(_ name: String) throws(HostError) -> String {
    guard let value = fields[name]?.withPlainLineEnds, !value.isEmpty else {
      throw HostError(.invalid, "The field '\(name)' is empty", remedy: "Fill it in, and send the form again")
    }
    return value
  }

  /// Returns a whole number that the form must have.
  func number(_ name: String) throws(HostError) -> Int {
    let text = try field(name)
    guard let number = Int(text) else {
      throw HostError(
        .invalid, "The field '\(name)' is '\(text.prefix(40))', not a whole number", remedy: "Correct it")
    }
    return number
  }

  /// Returns a part of the path.
  func path(_ name: String) -> String {
    context.parameters.get(name).flatMap { PercentText.decode($0) } ?? ""
  }
}

extension String {
  /// The text with `\n` as line breaks; browsers send `\r\n` for each line break of a text field.
  var withPlainLineEnds: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    // Bytes, since the text may have megabytes.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif
