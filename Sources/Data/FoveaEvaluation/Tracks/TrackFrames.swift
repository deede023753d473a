// SPDX-License-Identifier: Apache-2.0

/// The boxes of one video, frame by frame.
public struct TrackFrames: Sendable {
  /// The name in messages: a file's name in quotes.
  public let name: String
  /// The numbers of the frames that have boxes, rising; MOT counts from 1, KITTI from 0.
  public private(set) var frames: [Int] = []
  /// All boxes by frame, and within a frame in the order of the file.
  public private(set) var annotations: [TrackAnnotation]
  /// The problems of the file, and how they were handled.
  public let warnings: [TrackFileWarning]
  /// The number of columns of the file's shortest line; 0 if the boxes come from memory.
  ///
  /// MOT's ground truth has 9 columns since 2016; in 2015 it had 10, with positions in space, not classes.
  package let columnCount: Int
  /// The last frame that the file lists, with or without boxes; 0 if it lists only boxes.
  package let lastListedFrame: Int
  /// The names of the images that are the frames, in the order of the file; empty if frames have their own
  /// numbers or an image has no name.
  package let imageNames: [(frame: Int, name: String)]
  /// The targets of links, by the names of the links.
  package let originals: [String: String]
  /// The start of each frame's boxes in `annotations`, and the end of the last one.
  private var starts: [Int] = []
  /// The line of each box; empty if the boxes come from memory.
  private var lines: [Int]

  /// Creates frames from boxes in memory: one array per frame, starting with the frame `firstFrame`.
  public init(_ frames: [[TrackAnnotation]], firstFrame: Int = 1, name: String = "The tracks") {
    let numbers = frames.indices.flatMap { index in
      [Int](repeating: firstFrame + index, count: frames[index].count)
    }
    self.init(name: name, frames: numbers, annotations: frames.flatMap { $0 }, lines: [], warnings: [])
  }

  /// Creates frames from boxes in the order of a file, with the frame and line of each.
  package init(
    name: String, frames numbers: [Int], annotations: [TrackAnnotation], lines: [Int], columnCount: Int = 0,
    warnings: [TrackFileWarning], lastListedFrame: Int = 0, imageNames: [(frame: Int, name: String)] = [],
    originals: [String: String] = [:]
  ) {
    self.originals = originals
    self.imageNames = imageNames.contains { $0.name.isEmpty } ? [] : imageNames
    self.lastListedFrame = lastListedFrame
    self.name = name
    self.columnCount = columnCount
    self.annotations = annotations
    self.lines = lines
    self.warnings = warnings
    var numbers = numbers
    if !zip(numbers, numbers.dropFirst()).allSatisfy({ $0 <= $1 }) {
      // Sorts by frame and then by index, which makes each key unique.
      let keys = numbers.indices.map { (frame: numbers[$0], index: $0) }.sorted { $0 < $1 }
      numbers = keys.map(\.frame)
      self.annotations = keys.map { annotations[$0.index] }
      if !lines.isEmpty { self.lines = keys.map { lines[$0.index] } }
    }
    for (index, number) in numbers.enumerated() where number != frames.last {
      frames.append(number)
      starts.append(index)
    }
    starts.append(numbers.count)
  }

  /// The number of boxes.
  public var count: Int { annotations.count }

  /// Returns the boxes of the frame with the number `frame`, in the order of the file; empty if there are
  /// none.
  ///
  /// - Complexity: O(log *n*) for *n* frames.
  package func annotations(inFrame frame: Int) -> ArraySlice<TrackAnnotation> {
    var low = 0
    var high = frames.count
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] < frame { low = middle + 1 } else { high = middle }
    }
    guard low < frames.count, frames[low] == frame else { return [] }
    return annotations(at: low)
  }

  /// Returns the boxes of `frames[index]`.
  func annotations(at index: Int) -> ArraySlice<TrackAnnotation> {
    annotations[starts[index]..<starts[index + 1]]
  }

  /// Returns the place of a box for messages: its line, otherwise its number in the frame.
  func place(of index: Int) -> String { lines.isEmpty ? "box \(index + 1)" : "line \(lines[index])" }

  /// Throws if an identity occurs twice in one frame; negative ones are not identities.
  /// - Parameter classID: Checks this class only.
  /// - Throws: `duplicateIdentity`.
  package func checkIdentities(of classID: Int? = nil) throws(EvaluationError) {
    var sorted: [(identity: Int, index: Int)] = []
    for frame in frames.indices {
      sorted.removeAll(keepingCapacity: true)
      for index in starts[frame]..<starts[frame + 1] where annotations[index].identity >= 0 {
        if let classID, annotations[index].classID != classID { continue }
        sorted.append((annotations[index].identity, index))
      }
      sorted.sort { $0 < $1 }
      for (one, other) in zip(sorted, sorted.dropFirst()) where one.identity == other.identity {
        throw EvaluationError(
          .duplicateIdentity,
          "\(name): identity \(one.identity) is twice in frame \(frames[frame]), "
            + "in \(place(of: one.index)) and "
            + place(of: other.index),
          remedy: "Give each object of a frame its own identity")
      }
    }
  }

  /// Throws if there are boxes after the end of the video.
  func checkEnd(_ lastFrame: Int?) throws(EvaluationError) {
    guard let lastFrame, let last = frames.last, last > lastFrame else { return }
    let index = starts[(frames.firstIndex { $0 > lastFrame }) ?? 0]
    throw EvaluationError(
      .sequenceMismatch,
      "\(name): \(place(of: index)) is in a frame after \(lastFrame), the last one of the video; "
        + "the last frame here is "
        + "\(last)",
      remedy: "Name the results of this sequence, or correct seqLength in its seqinfo.ini")
  }
}
