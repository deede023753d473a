// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A format that the frames of a video can be written in.
///
/// Each is declared in the file of its codec; ``all`` is the only list.
public struct FrameFormat: Sendable {
  /// Every format, in the order in which help lists them.
  public static let all: [FrameFormat] = [text, jsonl, mot, csv]

  /// The name, as `fovea track --format` takes it.
  public let name: String
  /// The endings of file names that stand for it, in lower case.
  public let endings: [String]
  private let make: @Sendable (Bool) -> any FrameWriter

  init(_ name: String, endings: [String] = [], _ make: @escaping @Sendable (Bool) -> any FrameWriter) {
    self.name = name
    self.endings = endings
    self.make = make
  }

  /// The format of that name; nil where there is none.
  public init?(name: String) {
    guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
    self = format
  }

  /// The format that a file's ending stands for; nil where it stands for none.
  public init?(endingOf path: String) {
    guard let ending = FilePath(path).ending,
      let format = Self.all.first(where: { $0.endings.contains(ending) })
    else { return nil }
    self = format
  }

  /// What writes the format; `isColored` is for terminals, and for text alone.
  public func writer(isColored: Bool = false) -> any FrameWriter { make(isColored) }
}

extension FrameFormat: Hashable {
  /// Whether two are the same format.
  public static func == (one: FrameFormat, other: FrameFormat) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

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
