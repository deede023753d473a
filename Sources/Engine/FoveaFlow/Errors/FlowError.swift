// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// An error of comparing two images.
public typealias FlowError = Failure<FlowCode>

/// The kinds of ``FlowError``.
public struct FlowCode: FailureCode {
  /// The prefix of the codes in a `FoveaError`.
  public static let domain = "flow-"
  /// The code as in results, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Two frames that optical flow compares have different sizes.
  ///
  /// **Remedy:** start again with a detector's boxes.
  public static let sizeMismatch = Self(rawValue: "size-mismatch")
  /// A pyramid was used before it had an image.
  ///
  /// **Remedy:** call `update(from:)` first.
  public static let noImage = Self(rawValue: "no-picture")
}

extension FlowError {
  /// Refuses images that cannot be compared.
  static func check(_ first: GreyPyramid, _ second: GreyPyramid) throws(FlowError) {
    guard !first.isEmpty, !second.isEmpty else {
      throw FlowError(.noImage, "a pyramid has no image", remedy: "Fill it with update(from:) first")
    }
    guard first.size == second.size else {
      throw FlowError(
        .sizeMismatch,
        "the images are \(first.size) and \(second.size) pixels; they must have the same size",
        remedy: "Start again with a detector's boxes when the size of the frames changes")
    }
  }
}
