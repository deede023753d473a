// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A format for writing the frames of a video.
///
/// A format is declared in its own file, and listed only in ``all``.
package struct FrameFormat: Sendable {
  /// Every format, in the order in which help lists them.
  package static let all: [FrameFormat] = [text, jsonl, mot, csv]

  /// The name, as `fovea track --format` accepts it.
  package let name: String
  /// The lower-case file extensions of the format.
  package let endings: [String]
  /// The shapes besides boxes that the format holds.
  package let shapes: [ObjectShape]
  private let make: @Sendable (Settings) -> any FrameWriter

  /// The settings of a writer.
  package struct Settings {
    /// True if the text is for a terminal.
    package var isColored = false
    /// The form of masks.
    package var masks = MaskForm.rle

    package init() {}
  }

  init(
    _ name: String, endings: [String] = [], shapes: [ObjectShape] = [],
    _ make: @escaping @Sendable (Settings) -> any FrameWriter
  ) {
    self.name = name
    self.endings = endings
    self.shapes = shapes
    self.make = make
  }

  /// Finds the format with the given name; nil if there is none.
  package init?(name: String) {
    guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// Finds the format with the extension of a path; nil if there is none.
  package init?(endingOf path: String) {
    guard let ending = FilePath(path).ending,
      let format = Self.all.first(where: { $0.endings.contains(ending) })
    else { return nil }
    self = format
  }

  /// Returns the writer of the format; `isColored` is for terminals and affects only text.
  package func writer(isColored: Bool = false) -> any FrameWriter {
    var settings = Settings()
    settings.isColored = isColored
    return make(settings)
  }

  /// Returns the writer of the format.
  package func writer(_ settings: Settings) -> any FrameWriter { make(settings) }
}

extension FrameFormat: Hashable {
  /// Whether two formats have the same name.
  package static func == (one: FrameFormat, other: FrameFormat) -> Bool { one.name == other.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Converts the frames of a video to the text of one format.
public protocol FrameWriter: Sendable {
  /// Returns the text before the first frame.
  func header() -> String
  /// Returns the complete lines of a frame; empty if the format writes nothing for this frame.
  func text(for record: FrameRecord) -> String
}

extension FrameWriter {
  /// Returns an empty text by default.
  public func header() -> String { "" }
}
