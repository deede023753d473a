// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry
import Synchronization

/// A format for writing detections.
///
/// Each format is declared in the file of its codec; ``all`` is the only list. The writers, such as
/// ``CSVWriter``, can also be used on their own.
package struct DetectionFormat: Sendable {
  /// The settings of a writer.
  package struct Settings {
    /// The content of the records.
    package var kind = AnswerKind.objects
    /// Whether the text is for a terminal.
    package var isColored = false
    /// Whether the file needs a header.
    package var writesHeader = true
    /// The names of the model, known once it is loaded.
    package var names = SharedNames()
    /// The ids of COCO's images and categories.
    package var cocoIndex: COCOIndex?
    /// The program that found the objects, for the file's description.
    package var author = "Fovea"
    /// The form of masks.
    package var masks = MaskForm.rle
    /// The least score of a visible keypoint.
    package var keypointThreshold = KeypointVisibility.usualThreshold
    /// Whether lines of YOLO end with the score.
    package var writesScores = false
    /// Whether a folder continues an earlier run.
    package var resumes = false

    package init() {}
  }

  /// The destination of results.
  enum Output: Sendable {
    /// The text of one file.
    case file(@Sendable (Settings) -> any DetectionWriter)
    /// One file per image, in the folder with that path.
    case folder(@Sendable (String, Settings) -> any DetectionFolder)
  }

  /// Every format, in the order in which help lists them.
  package static let all: [DetectionFormat] = [text, json, jsonl, csv, coco, voc, yolo]

  /// The name, as `fovea detect --format` accepts it.
  package let name: String
  /// The lower-case file extensions of the format; empty if it must be named.
  package let endings: [String]
  /// Whether a file is a single value that is valid only when complete.
  package let isWhole: Bool
  /// Whether the format holds only boxes.
  package let isForBoxes: Bool
  /// Whether the format holds the classes of a map.
  package let holdsMaps: Bool
  /// The shapes besides boxes that the format holds.
  package let shapes: [ObjectShape]
  /// Creates the reader of an earlier run's results; nil if a run cannot be resumed.
  package let resumeReader: (@Sendable (AnswerKind) -> any ResumeReader)?
  private let output: Output

  init(
    _ name: String, endings: [String] = [], isWhole: Bool = false, isForBoxes: Bool = false,
    holdsMaps: Bool = false, shapes: [ObjectShape] = [],
    resumeReader: (@Sendable (AnswerKind) -> any ResumeReader)? = nil, output: Output
  ) {
    self.name = name
    self.endings = endings
    self.isWhole = isWhole
    self.isForBoxes = isForBoxes
    self.holdsMaps = holdsMaps
    self.shapes = shapes
    self.resumeReader = resumeReader
    self.output = output
  }

  /// Finds the format with that name; nil if there is none.
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

  /// Whether each image has its own file, in a folder.
  package var isFolder: Bool { if case .folder = output { true } else { false } }

  /// Whether an earlier run can be resumed; other formats are written as a whole.
  package var isResumable: Bool { resumeReader != nil || isFolder }

  /// Returns the writer of a file; nil if the format has one file per image.
  package func writer(_ settings: Settings) -> (any DetectionWriter)? {
    if case .file(let make) = output { make(settings) } else { nil }
  }

  /// Returns the writer of the folder at `path`; nil if the format is one file.
  package func folder(_ path: String, _ settings: Settings) -> (any DetectionFolder)? {
    if case .folder(let make) = output { make(path, settings) } else { nil }
  }
}

extension DetectionFormat: Hashable {
  /// Whether two are the same format.
  package static func == (one: DetectionFormat, other: DetectionFormat) -> Bool { one.name == other.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The names of a model's classes and keypoints, which are known only after the model is loaded and the
/// writer created.
package final class SharedNames: Sendable {
  private let names = Mutex<(classes: [String], keypoints: KeypointSet?)>(([], nil))

  package init() {}

  /// Sets the classes by index, and the known set of the keypoints.
  package func set(_ classes: [String], keypoints: KeypointSet? = nil) {
    names.withLock { $0 = (classes, keypoints) }
  }

  /// The names of the classes by index; empty if they are unknown or no model was needed.
  package var classes: [String] { names.withLock { $0.classes } }

  /// The known set of the keypoints; nil without one.
  package var keypoints: KeypointSet? { names.withLock { $0.keypoints } }
}
