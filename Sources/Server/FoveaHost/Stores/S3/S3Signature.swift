// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore

/// Signs requests with AWS Signature Version 4.
///
/// **Source:** "Signature Calculations for the Authorization Header" and "Authenticating Requests: Using
/// Query Parameters", Amazon S3 API Reference.
struct S3Signature: Sendable {
  let credentials: S3Credentials
  let region: String
  let time: Timestamp

  static let emptyDigest = digest("")
  static let unsigned = "UNSIGNED-PAYLOAD"

  /// Signs a request.
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The encoded path.
  ///   - query: The names and values of the query, not encoded.
  ///   - headers: The headers to sign, with names in lower case, among them `host`.
  ///   - digest: The SHA-256 of the body.
  /// - Returns: The headers, with those of the signature.
  func headers(
    _ method: String, _ path: String, query: [String: String], headers: [String: String], digest: String
  ) -> [String: String] {
    var headers = headers
    headers["x-amz-date"] = date
    headers["x-amz-content-sha256"] = digest
    if let token = credentials.token { headers["x-amz-security-token"] = token }
    let signature = signature(method, path, Self.text(of: query), headers, digest)
    headers["authorization"] =
      "AWS4-HMAC-SHA256 Credential=\(credentials.key)/\(scope),"
      + "SignedHeaders=\(Self.names(headers)),Signature=\(signature)"
    return headers
  }

  /// Returns the query of an address for GET that needs no header.
  func query(_ path: String, host: String, lifetime: Int) -> String {
    var query = [
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": "\(credentials.key)/\(scope)",
      "X-Amz-Date": date, "X-Amz-Expires": String(lifetime), "X-Amz-SignedHeaders": "host",
    ]
    if let token = credentials.token { query["X-Amz-Security-Token"] = token }
    let text = Self.text(of: query)
    return "\(text)&X-Amz-Signature=\(signature("GET", path, text, ["host": host], Self.unsigned))"
  }

  /// Returns a query with its names in order.
  static func text(of query: [String: String]) -> String {
    query.map { (PercentText.encode($0.key), PercentText.encode($0.value)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// `20130524T000000Z`.
  private var date: String { time.text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }

  private var scope: String { "\(date.prefix(8))/\(region)/s3/aws4_request" }

  private static func names(_ headers: [String: String]) -> String {
    headers.keys.sorted().joined(separator: ";")
  }

  private func signature(
    _ method: String, _ path: String, _ query: String, _ headers: [String: String], _ digest: String
  ) -> String {
    let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)\n" }.joined()
    let request = [method, path, query, lines, Self.names(headers), digest].joined(separator: "\n")
    let text = ["AWS4-HMAC-SHA256", date, scope, Self.digest(request)].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secret)".utf8)
    for part in scope.split(separator: "/") { key = Self.code(String(part), key) }
    return Hexadecimal.encode(Self.code(text, key))
  }

  private static func code(_ text: String, _ key: [UInt8]) -> [UInt8] {
    Array(HMAC<Crypto.SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
  }

  static func digest(_ text: String) -> String {
    Hexadecimal.encode(Crypto.SHA256.hash(data: Array(text.utf8)))
  }
}
#endif
