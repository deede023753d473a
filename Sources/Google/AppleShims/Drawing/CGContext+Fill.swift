// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension CGContext {
  /// Sets the colour of `fill(_:)`; initially black.
  /// - Parameters:
  ///   - red: 0…1; values outside are clamped, and NaN counts as 0.
  ///   - green: 0…1.
  ///   - blue: 0…1.
  ///   - alpha: 0 is transparent, 1 opaque.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func part(_ value: CGFloat) -> UInt8 { value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0 }
    let alpha = part(alpha)
    fillColor = FillColor(
      red: part(red).multiplied(by: alpha), green: part(green).multiplied(by: alpha),
      blue: part(blue).multiplied(by: alpha), alpha: alpha)
  }

  /// Sets the colour of `fill(_:)` to a grey.
  /// - Parameters:
  ///   - gray: 0 is black, 1 white; values outside are clamped, and NaN counts as 0.
  ///   - alpha: 0 is transparent, 1 opaque.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    setFillColor(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// Fills a rectangle; its edges are rounded to whole pixels, and pixels outside the context are clipped.
  /// - Parameter rect: The rectangle, in pixels from the bottom left corner.
  public func fill(_ rect: CGRect) {
    unsafe eachPixel(of: rect) { unsafe layout.blend(fillColor, over: $0) }
  }

  /// Sets the bytes of a rectangle to 0: transparent, or black if there is no alpha.
  /// - Parameter rect: The rectangle, in pixels from the bottom left corner; its edges are rounded to whole
  ///   pixels.
  public func clear(_ rect: CGRect) {
    let count = layout.bytesPerPixel
    unsafe eachPixel(of: rect) { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0, count: count) }
  }

  private func eachPixel(of rect: CGRect, _ body: (UnsafeMutableRawPointer) -> Void) {
    guard let target = DrawnRect(rect, height: height) else { return }
    for tile in target.tiles(within: layout.size) {
      for y in tile.y..<tile.y + tile.height {
        let row = unsafe base + y * layout.bytesPerRow
        for x in tile.x..<tile.x + tile.width { unsafe body(row + x * layout.bytesPerPixel) }
      }
    }
  }
}
