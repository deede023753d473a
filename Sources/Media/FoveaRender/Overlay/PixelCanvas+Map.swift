// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaGeometry
package import FoveaImage

extension PixelCanvas {
  /// The opacity of a class's colour, of 255: 40 %.
  private static let opacity = 102

  /// Paints the classes of a map on this upright canvas in VOC's colours, each at 40 %; the background stays.
  /// - Parameter map: The map in pixels of the upright image, which has the canvas's size.
  package func paint(_ map: SegmentationMap) {
    let classes = map.classes(in: size)
    let hasBackground = map.labels.first.map { $0.lowercased() == "background" } ?? true
    let palette = VOCPalette.colors
    let (width, height, stride) = (size.width, size.height, bytesPerRow)
    unsafe withUnsafeMutableBytes { pixels in
      for row in 0..<height {
        for column in 0..<width {
          let number = Int(classes[row * width + column])
          guard number != 255, number > 0 || !hasBackground else { continue }
          let place = row * stride + column * 4
          // Blue, green, red.
          for channel in 0..<3 {
            let color = Int(palette[number * 3 + 2 - channel])
            let pixel = unsafe Int(pixels[place + channel])
            unsafe pixels[place + channel] = UInt8(
              truncatingIfNeeded: (pixel * (255 - Self.opacity) + color * Self.opacity + 127) / 255)
          }
        }
      }
    }
  }
}
