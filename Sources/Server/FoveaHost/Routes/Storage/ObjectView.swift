// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension StoredObject {
  /// Returns the checksum in Cloud Storage's form: four big-endian bytes in base64.
  static func checksumText(_ crc32c: UInt32) -> String {
    Base64.encode([
      UInt8(truncatingIfNeeded: crc32c >> 24), UInt8(truncatingIfNeeded: crc32c >> 16),
      UInt8(truncatingIfNeeded: crc32c >> 8), UInt8(truncatingIfNeeded: crc32c),
    ])
  }

  /// Writes the object in the form of Cloud Storage's JSON API.
  func write(to json: inout JSONText) {
    json.member("kind", "storage#object")
    json.member("id", "\(bucket)/\(name)/\(generation)")
    json.member("name", name)
    json.member("bucket", bucket)
    json.member("generation", String(generation))
    json.member("metageneration", "1")
    json.member("contentType", "application/octet-stream")
    json.member("size", String(size))
    json.member("crc32c", StoredObject.checksumText(crc32c))
    json.member("etag", sha256)
    json.member("timeCreated", created.text)
    json.member("updated", created.text)
  }
}

/// An object in the response to its upload.
struct UploadedObject: Sendable {
  let object: StoredObject
  /// The MD5 in base64; nil unless the client declared one, since it is not stored.
  let md5: String?

  init(_ object: StoredObject, _ blob: FinishedBlob, _ sums: [DeclaredSums]) {
    self.object = object
    md5 = sums.contains(where: \.hasMD5) ? blob.md5.map { Base64.encode($0) } : nil
  }

  /// The value of `x-goog-hash`.
  var hash: String {
    "crc32c=\(StoredObject.checksumText(object.crc32c))" + (md5.map { ",md5=\($0)" } ?? "")
  }

  func write(to json: inout JSONText) {
    object.write(to: &json)
    if let md5 { json.member("md5Hash", md5) }
  }
}
#endif
