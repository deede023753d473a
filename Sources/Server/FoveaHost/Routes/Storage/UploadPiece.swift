// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes

/// What one request of a resumable upload says about the bytes that it carries.
struct UploadPiece: Sendable {
  /// Where its bytes belong; nil where it asks how far the upload is.
  let range: Range<Int64>?
  /// Size of the whole; nil where it is not known yet.
  let total: Int64?
  /// Checksum of the whole, which the last piece carries.
  let crc32c: String?

  /// Reads the headers; `size` is how far the upload is, and `maximum` the largest one that the host takes.
  /// - Throws: `invalid` for a gap, an overlap, or figures that contradict each other; `too-large`.
  init(_ headers: HTTPFields, of session: UploadSession, size: Int64, maximum: Int64) throws(HostError) {
    let length = headers[.contentLength].flatMap { Int64($0) }
    crc32c = UploadPiece.sum(headers)
    if let header = headers[.contentRange] {
      guard let content = ContentRange(header) else {
        throw .invalidUpload("Content-Range is not 'bytes FIRST-LAST/TOTAL'")
      }
      range = content.bytes
      total = content.total ?? session.total
    } else {
      // Without the header it is the whole upload.
      total = session.total ?? length
      guard size == 0 else { throw .invalidUpload("Content-Range is missing, and \(size) bytes are here") }
      range = 0..<max(total ?? length ?? .max, 0)
    }
    if let known = session.total, let total, known != total {
      throw .invalidUpload("The upload was announced with \(known) bytes, and Content-Range has \(total)")
    }
    if let range {
      guard range.lowerBound == size else {
        throw .invalidUpload(
          "Content-Range begins at \(range.lowerBound), and \(size) bytes of the upload are here")
      }
      if let length, range.upperBound < .max, length != range.upperBound - range.lowerBound {
        throw .invalidUpload(
          "Content-Length is \(length), and the bytes are announced as \(range.upperBound - range.lowerBound)"
        )
      }
    } else if let length, length > 0 {
      throw .invalidUpload("Content-Length is \(length), and Content-Range announces no bytes")
    }
    if let total, total < size {
      throw .invalidUpload("Content-Range has \(total) bytes in all, and \(size) are here already")
    }
    guard max(total ?? 0, range.map { $0.upperBound < .max ? $0.upperBound : 0 } ?? 0) <= maximum else {
      throw UploadPiece.tooLarge(maximum)
    }
  }

  /// The checksum of `x-goog-hash: crc32c=…,md5=…`.
  static func sum(_ headers: HTTPFields) -> String? {
    guard let header = headers[.xGoogHash] else { return nil }
    let pieces = header.split(separator: ",").map { String($0).trimmingBlanks }
    return pieces.first { $0.hasPrefix("crc32c=") }.map { String($0.dropFirst(7)) }
  }

  static func tooLarge(_ maximum: Int64) -> HostError {
    HostError(
      .tooLarge, "The upload has more than the \(maximum) bytes that this host takes",
      remedy: "Send a smaller file, or start the host with a larger \(flag: "max-upload")")
  }
}
#endif
