// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension CGRect {
  /// Position and size, rounded to a tenth of a pixel, for descriptions: "(12.5, 3.0) 200.0 × 90.1".
  package var text: String {
    func tenth(_ value: CGFloat) -> Double { (Double(value) * 10).rounded() / 10 }
    return "(\(tenth(minX)), \(tenth(minY))) \(tenth(width)) × \(tenth(height))"
  }
}
