// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
package import FoveaGeometry

extension OverlayItem {
  /// An object as the overlay shows it: its identity where a tracker gave one, its best label, and how sure that is.
  package init(object: DetectedObject, trail: [PixelPoint] = []) {
    let label = object.labels.first
    let name = label.map { $0.text ?? "class \($0.index)" }
    let score = DecimalText.fixed(Double(label?.confidence ?? object.score), places: 2)
    let parts = [object.trackingID.map { "#\($0)" }, name, score].compactMap { $0 }
    self.init(
      box: object.box, caption: parts.joined(separator: " "), colorKey: name ?? "",
      identity: object.trackingID, trail: trail)
  }
}
