// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation
import FoveaGeometry

/// Reads MOT Challenge's text files: detections, ground truth and trackers' results.
///
/// A line is a box: frame from 1, identity, left, top, width and height in pixels, score, and more columns
/// that depend on the file. Columns are separated by commas, or by spaces or tabs if the line has no comma.
/// Lines may end with `\r\n` and may be blank; frames may come in any order. Deviations are handled like
/// this:
///
/// | what | detections | ground truth and results |
/// |---|---|---|
/// | fewer columns than needed, a word, a frame below 1 or with a fraction | error | error |
/// | a number that is not finite, a width or height below 0 | the box is left out, with a warning | error |
/// | a width or height of 0 | the box is left out, with a warning | kept: it overlaps nothing |
/// | an identity below 0 | kept: detections have none | error |
/// | an identity twice in a frame | kept | error with both lines |
/// | frames not in order | sorted, with a warning | sorted |
/// | no score | 1, with a warning | 1 |
/// | scores below 0 or above 1 | kept, with a warning | kept |
/// | boxes outside the image | kept | kept |
/// | no lines at all | a warning | a warning |
///
/// **Source:** Milan et al., "MOT16: A Benchmark for Multi-Object Tracking", 2016, section 3.3.
public struct MOTReader: Sendable, Hashable {
  /// The content of a file, which determines its columns.
  public enum Content: Sendable, Hashable {
    /// Detections (`det.txt`): the identity is -1.
    case detections
    /// Ground truth (`gt.txt`): the seventh column is 0 for boxes that do not count, the eighth is the class,
    /// the ninth the visible part.
    case groundTruth
    /// A tracker's results (`SEQUENCE.txt`).
    case results
  }

  /// The largest frame number that is read.
  package static let maximumFrame = Int(Int32.max)

  /// The content of the files.
  package let content: Content
  /// The number of columns that each line needs: 6, or as many as the evaluation requires.
  package let minimumColumns: Int

  /// Creates a reader.
  /// - Parameters:
  ///   - content: The content of the files.
  ///   - minimumColumns: The number of columns that each line needs, at least 6. Ground truth needs 7 for
  ///     MOT15 and 8 for later benchmarks.
  public init(_ content: Content, minimumColumns: Int = 6) {
    self.content = content
    self.minimumColumns = max(6, minimumColumns)
  }

  /// Reads a file of any size in pieces.
  /// - Throws: `EvaluationError` `unreadable`, `invalidLine` or `duplicateIdentity`.
  public func read(path: String) throws(EvaluationError) -> TrackFrames { try read(LineReader.file(path)) }

  /// Reads text in memory; `name` is its name in messages.
  /// - Throws: `EvaluationError` `invalidLine` or `duplicateIdentity`.
  public func read(text: [UInt8], name: String) throws(EvaluationError) -> TrackFrames {
    try read(LineReader(bytes: text, name: name))
  }

  func read(_ reader: consuming LineReader) throws(EvaluationError) -> TrackFrames {
    var rows = MOTRows(self, name: reader.name)
    while let line = try reader.next() { try rows.append(line, of: reader) }
    let frames = rows.finish()
    if content != .detections { try frames.checkIdentities() }
    return frames
  }
}
