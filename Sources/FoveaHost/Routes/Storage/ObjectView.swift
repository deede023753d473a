// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaSystem

  extension StoredObject {
    /// The checksum as Cloud Storage shows it: four big-endian bytes in base64.
    static func checksumText(_ crc32c: UInt32) -> String {
      Base64.encode([
        UInt8(truncatingIfNeeded: crc32c >> 24), UInt8(truncatingIfNeeded: crc32c >> 16),
        UInt8(truncatingIfNeeded: crc32c >> 8), UInt8(truncatingIfNeeded: crc32c),
      ])
    }

    /// Writes the object as Cloud Storage's JSON API shows it.
    func write(to json: inout JSONText) {
      json.key("kind")
      json.string("storage#object")
      json.key("id")
      json.string("\(bucket)/\(name)/\(generation)")
      json.key("name")
      json.string(name)
      json.key("bucket")
      json.string(bucket)
      json.key("generation")
      json.string(String(generation))
      json.key("metageneration")
      json.string("1")
      json.key("contentType")
      json.string("application/octet-stream")
      json.key("size")
      json.string(String(size))
      json.key("crc32c")
      json.string(StoredObject.checksumText(crc32c))
      json.key("etag")
      json.string(sha256)
      json.key("timeCreated")
      json.string(created.text)
      json.key("updated")
      json.string(created.text)
    }
  }
#endif
