// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaTracking

/// An argument of a form that ArgumentParser's own error does not describe.
protocol FormedArgument {
  /// The form, with an example.
  static var form: String { get }

  init?(argument: String)
}

extension FormedArgument {
  /// Reads an argument.
  /// - Throws: `ValidationError` with the form.
  static func read(_ argument: String) throws -> Self {
    guard let value = Self(argument: argument) else { throw ValidationError("Give \(form).") }
    return value
  }
}

/// `[NAME=]X1,Y1,X2,Y2`: a directed line in pixels of the frame.
struct LineArgument: Sendable, Equatable, FormedArgument {
  static let form = ShapeForm.line.asked
  let shape: CountedShape

  init?(argument: String) {
    guard let shape = CountedShape(argument: argument), shape.points.count == 4 else { return nil }
    self.shape = shape
  }
}

/// `[NAME=]X1,Y1,X2,Y2,X3,Y3,…`: the corners of a polygon in pixels of the frame.
struct ZoneArgument: Sendable, Equatable, FormedArgument {
  static let form = ShapeForm.zone.asked
  let shape: CountedShape

  init?(argument: String) {
    // The zone itself refuses too few corners, with advice.
    guard let shape = CountedShape(argument: argument), shape.points.count.isMultiple(of: 2) else {
      return nil
    }
    self.shape = shape
  }
}

/// `NAME=SECONDS`: the stay in a zone that is an event.
struct DwellArgument: Sendable, Equatable, FormedArgument {
  static let form = "zone=\(ShapeForm.dwell.numbers), such as \(ShapeForm.dwell.example)"
  let zone: String
  let seconds: Double

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="),
      let seconds = NumberList(String(argument[argument.index(after: equals)...]))?.values, seconds.count == 1
    else { return nil }
    zone = String(argument[..<equals])
    self.seconds = seconds[0]
  }
}

/// `X1,Y1,X2,Y2,X3,Y3,X4,Y4=WIDTHxLENGTH`: the corners of a rectangle on the ground in pixels of the frame,
/// and its sides in metres.
struct GroundArgument: Sendable, Equatable, FormedArgument {
  static let form = "x1,y1,x2,y2,x3,y3,x4,y4=widthxlength, such as 40,340,600,340,420,120,220,120=6x20"
  let points: [Double]
  let sides: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let points = NumberList(String(parts[0]))?.values, points.count == 8,
      !parts[1].contains(","),
      let sides = NumberList(String(parts[1]).replacing("x", with: ","))?.values, sides.count == 2
    else { return nil }
    (self.points, self.sides) = (points, sides)
  }

  /// Returns the plane.
  /// - Throws: `invalid-ground`.
  func plane() throws(FoveaError) -> GroundPlane {
    let corners = stride(from: 0, to: 8, by: 2).map { PixelPoint(x: points[$0], y: points[$0 + 1]) }
    do throws(CountingError) {
      return try GroundPlane(corners, width: sides[0], length: sides[1])
    } catch {
      throw FoveaError(error)
    }
  }
}

/// A time between two rows of counts, such as `60s`, `15m` or `1h`: 1 second to a day.
struct IntervalArgument: Sendable, Equatable, FormedArgument {
  static let form = "a time from 1s to 24h, such as 60s, 15m or 1h"
  let seconds: Double

  init?(argument: String) {
    guard let seconds = TimeText.seconds(argument), (1...86_400).contains(seconds) else { return nil }
    self.seconds = seconds
  }
}

/// A moment such as `2026-11-26T11:53:52Z`.
struct MomentArgument: Sendable, Equatable, FormedArgument {
  static let form = "a moment in UTC, such as 2026-11-26T11:53:52Z"
  /// The milliseconds since 1970-01-01T00:00:00Z.
  let milliseconds: Int64

  init?(argument: String) {
    guard let milliseconds = CivilDate.milliseconds(text: argument) else { return nil }
    self.milliseconds = milliseconds
  }
}

extension ShapeForm {
  /// The form on the command line, with an example.
  fileprivate var asked: String {
    "\(numbers) in pixels of the frame, such as \(example); the name is optional"
  }
}

extension CountedShape {
  /// Reads `X1,Y1,…` or `NAME=X1,Y1,…`; the counters check the name.
  fileprivate init?(argument: String) {
    let equals = argument.firstIndex(of: "=")
    let numbers = equals.map { argument[argument.index(after: $0)...] } ?? argument[...]
    guard let points = NumberList(String(numbers))?.values else { return nil }
    self.init(name: equals.map { String(argument[..<$0]) }, points: points)
  }
}

extension FrameCounters {
  /// Creates counters for the lines and zones of the command line.
  init(
    lines: [LineArgument], zones: [ZoneArgument], dwells: [DwellArgument] = [], memory: Int
  ) throws(FoveaError) {
    try self.init(
      lines: lines.map(\.shape), zones: zones.map(\.shape),
      dwells: Dictionary(dwells.map { ($0.zone, $0.seconds) }) { _, last in last }, memory: memory)
  }
}
