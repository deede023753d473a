// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Crypto
import CryptoExtras
import FoveaCore
package import HTTPTypes

/// Verifies URLs of objects signed by a service account: Google's V4 and V2, with RSA.
///
/// **Source:** Google Cloud Storage, "Signatures" and "Canonical requests" of V4 signing.
package struct SignedObjectURL: Sendable {
  package let object: ObjectName
  /// The identity whose key signed it.
  package let signer: Identity
  /// The changes of the response that the URL requests.
  package let parameters: SignedParameters

  /// The query items of a V4 URL; a URL that lacks one is refused.
  private static let names: Set<String> = [
    "X-Goog-Algorithm", "X-Goog-Credential", "X-Goog-Date", "X-Goog-Expires", "X-Goog-SignedHeaders",
    "X-Goog-Signature",
  ]
  /// The methods that a URL may allow.
  private static let methods: Set<String> = ["GET", "HEAD", "PUT", "DELETE"]
  /// Google's maximum lifetime of a URL, in seconds.
  private static let longest = 604_800

  /// Verifies the URL of a request.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - path: The percent-coded path of the request.
  ///   - query: The query without the question mark.
  ///   - headers: The headers of the request, some of which the signature may cover.
  ///   - authority: The keys and the host's name; a request's `Host` is not trusted.
  /// - Throws: `expired` if it is only out of date; `forbidden` if no valid key of the host signed it;
  ///   `invalid` if it has a parameter that the host does not support.
  package init(
    method: String, path: String, query: String, headers: HTTPFields = [:], authority: Authority
  ) throws(HostError) {
    guard Self.methods.contains(method), let items = QueryItems(query) else { throw Self.forged }
    let signer: Authority.Signer
    let further: [String: String]
    if items["GoogleAccessId"] == nil {
      signer = try Self.signer(method, path, items, headers, authority)
      further = items.values.filter { !Self.names.contains($0.key) }
    } else {
      further = try Self.formerParameters(query)
      signer = try Self.formerSigner(method, path, items, further, headers, authority)
    }
    let place = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard path.hasPrefix("/"), place.count == 2, let bucket = PercentText.decode(place[0]),
      let name = PercentText.decode(place[1])
    else { throw Self.forged }
    object = try ObjectName(bucket: bucket, name: name)
    self.signer = Authority.identity(signer.key, signer.key.role.scopes)
    parameters = try SignedParameters(further, method: method)
  }

  /// Returns the signer of a V4 URL.
  private static func signer(
    _ method: String, _ path: String, _ items: QueryItems, _ headers: HTTPFields, _ authority: Authority
  ) throws(HostError) -> Authority.Signer {
    guard names.isSubset(of: items.values.keys),
      items["X-Goog-Algorithm"] == "GOOG4-RSA-SHA256", let credential = items["X-Goog-Credential"],
      let date = items["X-Goog-Date"],
      let signature = items["X-Goog-Signature"].flatMap({ Hexadecimal.decode($0) })
    else { throw forged }
    let parts = credential.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[1] == date.prefix(8), parts[3] == "storage", parts[4] == "goog4_request",
      let start = seconds(date)
    else { throw forged }
    let signed = try SignedHeaders(items["X-Goog-SignedHeaders"] ?? "", headers, host: authority.hostName)
    let request = [
      method, path, items.removing("X-Goog-Signature").canonical, signed.canonical, signed.names,
      signed.payload,
    ].joined(separator: "\n")
    let digest = Hexadecimal.encode(Crypto.SHA256.hash(data: Array(request.utf8)))
    let text = ["GOOG4-RSA-SHA256", date, parts[1...].joined(separator: "/"), digest].joined(separator: "\n")
    let found = try signer(of: text, signature, email: parts[0], authority)
    try check(start: start, lifetime: items["X-Goog-Expires"], now: authority.now())
    return found
  }

  /// Returns the valid key of an account that signed a string.
  /// - Throws: `forbidden` if there is none.
  static func signer(
    of text: String, _ signature: [UInt8], email: String, _ authority: Authority
  ) throws(HostError) -> Authority.Signer {
    let rsa = _RSA.Signing.RSASignature(rawRepresentation: signature)
    let found = authority.signers(email: email).first { signer in
      signer.publicKey.isValidSignature(rsa, for: Array(text.utf8), padding: .insecurePKCS1v1_5)
    }
    guard let found else { throw forged }
    return found
  }

  private static func check(start: Int64, lifetime: String?, now: Timestamp) throws(HostError) {
    guard let lifetime = lifetime.flatMap({ Int64($0) }), (1...Int64(longest)).contains(lifetime) else {
      throw forged
    }
    let seconds = now.milliseconds / 1000
    guard seconds >= start - 900 else {
      throw HostError(
        .forbidden, "The time of the signed URL is in the future", remedy: "Check the clock of its signer")
    }
    guard now.milliseconds < (start + lifetime) * 1000 else { throw expired }
  }

  static let expired = HostError(.expired, "The signed URL has expired", remedy: "Sign it again")

  static let forged = HostError(
    .forbidden, "The URL is not signed by a key of this host",
    remedy: "Sign it with a key created by the host")

  /// Returns the seconds since 1970 of `20261122T101112Z`; nil for any other form.
  static func seconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == 0x54, bytes[15] == 0x5A else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int64(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11),
      let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60, second < 61,
      year >= 1970, let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
  }
}

extension Authority {
  /// The name and port at which clients reach the host.
  var hostName: String {
    String(address.dropFirst(address.hasPrefix("https://") ? 8 : 7))
  }
}
#endif
