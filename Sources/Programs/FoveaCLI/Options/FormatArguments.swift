// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import FoveaFormats

/// The formats that results can be printed in.
typealias OutputFormat = DetectionFormat
/// The formats that tracks can be printed in.
typealias TrackFormat = FrameFormat

/// The formats of a command.
protocol FormatList: Sendable {
  static var formats: [OutputFormat] { get }
}

extension FormatList {
  /// The formats that a run can continue: "jsonl, csv, voc or yolo".
  static var resumableNames: String { choice(of: formats.filter(\.isResumable).map(\.name)) }

  /// The formats that a run cannot continue: "text, json, coco".
  static var wholeNames: String { formats.filter { !$0.isResumable }.map(\.name).joined(separator: ", ") }

  fileprivate static func choice(of names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or \(last)"
  }
}

extension DetectionFormat: FormatList {
  static var formats: [OutputFormat] { all }
}

extension DetectionFormat: ExpressibleByArgument {
  /// Creates the format with this name.
  package init?(argument: String) { self.init(name: argument) }

  /// The names listed in the help.
  package static var allValueStrings: [String] { all.map(\.name) }

  /// The resumable formats that write a single file: "jsonl or csv".
  static var resumableFileNames: String {
    choice(of: all.filter { $0.isResumable && !$0.isFolder }.map(\.name))
  }

  /// The first extension of each format that has any: ".json, .jsonl or .csv".
  static var endingNames: String { choice(of: all.compactMap(\.endings.first).map { "." + $0 }) }
}

/// The format of `fovea label`; the help lists only those for labels.
///
/// Formats for boxes are parsed too, so that the command can explain why it refuses them.
struct LabelFormat: ExpressibleByArgument, FormatList {
  let format: OutputFormat

  init?(argument: String) {
    guard let format = OutputFormat(name: argument) else { return nil }
    self.format = format
  }

  static var formats: [OutputFormat] { OutputFormat.all.filter { !$0.isForBoxes } }

  static var allValueStrings: [String] { formats.map(\.name) }
}

extension FrameFormat: ExpressibleByArgument {
  /// Creates the format with this name.
  package init?(argument: String) { self.init(name: argument) }

  /// The names listed in the help.
  package static var allValueStrings: [String] { all.map(\.name) }
}
