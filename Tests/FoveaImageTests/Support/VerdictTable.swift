// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting

/// The verdicts of Pillow and Fovea about each shared image.
///
/// The table is `Verdicts/images.csv`; `scripts/image-verdicts` writes it.
enum VerdictTable {
  struct Row {
    let file: String
    /// "ok", or the exception raised by Pillow.
    let pillow: String
    let pillowSize: String
    /// Means over a grid of at most 5 × 5 cells: red, green, blue, upright and over white.
    let thumbnail: [UInt8]
    /// "ok", or the code of Fovea's error.
    let fovea: String
    let foveaSize: String
    /// The reason for a difference; empty if there is none.
    let explanation: String
  }

  static func rows() throws -> [Row] {
    let path = PackageRoot.path + "/Tests/FoveaImageTests/Verdicts/images.csv"
    let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { line in
      let columns = columns(line)
      return Row(
        file: columns[0], pillow: columns[1], pillowSize: columns[2],
        thumbnail: [UInt8](Data(base64Encoded: columns[3]) ?? Data()), fovea: columns[4],
        foveaSize: columns[5], explanation: columns[6])
    }
  }

  /// The columns of a line; those with commas are quoted.
  private static func columns(_ line: Substring) -> [String] {
    var columns = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: columns.append("")
      default: columns[columns.count - 1].append(character)
      }
    }
    return columns
  }

  /// Fovea's verdict about a file, in the table's notation.
  static func verdict(_ path: String) -> (code: String, size: String, thumbnail: [UInt8]) {
    do throws(ImageError) {
      let image = try EncodedImage(path: path)
      let canvas = try image.canvas()
      return ("ok", "\(image.size.width)x\(image.size.height)", thumbnail(canvas))
    } catch {
      return (error.code.rawValue, "", [])
    }
  }

  private static func thumbnail(_ canvas: PixelCanvas) -> [UInt8] {
    let rows = min(5, canvas.size.height)
    let columns = min(5, canvas.size.width)
    var values: [UInt8] = []
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for row in 0..<rows {
        for column in 0..<columns {
          var sums = [0, 0, 0]
          let ys = row * canvas.size.height / rows..<(row + 1) * canvas.size.height / rows
          let xs = column * canvas.size.width / columns..<(column + 1) * canvas.size.width / columns
          for y in ys {
            for x in xs {
              let offset = y * canvas.bytesPerRow + x * 4
              for channel in 0..<3 { sums[channel] += unsafe Int(bytes[offset + 2 - channel]) }
            }
          }
          let count = ys.count * xs.count
          values += sums.map { UInt8(($0 * 2 + count) / (count * 2)) }
        }
      }
    }
    return values
  }
}
