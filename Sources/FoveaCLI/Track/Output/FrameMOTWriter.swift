// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaSystem

/// The text of MOTChallenge's results: `frame,id,x,y,width,height,score,-1,-1,-1`.
///
/// Frames without objects have no line. Positions keep six decimals, so that nothing of a tracker's figures is lost.
///
/// **Source:** Dendorfer et al., "MOT20: A benchmark for multi object tracking in crowded scenes", section 4.
struct FrameMOTWriter: FrameWriter {
  func text(for record: FrameRecord) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(80 * record.objects.count)
    for object in record.objects {
      guard let identity = object.trackingID else { continue }
      DecimalText.append(record.number, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      DecimalText.append(identity, to: &bytes)
      let box = object.box
      for value in [box.minX, box.minY, box.width, box.height, Double(object.score)] {
        bytes.append(UInt8(ascii: ","))
        DecimalText.append(value, places: 6, to: &bytes)
      }
      bytes.append(contentsOf: ",-1,-1,-1\n".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
