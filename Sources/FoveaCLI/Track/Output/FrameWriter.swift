// SPDX-License-Identifier: Apache-2.0

/// One output format of `fovea track`: turns frames into text.
protocol FrameWriter {
  /// What comes before the first frame.
  func header() -> String
  /// The whole lines of a frame; empty where the format has nothing to say of it.
  func text(for record: FrameRecord) -> String
}

extension FrameWriter {
  func header() -> String { "" }
}
