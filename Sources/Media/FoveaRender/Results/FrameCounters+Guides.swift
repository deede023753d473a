// SPDX-License-Identifier: Apache-2.0

package import FoveaFormats
import FoveaTracking

extension FrameCounters {
  /// The lines and zones as the overlay shows them, with what was counted.
  package var guides: [OverlayGuide] {
    lines.map { line in
      OverlayGuide(
        shape: .line(from: line.start, to: line.end), caption: "\(line.counts.in) in, \(line.counts.out) out")
    }
      + zones.map { zone in
        OverlayGuide(shape: .zone(zone.corners), caption: "\(zone.counts.inside) inside")
      }
  }
}
