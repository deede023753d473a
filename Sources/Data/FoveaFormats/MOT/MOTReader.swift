// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaEvaluation
import FoveaGeometry

/// Reads MOT Challenge's text files: detections, ground truth and what trackers write.
///
/// A line is a box: frame from 1, identity, left, top, width and height in pixels, score, and further columns that
/// depend on the file. Columns are separated by commas, or by spaces or tabs where the line has no comma. Lines may end with
/// `\r\n` and may be blank; frames may come in any order. What is no such line is an error that names it:
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
  /// What a file holds, which decides what its columns have to be.
  public enum Content: Sendable, Hashable {
    /// What a detector found (`det.txt`): the identity is -1.
    case detections
    /// The truth (`gt.txt`): the seventh column is 0 for boxes that do not count, the eighth is the class, the
    /// ninth the visible part.
    case groundTruth
    /// What a tracker says (`SEQUENCE.txt`).
    case results
  }

  /// The largest number of a frame that is read.
  public static let maximumFrame = Int(Int32.max)

  /// What the file holds.
  public let content: Content
  /// How many columns each line needs: 6, or as many as the evaluation asks for.
  public let minimumColumns: Int

  /// Makes a reader.
  /// - Parameters:
  ///   - content: What the files hold.
  ///   - minimumColumns: How many columns each line needs, 6 at least. MOT15's ground truth needs 7, that of later
  ///     benchmarks 8.
  public init(_ content: Content, minimumColumns: Int = 6) {
    self.content = content
    self.minimumColumns = max(6, minimumColumns)
  }

  /// Reads a file of any size, piece by piece.
  /// - Throws: `EvaluationError` `unreadable`, `invalidLine` or `duplicateIdentity`.
  public func read(path: String) throws(EvaluationError) -> TrackFrames { try read(LineReader.file(path)) }

  /// Reads a text that is in memory; `name` is what messages call it.
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
