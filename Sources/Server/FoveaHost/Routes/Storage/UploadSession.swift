// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// The target of a resumable upload.
///
/// Everything is contained in the id, which the host seals, and the progress is in the store: a session
/// survives a stop of the host.
package struct UploadSession: Sendable, Equatable {
  /// The upload in the ``BlobStore``.
  package let upload: String
  /// The name of the object.
  package let object: String
  /// The id of the key that started it.
  package let key: String
  /// The announced size and checksums; nil if there are none.
  package let total: Int64?
  package let crc32c: String?
  package let md5: String?
  package let created: Timestamp

  /// The lifetime of a session in seconds: a week, like Google's.
  static let lifetime: Double = 7 * 86_400

  package init(
    upload: String, object: String, key: String, total: Int64?, crc32c: String?, md5: String?,
    created: Timestamp
  ) {
    self.upload = upload
    self.object = object
    self.key = key
    self.total = total
    self.crc32c = crc32c
    self.md5 = md5
    self.created = created
  }

  /// Reads the session of an id; nil if this host did not issue it, or it has ended.
  package init?(id: String, ring: KeyRing, now: Timestamp) {
    // The ids of fovea 0.2 end after the key.
    guard let fields = ring.open(id, for: .upload), fields.count == 6 || fields.count == 7,
      let time = Int64(fields[4])
    else { return nil }
    self.init(
      upload: fields[0], object: fields[1], key: fields[5], total: Int64(fields[2]),
      crc32c: fields[3].isEmpty ? nil : fields[3],
      md5: fields.count < 7 || fields[6].isEmpty ? nil : fields[6],
      created: Timestamp(milliseconds: time))
    guard now < created.advanced(seconds: UploadSession.lifetime) else { return nil }
  }

  var sums: DeclaredSums { DeclaredSums(crc32c: crc32c, md5: md5) }

  package func id(_ ring: KeyRing) -> String {
    ring.seal(
      [
        upload, object, total.map { String($0) } ?? "", crc32c ?? "", String(created.milliseconds), key,
        md5 ?? "",
      ],
      for: .upload)
  }
}
#endif
