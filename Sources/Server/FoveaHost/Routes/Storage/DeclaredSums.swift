// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import HTTPTypes

/// The checksums that a client declares for an upload, in base64; nil if it declares none.
struct DeclaredSums: Sendable, Equatable {
  /// The checksums of the whole object.
  private(set) var crc32c: String?
  private(set) var md5: String?
  /// The MD5 in `Content-MD5`: that of the request's body (RFC 1864), or of the object.
  private(set) var content: String?

  init(crc32c: String?, md5: String?) {
    self.crc32c = crc32c
    self.md5 = md5
  }

  /// Reads `x-goog-hash: crc32c=…,md5=…` and `Content-MD5`, and an object's metadata.
  /// - Throws: `invalid` for a checksum of another kind, one that is too long, or two that differ.
  init(_ headers: HTTPFields, _ metadata: StorageRoutes.Metadata? = nil) throws(HostError) {
    if let sum = metadata?.crc32c { try Self.add(sum, "crc32c", to: &crc32c) }
    if let sum = metadata?.md5Hash { try Self.add(sum, "md5", to: &md5) }
    for piece in (headers[.xGoogHash] ?? "").split(separator: ",") {
      let piece = String(piece).trimmingBlanks
      if piece.hasPrefix("crc32c=") {
        try Self.add(String(piece.dropFirst(7)), "crc32c", to: &crc32c)
      } else if piece.hasPrefix("md5=") {
        try Self.add(String(piece.dropFirst(4)), "md5", to: &md5)
      } else if !piece.isEmpty {
        throw .invalidUpload("x-goog-hash has \(HostName.shown(piece)), but the host compares crc32c and md5")
      }
    }
    if let header = headers[.contentMD5] { try Self.add(header.trimmingBlanks, "md5", to: &content) }
  }

  /// Whether a client declares an MD5, which it may expect in the response.
  var hasMD5: Bool { md5 != nil || content != nil }

  /// Counts `Content-MD5` as the object's checksum if it is not that of the body, which has only metadata.
  /// - Throws: `invalid` if the client declares another MD5 for the object.
  mutating func assignContent(body: String?) throws(HostError) {
    if let content, content != body { try Self.add(content, "md5", to: &md5) }
    content = nil
  }

  /// Compares the checksums with those of all bytes of an upload; `body` is the MD5 of the request's body.
  /// - Throws: `corrupted`.
  func check(_ upload: any BlobUpload, body: String?) throws(HostError) {
    let found = StoredObject.checksumText(upload.crc32c)
    if let crc32c, crc32c != found { throw Self.corrupted("crc32c", found, crc32c) }
    guard hasMD5 else { return }
    let foundMD5 = upload.md5.map { Base64.encode($0) } ?? "unknown"
    if let md5, md5 != foundMD5 { throw Self.corrupted("md5", foundMD5, md5) }
    if let content, content != foundMD5, content != body { throw Self.corrupted("md5", foundMD5, content) }
  }

  /// Compares `Content-MD5` with the MD5 of a part of an upload, which is nil if the request has no part.
  /// - Throws: `corrupted`.
  func check(part body: String?) throws(HostError) {
    if let content, let body, content != body { throw Self.corrupted("md5", body, content) }
  }

  /// Returns the MD5 of bytes in base64.
  static func md5(of bytes: [UInt8]) -> String {
    Base64.encode(Array(Crypto.Insecure.MD5.hash(data: bytes)))
  }

  private static func add(_ value: String, _ name: String, to sum: inout String?) throws(HostError) {
    guard value.utf8.count <= (name == "md5" ? 24 : 16) else {
      throw .invalidUpload("The \(name) is not \(name == "md5" ? "sixteen" : "four") bytes in base64")
    }
    if let sum, sum != value {
      throw .invalidUpload(
        "The request declares two values of \(name): \(HostName.shown(sum)) and \(HostName.shown(value))")
    }
    sum = value
  }

  private static func corrupted(_ name: String, _ found: String, _ expected: String) -> HostError {
    HostError(
      .corrupted, "The bytes have the \(name) \(found), not \(HostName.shown(expected))",
      remedy: "Send the bytes again")
  }
}

extension HTTPField.Name {
  static let xGoogHash = HTTPField.Name(parsed: "x-goog-hash") ?? .eTag
  static let contentMD5 = HTTPField.Name(parsed: "content-md5") ?? .eTag
}
#endif
