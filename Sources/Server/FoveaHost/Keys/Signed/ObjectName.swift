// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The bucket and name of an object in one of the host's buckets; a name is never a path on the disk.
package struct ObjectName: Sendable, Hashable {
  package let bucket: String
  package let name: String

  /// - Throws: `invalid` for a bucket or name of another form: names have 1 to 1,024 bytes, no control
  ///   characters, no backslashes, and no parts that are empty, `.` or `..`.
  package init(bucket: String, name: String) throws(HostError) {
    let isBucket =
      (3...63).contains(bucket.utf8.count)
      && bucket.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x5F, 0x2E, 0x2D].contains(byte)
      }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard isBucket, !bucket.contains("..") else {
      throw HostError(
        .invalid, "The name of the bucket is not 3 to 63 of a-z, 0-9, '.', '_' and '-'",
        remedy: "Use the bucket with which the host was created")
    }
    guard name.utf8.count <= 1_024, parts.allSatisfy({ !["", ".", ".."].contains($0) }),
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && $0 != "\\" })
    else {
      throw HostError(
        .invalid,
        "The name of the object is empty, too long, or has parts or characters that are not allowed",
        remedy: "Upload it under a name such as Firebase/ML/Models/model.tflite")
    }
    self.bucket = bucket
    self.name = name
  }
}
#endif
