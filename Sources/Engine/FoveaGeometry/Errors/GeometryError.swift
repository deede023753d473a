// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// A reason why a mask cannot be made from its data.
public typealias GeometryError = Failure<GeometryCode>

/// The kinds of ``GeometryError``.
public struct GeometryCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The cells, the prototypes or the coefficients of a mask do not fit its size, or its place is not in an
  /// image.
  ///
  /// **Remedy:** use arrays of the size that the message states, and finite edges.
  public static let maskInvalid = Self(rawValue: "mask-invalid")
  /// Run lengths or polygons of a mask do not fit the image, or their string is damaged.
  ///
  /// **Remedy:** write the segmentation again with the tool that made it.
  public static let runLengthsInvalid = Self(rawValue: "run-lengths-invalid")
}
