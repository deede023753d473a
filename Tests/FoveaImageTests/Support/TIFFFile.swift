// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// TIFF files written by hand: red, green, blue and further bands, uncompressed.
enum TIFFFile {
  /// The bands after red, green and blue.
  struct Bands {
    /// The value of each band in each pixel, 0…255.
    var values: [Int] = []
    /// Their declared kind: 0, 1, 2; nil if undeclared.
    var kinds: [Int]?
    var bits = 8
    /// Whether each band has its own strip or tiles.
    var isSeparate = false
    /// What the file says of the first bands: 2 for red, green and blue, 5 for inks.
    var colors = 2
  }

  /// The image in tiles of 16 × 16 pixels, or in one strip.
  static func bytes(
    _ size: PixelSize, orientation: Int = 1, littleEndian: Bool = true, isTiled: Bool = false,
    bands: Bands = Bands(), extra: [(tag: Int, type: Int, count: Int, value: Int)] = [],
    _ color: (Int, Int) -> RGB
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return littleEndian ? little : little.reversed()
    }
    var tiles: [[UInt8]] = []
    let count = 3 + bands.values.count
    let side = isTiled ? PixelSize(width: 16, height: 16) : size
    for plane in bands.isSeparate ? (0..<count).map({ $0..<$0 + 1 }) : [0..<count] {
      for top in stride(from: 0, to: size.height, by: side.height) {
        for left in stride(from: 0, to: size.width, by: side.width) {
          var tile: [UInt8] = []
          for y in top..<top + side.height {
            for x in left..<left + side.width {
              let pixel = color(min(x, size.width - 1), min(y, size.height - 1))
              let samples = [pixel.red, pixel.green, pixel.blue] + bands.values
              // 257: from 8 bits to 16, so that 255 is 65,535.
              for sample in samples[plane] {
                tile += number(bands.bits == 16 ? sample * 257 : sample, bands.bits / 8)
              }
            }
          }
          tiles.append(tile)
        }
      }
    }
    // The pixels from byte 8 on, then the numbers that do not fit into an entry, then the directory.
    var file: [UInt8] = (littleEndian ? [0x49, 0x49] : [0x4d, 0x4d]) + number(42, 2) + number(0, 4)
    var offsets: [Int] = []
    for tile in tiles {
      offsets.append(file.count)
      file += tile
    }
    func stored(_ values: [Int], _ count: Int) -> Int {
      let offset = file.count
      file += values.flatMap { number($0, count) } + (values.count * count % 2 == 0 ? [] : [0])
      return offset
    }
    let single = tiles.count == 1
    let bits = stored(Array(repeating: bands.bits, count: count), 2)
    let places = single ? offsets[0] : stored(offsets, 4)
    let counts = single ? tiles[0].count : stored(tiles.map(\.count), 4)
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, size.width), (257, 3, 1, size.height), (258, 3, count, bits), (259, 3, 1, 1),
      (262, 3, 1, bands.colors),
      (274, 3, 1, orientation), (277, 3, 1, count), (284, 3, 1, bands.isSeparate ? 2 : 1),
    ]
    if let kinds = bands.kinds {
      // Two fit into the entry itself, the first one in its first bytes.
      let inline =
        littleEndian ? kinds[0] | (kinds.count > 1 ? kinds[1] << 16 : 0) : kinds[0] << 16 | (kinds.last ?? 0)
      entries.append(
        (338, 3, kinds.count, kinds.count == 1 ? kinds[0] : kinds.count == 2 ? inline : stored(kinds, 2)))
    }
    if isTiled {
      entries += [
        (322, 3, 1, 16), (323, 3, 1, 16), (324, 4, tiles.count, places), (325, 4, tiles.count, counts),
      ]
    } else {
      entries += [(273, 4, tiles.count, places), (278, 3, 1, size.height), (279, 4, tiles.count, counts)]
    }
    entries += extra
    let directory = file.count
    file.replaceSubrange(4..<8, with: number(directory, 4))
    file += number(entries.count, 2)
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      file += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
      file += entry.type == 3 && entry.count == 1 ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
    }
    return file + number(0, 4)
  }
}
