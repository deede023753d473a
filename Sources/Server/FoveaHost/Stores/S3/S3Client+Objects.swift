// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaModels

/// An object as the server describes it.
struct S3Object: Sendable, Equatable {
  /// Changes when the object is written again.
  let tag: String
  let size: Int64
}

extension S3Client {
  /// Returns the description of an object; nil if there is none.
  func head(_ key: String) async throws(HostError) -> S3Object? {
    let reply = try await send(S3Call("HEAD", key))
    guard reply.status != 404 else { return nil }
    try check(reply)
    guard let size = reply.outcome.head.contentLength else { throw reply.error(at: address) }
    return S3Object(tag: reply.tag, size: Int64(size))
  }

  /// Reads an object.
  /// - Returns: Its tag and the checksums of its bytes; nil if there is none.
  func get(_ key: String) async throws(HostError) -> (tag: String, blob: FinishedBlob)? {
    guard let reply = try await object(key) else { return nil }
    return (reply.tag, reply.sums.finished)
  }

  /// Reads an object into a file, which counts the checksums.
  /// - Returns: Its tag; nil if there is none.
  func get(_ key: String, into file: FileUpload) async throws(HostError) -> String? {
    try await object(key, into: file)?.tag
  }

  private func object(_ key: String, into file: FileUpload? = nil) async throws(HostError) -> S3Reply? {
    let reply = try await send(S3Call("GET", key), isObject: true, file: file)
    guard reply.status != 404 || reply.code == "NoSuchBucket" else { return nil }
    try check(reply)
    return reply
  }

  /// Reads a small object, such as a mark; nil if there is none.
  func small(_ key: String) async throws(HostError) -> S3Reply? {
    let reply = try await send(S3Call("GET", key))
    guard reply.status != 404 || reply.code != "NoSuchKey" else { return nil }
    try check(reply)
    return reply
  }

  /// Writes a small object, unless it exists.
  /// - Returns: False if it exists.
  func putNew(_ key: String, _ bytes: [UInt8]) async throws(HostError) -> Bool {
    var call = S3Call("PUT", key)
    call.headers = ["content-type": "application/json", "if-none-match": "*"]
    call.body = .bytes(bytes)
    call.digest = Hexadecimal.encode(Crypto.SHA256.hash(data: bytes))
    let reply = try await send(call)
    guard reply.status != 412, reply.status != 409 else { return false }
    try check(reply)
    return true
  }

  /// Writes a file as an object; the server compares its SHA-256.
  /// - Returns: The tag; nil if the server does not return it.
  func put(_ key: String, path: String, _ blob: FinishedBlob) async throws(HostError) -> String? {
    guard blob.size <= largestWhole else {
      try await putParts(key, path: path, size: blob.size)
      return nil
    }
    var call = S3Call("PUT", key)
    call.headers = ["content-type": "application/octet-stream"]
    call.body = blob.size > 0 ? .file(path) : .none
    call.digest = blob.sha256
    let reply = try await send(call)
    try check(reply)
    return reply.tag
  }

  /// Removes an object, if there is one.
  func delete(_ key: String) async throws(HostError) {
    let reply = try await send(S3Call("DELETE", key))
    guard reply.status != 404 || reply.code == "NoSuchBucket" else { return }
    try check(reply)
  }

  /// Calls `body` with the key, size and time of the last change of each object below a prefix.
  func list(
    _ prefix: String, _ body: (_ key: Substring, _ size: Int64, _ changed: Timestamp) -> Void
  ) async throws(HostError) {
    let start = address.full(prefix)
    var last = ""
    while true {
      var call = S3Call("GET")
      call.query = ["list-type": "2", "prefix": start]
      if !last.isEmpty { call.query["start-after"] = last }
      let reply = try await send(call)
      try check(reply)
      let text = reply.text
      guard let isTruncated = S3XML.value("IsTruncated", in: text) else { throw reply.error(at: address) }
      let before = last
      for part in text.split(separator: "<Contents>").dropFirst() {
        guard let key = S3XML.value("Key", in: part), let count = S3XML.value("Size", in: part),
          let time = S3XML.value("LastModified", in: part), key.hasPrefix(start), let size = Int64(count),
          let changed = Timestamp(text: String(time))
        else { throw reply.error(at: address) }
        last = S3XML.plain(key)
        body(key.dropFirst(start.count), size, changed)
      }
      guard isTruncated == "true", last != before else { return }
    }
  }

  func check(_ reply: S3Reply) throws(HostError) {
    guard reply.isSuccess else { throw reply.error(at: address) }
  }

  // MARK: Parts

  private func putParts(_ key: String, path: String, size: Int64) async throws(HostError) {
    var start = S3Call("POST", key)
    start.query = ["uploads": ""]
    start.headers = ["content-type": "application/octet-stream"]
    let begun = try await send(start)
    try check(begun)
    guard let id = S3XML.value("UploadId", in: begun.text).map(String.init) else {
      throw begun.error(at: address)
    }
    do throws(HostError) {
      var tags: [String] = []
      for offset in stride(from: 0, to: size, by: part) {
        tags.append(try await putPart(key, id, tags.count + 1, path: path, offset: offset))
      }
      try await complete(key, id, tags)
    } catch {
      // Otherwise its parts would stay, unseen, until the bucket's own rule removes them. The failure may be
      // that this task is cancelled, so another one does it.
      await Task {
        var abort = S3Call("DELETE", key)
        abort.query = ["uploadId": id]
        _ = try? await send(abort)
      }.value
      throw error
    }
  }

  private func putPart(
    _ key: String, _ id: String, _ number: Int, path: String, offset: Int64
  ) async throws(HostError) -> String {
    let part = part
    let bytes = try await BlockingWork.run { _ throws(HostError) -> [UInt8] in
      let file = try FileBlob(path: path)
      var bytes = [UInt8](repeating: 0, count: Int(min(Int64(part), max(0, file.size - offset))))
      let count = try file.read(at: offset, into: &bytes)
      return Array(bytes[..<count])
    }
    var call = S3Call("PUT", key)
    call.query = ["partNumber": String(number), "uploadId": id]
    call.headers = ["content-type": "application/octet-stream"]
    call.body = .bytes(bytes)
    call.digest = Hexadecimal.encode(Crypto.SHA256.hash(data: bytes))
    let reply = try await send(call)
    try check(reply)
    return reply.tag
  }

  private func complete(_ key: String, _ id: String, _ tags: [String]) async throws(HostError) {
    let parts = tags.enumerated().map { number, tag in
      "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
    }
    let text = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    var call = S3Call("POST", key)
    call.query = ["uploadId": id]
    call.headers = ["content-type": "application/xml"]
    call.body = .bytes(Array(text.utf8))
    call.digest = S3Signature.digest(text)
    try check(await send(call))
  }
}
#endif
