// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes

/// The metadata of the bytes in one request of a resumable upload.
struct UploadPiece: Sendable {
  /// The range of its bytes; nil if it asks for the progress of the upload.
  let range: Range<Int64>?
  /// The total size; nil if it is not known yet.
  let total: Int64?
  /// The checksums of the whole upload, which the last piece contains, and that of this piece.
  let sums: DeclaredSums

  /// Reads the headers; `size` is the present size of the upload, and `maximum` the largest that the host
  /// accepts.
  /// - Throws: `invalid` for a gap, an overlap, or figures that contradict each other; `too-large`.
  init(_ headers: HTTPFields, of session: UploadSession, size: Int64, maximum: Int64) throws(HostError) {
    let length = headers[.contentLength].flatMap { Int64($0) }
    sums = try DeclaredSums(headers)
    if let header = headers[.contentRange] {
      guard let content = ContentRange(header) else {
        throw .invalidUpload("Content-Range is not 'bytes FIRST-LAST/TOTAL'")
      }
      range = content.bytes
      total = content.total ?? session.total
    } else {
      // Without the header it is the whole upload.
      total = session.total ?? length
      guard size == 0 else {
        throw .invalidUpload("Content-Range is missing, but \(size) bytes have already arrived")
      }
      range = 0..<max(total ?? length ?? .max, 0)
    }
    if let known = session.total, let total, known != total {
      throw .invalidUpload("The upload was announced with \(known) bytes, but Content-Range has \(total)")
    }
    if let range {
      guard range.lowerBound == size else {
        throw .invalidUpload(
          "Content-Range begins at \(range.lowerBound), but \(size) bytes of the upload have arrived")
      }
      if let length, range.upperBound < .max, length != range.upperBound - range.lowerBound {
        throw .invalidUpload(
          "Content-Length is \(length), but Content-Range announces \(range.upperBound - range.lowerBound)"
        )
      }
    } else if let length, length > 0 {
      throw .invalidUpload("Content-Length is \(length), but Content-Range announces no bytes")
    }
    if let total, total < size {
      throw .invalidUpload("Content-Range has \(total) bytes in total, but \(size) have already arrived")
    }
    guard max(total ?? 0, range.map { $0.upperBound < .max ? $0.upperBound : 0 } ?? 0) <= maximum else {
      throw UploadPiece.tooLarge(maximum)
    }
  }

  static func tooLarge(_ maximum: Int64) -> HostError {
    HostError(
      .tooLarge,
      "The upload has more than \(DecimalText.grouped(Int(maximum))) bytes, the limit of this host",
      remedy: "Send a smaller file, or start the host with a larger \(flag: "max-upload")")
  }
}
#endif
