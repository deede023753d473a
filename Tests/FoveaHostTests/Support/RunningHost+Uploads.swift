// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHost
import FoveaTesting

extension RunningHost {
  static let bucket = "test-project.appspot.com"
  static let uploads = "/upload/storage/v1/b/\(bucket)/o"

  /// The header of Cloud Storage's clients: the checksum in base64.
  static func checksum(_ text: String) -> String {
    var sum = CRC32C()
    var bytes = Array(text.utf8)
    // SAFETY: the checksum only reads the bytes.
    unsafe bytes.withUnsafeMutableBytes { unsafe sum.update(UnsafeRawBufferPointer($0)) }
    let value = sum.value
    return Base64.encode((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) })
  }

  /// The MD5 in base64.
  static func md5(_ text: String) -> String {
    Base64.encode(Array(Crypto.Insecure.MD5.hash(data: Array(text.utf8))))
  }

  /// Starts a resumable upload.
  /// - Returns: Path and query of the session.
  func begin(_ name: String, headers: [String: String] = [:]) throws -> String {
    let answer = try send(
      as: .publisher, "POST", "\(Self.uploads)?uploadType=resumable", headers: headers,
      body: #"{"name": "\#(name)"}"#)
    guard let location = answer.headers["location"], location.hasPrefix("http://127.0.0.1/") else {
      throw TestFailure("no session: \(answer.status) \(answer.body)")
    }
    return String(location.dropFirst("http://127.0.0.1".count))
  }

  /// Sends a chunk, or asks for an upload's progress.
  func piece(_ session: String, _ range: String, _ text: String = "", hash: String? = nil) throws -> Answer {
    var headers = ["Content-Range": range]
    if let hash { headers["X-Goog-Hash"] = "crc32c=\(hash)" }
    return try send("PUT", session, headers: headers, body: Array(text.utf8))
  }

  /// Uploads a file in one request.
  func upload(_ name: String, _ text: String) throws -> Answer {
    try send(as: .publisher, "POST", "\(Self.uploads)?uploadType=media&name=\(name)", body: text)
  }

  /// The names of the stored files.
  var storedFiles: [String] {
    get throws {
      let blobs = folder["blobs/sha256"]
      return try Folder.names(in: blobs).flatMap { digits in
        try Folder.names(in: blobs + "/" + digits).map { digits + $0 }
      }
    }
  }

  /// The sizes of unfinished uploads.
  var uploadSizes: [Int] {
    let names = (try? Folder.names(in: folder["uploads"])) ?? []
    return names.compactMap { FileStatus(FilePath(folder["uploads"] + "/" + $0))?.size }
  }

  /// The number of unfinished uploads.
  var uploadsUnderWay: Int { (try? Folder.names(in: folder["uploads"]).count) ?? -1 }
}
#endif
