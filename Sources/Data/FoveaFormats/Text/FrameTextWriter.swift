// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Results for people: a line for each frame that shows something, then one aligned line for each object.
public struct FrameTextWriter: FrameWriter {
  private let style: TextStyle

  /// Makes a writer; `isColored` is for terminals.
  public init(isColored: Bool = false) { style = TextStyle(isColored: isColored) }

  /// The lines of a frame.
  public func text(for record: FrameRecord) -> String {
    guard !record.objects.isEmpty else { return "" }
    var facts: [String] = []
    if let seconds = record.seconds { facts.append("\(DecimalText.fixed(seconds, places: 3)) s") }
    if !record.isDetected { facts.append("moved") }
    return style.strong("frame \(record.number)") + style.faint(facts.map { "  " + $0 }.joined()) + "\n"
      + TextWriter.lines(of: record.objects, style: style)
  }
}

extension FrameFormat {
  /// For people: ``FrameTextWriter``.
  public static let text = FrameFormat("text") { FrameTextWriter(isColored: $0) }
}
