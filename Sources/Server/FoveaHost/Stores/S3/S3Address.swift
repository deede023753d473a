// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The place of files in a bucket: `s3://bucket/prefix?endpoint=https://s3.example&region=eu-west-1`.
///
/// Only the endpoint is ever contacted, by its path style: `https://s3.example/bucket/prefix/…`.
package struct S3Address: Sendable, Equatable {
  package let bucket: String
  /// The start of all keys, without `/` at its ends; empty for the whole bucket.
  package let prefix: String
  /// `https://` or `http://` and the host with its port, unless that is the scheme's own.
  package let endpoint: String
  /// `us-east-1` by default.
  package let region: String

  /// - Throws: `invalid`, with the part that is wrong.
  package init(_ text: String) throws(HostError) {
    guard text.hasPrefix("s3://") else {
      throw Self.wrong("\(HostName.shown(text)) does not start with s3://")
    }
    let halves = text.dropFirst(5).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    bucket = String(path[0])
    guard (3...63).contains(bucket.utf8.count), Self.isMade(bucket, of: "-.", lowerCase: true) else {
      throw Self.wrong(
        bucket.isEmpty
          ? "The address names no bucket"
          : "The bucket \(HostName.shown(bucket)) is not 3 to 63 lower-case letters, digits, '-' and '.'")
    }
    let names = path.count > 1 ? path[1].split(separator: "/") : []
    prefix = names.joined(separator: "/")
    guard prefix.utf8.count <= 200, !names.contains("."), !names.contains(".."),
      Self.isMade(prefix, of: "-._/")
    else {
      throw Self.wrong("The prefix is not up to 200 letters, digits, '-', '.', '_' and '/'")
    }
    var given: [Substring: String] = [:]
    for pair in halves.count > 1 ? halves[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, ["endpoint", "region"].contains(parts[0]), given[parts[0]] == nil,
        let value = PercentText.decode(parts[1])
      else {
        throw Self.wrong("\(HostName.shown(String(pair))) is not one endpoint=… or region=…")
      }
      given[parts[0]] = value
    }
    guard let endpoint = given["endpoint"] else { throw Self.wrong("The address names no endpoint") }
    self.endpoint = try Self.origin(endpoint)
    region = given["region"] ?? "us-east-1"
    guard (1...63).contains(region.utf8.count), Self.isMade(region, of: "-") else {
      throw Self.wrong("\(HostName.shown(region)) is not a region")
    }
  }

  /// The value of the header `Host`.
  var host: String {
    String(endpoint[(endpoint.firstRange(of: "://")?.upperBound ?? endpoint.startIndex)...])
  }

  /// The path of a key, or of the bucket if it is empty; all of its characters are plain.
  func path(_ key: String) -> String { "/" + bucket + (key.isEmpty ? "" : "/" + full(key)) }

  /// Returns a key with the prefix.
  func full(_ key: String) -> String { prefix.isEmpty ? key : prefix + "/" + key }

  /// The address as an operator writes it.
  package var text: String {
    "s3://\(bucket)\(prefix.isEmpty ? "" : "/" + prefix)?endpoint=\(endpoint)&region=\(region)"
  }

  /// Returns an endpoint without a slash at its end and without the scheme's own port, as clients send it.
  private static func origin(_ text: String) throws(HostError) -> String {
    let schemes = ["https://": ":443", "http://": ":80"]
    guard let (scheme, port) = schemes.first(where: { text.hasPrefix($0.key) }) else {
      throw wrong("The endpoint \(HostName.shown(text)) does not start with https:// or http://")
    }
    var host = text.dropFirst(scheme.count)
    if host.hasSuffix("/") { host.removeLast() }
    guard !host.isEmpty, host.utf8.count <= 253, isMade(String(host), of: "-.:[]_") else {
      throw wrong("The endpoint \(HostName.shown(text)) is not a scheme, a host and a port")
    }
    if host.hasSuffix(port), !host.hasSuffix("]") { host.removeLast(port.count) }
    return scheme + host
  }

  private static func isMade(_ text: String, of marks: String, lowerCase: Bool = false) -> Bool {
    let marks = Set(marks.utf8)
    return text.utf8.allSatisfy { byte in
      byte.isASCIIDigit || (0x61...0x7A).contains(byte) || marks.contains(byte)
        || (!lowerCase && (0x41...0x5A).contains(byte))
    }
  }

  private static func wrong(_ message: String) -> HostError {
    HostError(
      .invalid, message, remedy: "Give s3://bucket/prefix?endpoint=https://s3.example&region=us-east-1")
  }
}
#endif
