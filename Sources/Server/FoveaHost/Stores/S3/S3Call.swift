// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

/// One request to an S3 server.
struct S3Call: Sendable {
  enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file, read while it is sent.
    case file(String)
  }

  var method: String
  /// The key, without the prefix of the address; empty for the bucket.
  var key = ""
  var query: [String: String] = [:]
  /// Headers with names in lower case; all are signed.
  var headers: [String: String] = [:]
  var body = Body.none
  /// The SHA-256 of the body, which the server compares.
  var digest = S3Signature.emptyDigest

  init(_ method: String, _ key: String = "") {
    (self.method, self.key) = (method, key)
  }
}

/// Receives an answer: the bytes of an object are hashed or, with a file, written to it; others are kept in
/// memory.
// SAFETY: it is used by one owner at a time: the transfer's thread during the transfer, then the waiting
// task.
final class S3Receiver: HTTPTransfer.Receiver, @unchecked Sendable {
  /// The maximum size of an answer that is not an object, in bytes: a page of a list has some 400 kB.
  private static let limit = 4 << 20

  private let file: FileUpload?
  private let isObject: Bool
  /// The sums of an object; those of one that is written are the file's.
  private(set) var sums = BlobSums()
  private(set) var body: [UInt8] = []
  /// The fault of this machine's disk, which ended the transfer.
  private(set) var fault: HostError?

  init(isObject: Bool, file: FileUpload?) {
    (self.isObject, self.file) = (isObject, file)
  }

  func take(_ bytes: Span<UInt8>, head: HTTPHead) -> Bool {
    guard isObject, head.status == 200 else {
      for index in 0..<min(bytes.count, Self.limit - body.count) { body.append(bytes[index]) }
      return body.count < Self.limit
    }
    // SAFETY: hashing and writing only read the bytes and keep no pointer to them.
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let file else {
        unsafe sums.update(bytes)
        return true
      }
      do throws(HostError) { try unsafe file.write(bytes) } catch { fault = error }
      return fault == nil
    }
  }
}
#endif
