// SPDX-License-Identifier: Apache-2.0

/// Turns the frames of a video into the text of one format; ``FrameFormat/all`` lists them.
public protocol FrameWriter: Sendable {
  /// What comes before the first frame.
  func header() -> String
  /// The whole lines of a frame; empty where the format has nothing for it.
  func text(for record: FrameRecord) -> String
}

extension FrameWriter {
  /// Nothing, by default.
  public func header() -> String { "" }
}
