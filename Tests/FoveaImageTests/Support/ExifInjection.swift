// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// Writes EXIF blocks by hand into encoded images.
enum ExifInjection {
  /// A TIFF header and one directory with one entry.
  static func tiff(
    orientation: Int, littleEndian: Bool = true, type: Int = 3, tag: Int = 0x0112, directory: Int = 8,
    count: Int = 1
  ) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return littleEndian ? little : little.reversed()
    }
    var block: [UInt8] = littleEndian ? [0x49, 0x49] : [0x4d, 0x4d]
    block += number(42, 2) + number(directory, 4)
    block += number(count, 2) + number(tag, 2) + number(type, 2) + number(1, 4)
    block += type == 4 ? number(orientation, 4) : number(orientation, 2) + [0, 0]
    block += number(0, 4)
    return block
  }

  /// The image with the block inserted.
  static func insert(_ block: [UInt8], into file: [UInt8], _ format: ImageFormat) -> [UInt8] {
    switch format {
    case .jpeg:
      let payload = [UInt8]("Exif".utf8) + [0, 0] + block
      let length = payload.count + 2
      return Array(file[..<2]) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + payload + file[2...]
    case .png:
      // After the signature (8 bytes) and IHDR (25).
      return Array(file[..<33]) + chunk("eXIf", block) + file[33...]
    case .webp:
      return extendedWebP(file, exif: block)
    case .heic, .avif, .gif, .bmp, .tiff:
      return file
    }
  }

  /// A PNG chunk with its checksum.
  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = [UInt8](type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc32(body)))
  }

  static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func littleEndian(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// **Source:** PNG, annex D.
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return crc ^ 0xffff_ffff
  }

  /// Wraps a plain WebP's VP8 chunk into the extended layout with an EXIF chunk.
  private static func extendedWebP(_ file: [UInt8], exif: [UInt8]) -> [UInt8] {
    guard let image = try? EncodedImage(bytes: file, name: "webp") else { return [] }
    let flags: [UInt8] = [0x08, 0, 0, 0]
    let size = littleEndian(image.size.width - 1, 3) + littleEndian(image.size.height - 1, 3)
    var body = [UInt8]("WEBPVP8X".utf8) + littleEndian(10, 4) + flags + size + file[12...]
    body += [UInt8]("EXIF".utf8) + littleEndian(exif.count, 4) + exif
    if exif.count % 2 == 1 { body.append(0) }
    return [UInt8]("RIFF".utf8) + littleEndian(body.count, 4) + body
  }
}
