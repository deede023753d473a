// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaGeometry
package import FoveaImage

extension PixelCanvas {
  /// Paints the classes of a map on this upright canvas in VOC's colours, each at 40 %; the background stays.
  /// - Parameter map: The map in pixels of the upright image, which has the canvas's size.
  package func paint(_ map: SegmentationMap) {
    let classes = map.classes(in: size)
    let colors = MapColors(map)
    let palette = (0..<256).map(colors.color(ofClass:))
    let opacity = Int(MapColors.opacity)
    let (width, height, stride) = (size.width, size.height, bytesPerRow)
    unsafe withUnsafeMutableBytes { pixels in
      for row in 0..<height {
        for column in 0..<width {
          guard let color = palette[Int(classes[row * width + column])] else { continue }
          let place = row * stride + column * 4
          for (channel, value) in [color.blue, color.green, color.red].enumerated() {
            let pixel = unsafe Int(pixels[place + channel])
            unsafe pixels[place + channel] = UInt8(
              truncatingIfNeeded: (pixel * (255 - opacity) + Int(value) * opacity + 127) / 255)
          }
        }
      }
    }
  }
}
