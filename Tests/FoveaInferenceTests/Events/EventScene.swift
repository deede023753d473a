// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaTesting
import Logging
import Synchronization
import Testing

@testable import FoveaInference

/// A person who walks to the right through the zone `drive` in two seconds, and is not seen any more.
enum EventScene {
  /// 2026-11-26T11:53:52Z.
  static let moment: Int64 = 1_795_694_032_000

  static let zone = CountedShape(name: "drive", points: [200, 200, 400, 200, 400, 400, 200, 400])

  static func frames(identity: Int = 7) -> [FrameRecord] {
    (0..<40).map { index in
      var object = DetectedObject(
        box: BoundingBox(x: 30 * Double(index) - 20, y: 220, width: 40, height: 80), score: 0.9, labels: [])
      object.trackingID = identity
      return FrameRecord(
        source: "gate", number: index + 1, seconds: Double(index) / 10,
        size: PixelSize(width: 640, height: 480), objects: index < 20 ? [object] : [])
    }
  }

  /// Returns the messages of the walk: start, entered, left and end.
  static func messages(at moment: Int64 = moment) throws -> [StreamEvent] {
    let counters = try FrameCounters(lines: [], zones: [zone], memory: 30)
    var events = FrameEvents()
    for (index, frame) in frames().enumerated() {
      try events.update(frame, in: counters, threshold: 0.5, at: moment + 100 * Int64(index))
    }
    return events.take()
  }

  /// A frame.
  static func pixels() throws -> PixelBuffer {
    try PixelBuffer(copying: PixelCanvas(size: PixelSize(width: 32, height: 24)), name: "frame")
  }

  static func journal(_ options: EventOptions, _ metrics: Metrics = Metrics()) throws -> EventJournal {
    try EventJournal(
      options, metrics: metrics, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// The values of a member in lines, as text.
  static func values(_ member: String, _ lines: some Sequence<String>) throws -> [String] {
    try lines.map { line in
      switch try JSONValue(Array(line.utf8), name: "line")[member] {
      case .string(let text): text
      case .number(let digits): digits
      case let value: "\(String(describing: value))"
      }
    }
  }
}

/// A disk that can be full: then only half of a line is written.
final class FullDisk: Sendable {
  private let isFull = Mutex(false)

  func fill(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

  func write(_ bytes: [UInt8], _ descriptor: Int32) -> (written: Int, error: Int32?) {
    guard isFull.withLock(\.self) else { return Descriptor.write(bytes, to: descriptor) }
    return (Descriptor.write(bytes.prefix(bytes.count / 2), to: descriptor).written, ENOSPC)
  }
}
#endif
