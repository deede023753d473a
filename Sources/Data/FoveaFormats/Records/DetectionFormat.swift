// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// A format that detections can be written in.
///
/// Each is declared in the file of its codec; ``all`` is the only list. What writes it, as ``CSVWriter``, can also be used
/// alone.
public struct DetectionFormat: Sendable {
  /// What a writer may need to know besides the records.
  package struct Settings {
    /// What the records hold.
    package var kind = AnswerKind.objects
    /// Whether the text is for a terminal.
    package var isColored = false
    /// Whether the file has to begin with a header.
    package var writesHeader = true
    /// The model's classes, once it is loaded.
    package var classNames = ClassNames()
    /// The ids of COCO's images and categories.
    package var cocoIndex: COCOIndex?
    /// Who found the objects.
    package var author = "Fovea"
    /// Whether lines of YOLO end with the score.
    package var writesScores = false
    /// Whether a folder continues where an earlier run ended.
    package var resumes = false

    package init() {}
  }

  /// What results become.
  enum Output: Sendable {
    /// The text of one file.
    case file(@Sendable (Settings) -> any DetectionWriter)
    /// A file for each image, in the folder of that path.
    case folder(@Sendable (String, Settings) -> any DetectionFolder)
  }

  /// Every format, in the order in which help lists them.
  public static let all: [DetectionFormat] = [text, json, jsonl, csv, coco, voc, yolo]

  /// The name, as `fovea detect --format` takes it.
  public let name: String
  /// The endings of file names that stand for it, in lower case; none where it has to be named.
  public let endings: [String]
  /// Whether the results are one value, which is whole or nothing.
  public let isWhole: Bool
  /// Whether it holds boxes and nothing else.
  public let isForBoxes: Bool
  /// Reads what an earlier run has written; nil where a run cannot go on.
  package let resumeReader: (@Sendable (AnswerKind) -> any ResumeReader)?
  private let output: Output

  init(
    _ name: String, endings: [String] = [], isWhole: Bool = false, isForBoxes: Bool = false,
    resumeReader: (@Sendable (AnswerKind) -> any ResumeReader)? = nil, output: Output
  ) {
    self.name = name
    self.endings = endings
    self.isWhole = isWhole
    self.isForBoxes = isForBoxes
    self.resumeReader = resumeReader
    self.output = output
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

  /// Whether each image has its own file, in a folder.
  public var isFolder: Bool { if case .folder = output { true } else { false } }

  /// Whether a run can go on where an earlier one ended; the others have to be written whole.
  package var isResumable: Bool { resumeReader != nil || isFolder }

  /// What writes a file of the format; nil where it has a file for each image.
  package func writer(_ settings: Settings) -> (any DetectionWriter)? {
    if case .file(let make) = output { make(settings) } else { nil }
  }

  /// What writes into the folder at `path`; nil where the format is one file.
  package func folder(_ path: String, _ settings: Settings) -> (any DetectionFolder)? {
    if case .folder(let make) = output { make(path, settings) } else { nil }
  }
}

extension DetectionFormat: Hashable {
  /// Whether two are the same format.
  public static func == (one: DetectionFormat, other: DetectionFormat) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The names of a model's classes, which are known when the model is loaded, after the writer of results was made.
package final class ClassNames: Sendable {
  private let names = Mutex<[String]>([])

  package init() {}

  /// Says what the classes are, by index.
  package func set(_ names: [String]) { self.names.withLock { $0 = names } }

  /// The names by index; none where they are not known, or no model was needed.
  package var known: [String] { names.withLock { $0 } }
}
