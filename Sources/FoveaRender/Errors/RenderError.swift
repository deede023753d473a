// SPDX-License-Identifier: Apache-2.0

/// Why nothing, or not everything, could be drawn, and what to do about it.
public struct RenderError: Error, Sendable, Hashable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case canvasUnusable = "canvas-unusable"
      case drawingFailed = "drawing-failed"
      case fontUnusable = "font-unusable"
      case invalidStyle = "invalid-style"
      case reportUnwritable = "report-unwritable"
    }
    private let kind: Kind

    /// Cairo cannot draw on the canvas, for example because it is too large.
    public static let canvasUnusable = Code(kind: .canvasUnusable)
    /// Cairo failed while drawing; the image may be half drawn.
    public static let drawingFailed = Code(kind: .drawingFailed)
    /// No text could be measured with the font; nothing was drawn.
    public static let fontUnusable = Code(kind: .fontUnusable)
    /// An option of the style is out of its range; nothing was drawn.
    public static let invalidStyle = Code(kind: .invalidStyle)
    /// The file of a report cannot be made or written; what was there before stays.
    public static let reportUnwritable = Code(kind: .reportUnwritable)

    /// The code in kebab case: "canvas-unusable".
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String

  /// Makes an error.
  public init(code: Code, message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension RenderError: CustomStringConvertible {
  /// Message and remedy as two sentences, for people.
  public var description: String { "\(message). \(remedy)." }
}
