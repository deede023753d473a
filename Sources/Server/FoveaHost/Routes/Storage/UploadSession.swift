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
  /// The announced size and checksum; nil if there are none.
  package let total: Int64?
  package let crc32c: String?
  package let created: Timestamp

  /// The lifetime of a session in seconds: a week, like Google's.
  static let lifetime: Double = 7 * 86_400

  package init(
    upload: String, object: String, key: String, total: Int64?, crc32c: String?, created: Timestamp
  ) {
    self.upload = upload
    self.object = object
    self.key = key
    self.total = total
    self.crc32c = crc32c
    self.created = created
  }

  /// Reads the session of an id; nil if this host did not issue it, or it has ended.
  package init?(id: String, ring: KeyRing, now: Timestamp) {
    guard let fields = ring.open(id, for: .upload), fields.count == 6, let time = Int64(fields[4]) else {
      return nil
    }
    self.init(
      upload: fields[0], object: fields[1], key: fields[5], total: Int64(fields[2]),
      crc32c: fields[3].isEmpty ? nil : fields[3], created: Timestamp(milliseconds: time))
    guard now < created.advanced(seconds: UploadSession.lifetime) else { return nil }
  }

  package func id(_ ring: KeyRing) -> String {
    ring.seal(
      [upload, object, total.map { String($0) } ?? "", crc32c ?? "", String(created.milliseconds), key],
      for: .upload)
  }
}
#endif
