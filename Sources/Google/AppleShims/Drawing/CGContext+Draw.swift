// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoveaGeometry
public import FoveaImage

extension CGContext {
  /// Draws an image as stored, scaled to a rectangle.
  ///
  /// Pixels outside the context are clipped; the edges of the rectangle are rounded to whole pixels.
  /// Transparent pixels are blended over the existing content. Nothing is drawn if the image cannot be
  /// decoded; `draw(checking:in:)` throws the reason.
  /// - Parameters:
  ///   - image: The image.
  ///   - rect: The rectangle, in pixels from the bottom left corner.
  public func draw(_ image: CGImage, in rect: CGRect) { try? draw(checking: image, in: rect) }

  /// Draws an image as `draw(_:in:)` does, and throws if it cannot; an addition to Core Graphics.
  /// - Parameters:
  ///   - image: The image.
  ///   - rect: The rectangle, in pixels from the bottom left corner.
  /// - Throws: `ImageError` if the image is damaged or truncated, or memory is exhausted; nothing is drawn
  ///   then.
  public func draw(checking image: CGImage, in rect: CGRect) throws(ImageError) {
    let pixels = try image.pixels()
    guard let target = DrawnRect(rect, height: height) else { return }
    let scaling = ImageScaling(
      pixels: pixels, alpha: image.alpha, target: target, isNearest: interpolationQuality == .none)
    // Tiles keep the memory use independent of the context's size.
    for tile in target.tiles(within: layout.size) {
      let scaled = try scaling.tile(tile, scratch)
      blend(scaled, at: tile)
    }
  }

  /// Blends a tile over the existing content.
  private func blend(_ scaled: ScaledTile, at tile: PixelRect) {
    for y in 0..<tile.height {
      let row = unsafe base + (tile.y + y) * layout.bytesPerRow + tile.x * layout.bytesPerPixel
      for x in 0..<tile.width {
        let source = (y * scaled.stride + x) * 3
        let alpha = scaled.alpha.map { $0[source] } ?? 255
        let color = FillColor(
          red: scaled.rgb[source], green: scaled.rgb[source + 1], blue: scaled.rgb[source + 2], alpha: alpha)
        unsafe layout.blend(color, over: row + x * layout.bytesPerPixel)
      }
    }
  }
}
