// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaCore
import FoveaFormats

/// `X1,Y1,X2,Y2`: a directed line in pixels of the frame.
struct LineArgument: Sendable, Equatable, ExpressibleByArgument {
  let numbers: [Double]

  init?(argument: String) {
    guard let numbers = NumberList(argument)?.values, numbers.count == 4 else { return nil }
    self.numbers = numbers
  }
}

/// `X1,Y1,X2,Y2,X3,Y3,…`: the corners of a polygon in pixels of the frame.
struct ZoneArgument: Sendable, Equatable, ExpressibleByArgument {
  let numbers: [Double]

  init?(argument: String) {
    guard let numbers = NumberList(argument)?.values, numbers.count >= 6, numbers.count.isMultiple(of: 2)
    else { return nil }
    self.numbers = numbers
  }
}

extension FrameCounters {
  /// Creates counters for the lines and zones of the command line.
  init(lines: [LineArgument], zones: [ZoneArgument], memory: Int) throws(FoveaError) {
    try self.init(linePoints: lines.map(\.numbers), zonePoints: zones.map(\.numbers), memory: memory)
  }
}
