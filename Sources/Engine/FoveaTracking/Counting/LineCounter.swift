// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Counts objects that cross a line in each direction.
///
/// The line has a direction, and "in" is from its left to its right: down, for a line from left to right. An
/// object is on a side once its anchor point is farther from the line than a tolerance. When it reaches the
/// other side, and its path went through the line between the two ends, that is one crossing. So an object
/// that jitters on the line is counted at most once, an object that jumps over the line between two frames is
/// counted, and an object that passes beyond an end is not. The ends belong to the line.
///
/// An object that appears on the line is not counted when it leaves the line, because its origin is unknown.
/// Each identity counts again each time it crosses.
///
/// ```swift
/// var door = try LineCounter(from: PixelPoint(x: 100, y: 400), to: PixelPoint(x: 500, y: 400))
/// for frame in frames { door.update(frame) }
/// print(door.counts.in, door.counts.out)
/// ```
public struct LineCounter: Sendable {
  /// The start of the line, in pixels of the frame.
  public let start: PixelPoint
  /// The end of the line, in pixels of the frame.
  public let end: PixelPoint
  /// The counting options.
  package let options: CountingOptions
  /// The crossings of all objects.
  public private(set) var counts = LineCounts()
  /// The crossings by class, for objects that have one.
  public private(set) var countsByClass: [Int: LineCounts] = [:]
  /// The number of ignored boxes: empty ones, those with an edge that is not finite or beyond a million
  /// pixels, and the second box of an identity in one frame.
  public private(set) var ignoredBoxes = 0

  private var memory: FrameMemory<LinePassage>

  /// Creates a counter for the line between two points.
  /// - Parameters:
  ///   - start: The start of the line, in pixels of the frame, within ±1,000,000.
  ///   - end: The end of the line, a different point.
  ///   - options: The counting options.
  /// - Throws: `invalid-line` if the ends are equal, not finite or too far away; `invalid-counting-option`.
  public init(
    from start: PixelPoint, to end: PixelPoint, options: CountingOptions = CountingOptions()
  ) throws(CountingError) {
    try options.validate()
    let limit = CountingOptions.largestCoordinate
    guard [start.x, start.y, end.x, end.y].allSatisfy({ abs($0) <= limit }) else {
      throw CountingError(
        .invalidLine,
        "The line from \(start) to \(end) has a coordinate that is not a number within ±\(limit)",
        remedy: "Give both ends in pixels of the frame")
    }
    guard (end - start).length > 1e-6 else {
      throw CountingError(
        .invalidLine, "The line begins and ends at \(start)",
        remedy: "Give two different points")
    }
    self.start = start
    self.end = end
    self.options = options
    memory = FrameMemory(frames: options.memoryFrames)
  }

  /// Processes the objects of one frame; call it for frames without objects as well.
  ///
  /// Use `update(_:known:)` if the tracker reports its known identities.
  /// - Parameter objects: The objects of the frame, each identity once.
  /// - Returns: The crossings completed in this frame, in the order of `objects`.
  /// - Complexity: O(objects); memory for the objects seen in the last `memoryFrames` frames.
  @discardableResult
  public mutating func update(_ objects: [CountedObject]) -> [LineCrossing] { update(objects, known: nil) }

  /// Processes the objects of a frame and the known identities; call it for frames without objects as well.
  /// - Parameters:
  ///   - objects: The objects of the frame, each identity once.
  ///   - known: The identities that the tracker knows after the frame, including unseen ones:
  ///     `TrackedFrame.knownIdentities`, `MultiObjectTracker.knownIdentities`. All others are forgotten at
  ///     once. Nil keeps each for `CountingOptions.memoryFrames`.
  /// - Returns: The crossings completed in this frame, in the order of `objects`.
  /// - Complexity: O(objects + known); memory for known objects.
  @discardableResult
  public mutating func update(_ objects: [CountedObject], known: [Int]?) -> [LineCrossing] {
    memory.beginFrame()
    var crossings: [LineCrossing] = []
    for object in objects {
      guard let point = object.anchor(options.anchor), memory.isNewInFrame(object.identity) else {
        ignoredBoxes += 1
        continue
      }
      let place = self.place(of: point)
      var passage = memory[object.identity] ?? LinePassage()
      let direction = passage.move(to: place, tolerance: options.tolerance * object.extent)
      memory.store(passage, for: object.identity)
      guard let direction else { continue }
      counts.add(direction)
      if let classIndex = object.classIndex {
        countsByClass[classIndex, default: LineCounts()].add(direction)
      }
      crossings.append(
        LineCrossing(identity: object.identity, direction: direction, classIndex: object.classIndex))
    }
    memory.endFrame(known: known.map(Set.init))
    return crossings
  }

  /// The number of identities that are currently remembered.
  var rememberedCount: Int { memory.count }

  /// Converts a point to the line's own coordinates.
  private func place(of point: PixelPoint) -> LinePassage.Place {
    let line = end - start
    let offset = point - start
    let length = line.length
    return LinePassage.Place(along: line.dot(offset) / (length * length), beside: line.cross(offset) / length)
  }
}
