// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

extension DetectedObject {
  /// Returns the prominence of an object in its image:
  /// score × √(area share) × (1 − ½ · distance of the box centre from the image centre ÷ half diagonal).
  ///
  /// Large and central objects with a high score win; an object in the very corner has half the weight.
  /// - Parameter size: The size of the stored image.
  /// - Returns: 0…1.
  public func prominence(in size: PixelSize) -> Double {
    let width = Double(size.width)
    let height = Double(size.height)
    guard width > 0, height > 0 else { return 0 }
    let share = box.area / (width * height)
    let x = box.midX - width / 2
    let y = box.midY - height / 2
    let distance = (x * x + y * y).squareRoot()
    let halfDiagonal = (width * width + height * height).squareRoot() / 2
    return Double(score) * share.squareRoot() * (1 - distance / halfDiagonal / 2)
  }
}
