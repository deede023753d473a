// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension CGContext {
  /// Sets the colour that `fill(_:)` takes; black at first.
  /// - Parameters:
  ///   - red: 0…1; values beyond, and what is no number, are taken as the nearest.
  ///   - green: 0…1.
  ///   - blue: 0…1.
  ///   - alpha: 0 lets everything through, 1 nothing.
  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func part(_ value: CGFloat) -> UInt8 { value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0 }
    let alpha = part(alpha)
    fillColor = FillColor(
      red: part(red).multiplied(by: alpha), green: part(green).multiplied(by: alpha),
      blue: part(blue).multiplied(by: alpha), alpha: alpha)
  }

  /// Sets the colour that `fill(_:)` takes to a grey.
  /// - Parameters:
  ///   - gray: 0 is black, 1 white; values beyond, and what is no number, are taken as the nearest.
  ///   - alpha: 0 lets everything through, 1 nothing.
  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    setFillColor(red: gray, green: gray, blue: gray, alpha: alpha)
  }

  /// Fills a rectangle; its edges are rounded to whole pixels, and what lies outside of the context is cut off.
  /// - Parameter rect: Where, in pixels from the bottom left corner.
  public func fill(_ rect: CGRect) {
    unsafe eachPixel(of: rect) { unsafe layout.blend(fillColor, over: $0) }
  }

  /// Sets the bytes of a rectangle to 0: transparent, or black where there is no alpha.
  /// - Parameter rect: Where, in pixels from the bottom left corner; its edges are rounded to whole pixels.
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
