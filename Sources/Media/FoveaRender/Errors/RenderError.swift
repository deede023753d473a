// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error for a drawing or report that failed, with a remedy.
public typealias RenderError = Failure<RenderCode>

/// The kinds of ``RenderError``.
public struct RenderCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as printed in results, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Cairo cannot draw on the canvas, for example because it is too large.
  ///
  /// **Remedy:** draw on a smaller copy.
  public static let canvasUnusable = Self(rawValue: "canvas-unusable")
  /// Cairo failed while drawing; the image may be half drawn.
  ///
  /// **Remedy:** draw again on a fresh copy, or without captions.
  public static let drawingFailed = Self(rawValue: "drawing-failed")
  /// Text could not be measured with the font; nothing was drawn.
  ///
  /// **Remedy:** install a font: `apt-get install fonts-dejavu-core`.
  public static let fontUnusable = Self(rawValue: "font-unusable")
  /// A value of `OverlayStyle` or `TrailOptions` is out of range.
  ///
  /// **Remedy:** the message names value and range.
  public static let invalidStyle = Self(rawValue: "invalid-style")
  /// The file of a report cannot be created or written; an existing file stays unchanged.
  ///
  /// **Remedy:** name a file in a folder that exists, may be written to and has space.
  public static let reportUnwritable = Self(rawValue: "report-unwritable")
}
