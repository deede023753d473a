// SPDX-License-Identifier: Apache-2.0

import FoveaImage
package import FoveaTracking

extension PixelCanvas {
  /// Paints the time that objects spent at each place: from blue, hardly any, to red, the most.
  ///
  /// The opacity rises with the square root of the time, so that short stays are visible next to long ones; a
  /// place without time stays as it was.
  /// - Parameter map: The map of frames of the canvas's size; it is smoothed.
  package func paint(_ map: OccupancyMap) {
    let heat = HeatField(map)
    guard heat.maximum > 0 else { return }
    unsafe withUnsafeMutableBytes { pixels in
      for row in 0..<size.height {
        for column in 0..<size.width {
          let level = (max(0, heat.seconds(column, row)) / heat.maximum).squareRoot()
          guard level > 0 else { continue }
          let (color, opacity) = (HeatField.color(level), HeatField.opacity * level)
          let place = row * bytesPerRow + column * 4
          for (channel, value) in [color.blue, color.green, color.red].enumerated() {
            let pixel = unsafe Double(pixels[place + channel])
            unsafe pixels[place + channel] = UInt8(
              (pixel + (Double(value) - pixel) * opacity).rounded())
          }
        }
      }
    }
  }
}

/// The smoothed seconds of a map at each pixel, between the centres of cells.
private struct HeatField {
  /// The opacity of the most time.
  static let opacity = 0.75
  private static let colors = [0x2563EB, 0x2DD4BF, 0xFFD60A, 0xFF3B30].map { RGBColor(hex: $0) }

  private let values: [Double]
  private let columns: Int
  private let rows: Int
  let maximum: Double

  init(_ map: OccupancyMap) {
    values = map.smoothed()
    (columns, rows) = (map.columns, map.rows)
    maximum = values.max() ?? 0
  }

  func seconds(_ x: Int, _ y: Int) -> Double {
    let (left, right, across) = Self.neighbours(x, count: columns)
    let (above, below, down) = Self.neighbours(y, count: rows)
    func along(_ row: Int) -> Double {
      values[row * columns + left] * (1 - across) + values[row * columns + right] * across
    }
    return along(above) * (1 - down) + along(below) * down
  }

  /// Returns the colour of a level, 0…1.
  static func color(_ level: Double) -> RGBColor {
    let place = min(max(level, 0), 1) * Double(colors.count - 1)
    let index = min(Int(place), colors.count - 2)
    let share = place - Double(index)
    func mix(_ channel: (RGBColor) -> UInt8) -> UInt8 {
      let (from, to) = (Double(channel(colors[index])), Double(channel(colors[index + 1])))
      return UInt8((from + (to - from) * share).rounded())
    }
    return RGBColor(red: mix(\.red), green: mix(\.green), blue: mix(\.blue))
  }

  /// Returns the cells whose centres are around a pixel, and the share of the second.
  private static func neighbours(_ pixel: Int, count: Int) -> (Int, Int, Double) {
    let place = min(
      max((Double(pixel) + 0.5) / Double(OccupancyMap.cell) - 0.5, 0), Double(count - 1))
    let first = Int(place)
    return (first, min(first + 1, count - 1), place - Double(first))
  }
}
