// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import FoveaFormats

/// The formats that results can be printed in.
typealias OutputFormat = DetectionFormat
/// The formats that tracks can be printed in.
typealias TrackFormat = FrameFormat

extension DetectionFormat: ExpressibleByArgument {
  /// The format of a name on the command line.
  public init?(argument: String) { self.init(name: argument) }

  /// The names that help lists.
  public static var allValueStrings: [String] { all.map(\.name) }
}

extension FrameFormat: ExpressibleByArgument {
  /// The format of a name on the command line.
  public init?(argument: String) { self.init(name: argument) }

  /// The names that help lists.
  public static var allValueStrings: [String] { all.map(\.name) }
}
