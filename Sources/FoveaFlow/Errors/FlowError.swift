// SPDX-License-Identifier: Apache-2.0

/// Why two images cannot be compared.
public struct FlowError: Error, Sendable, Hashable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code as results print it, in kebab case: "size-mismatch".
    public var rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text.
    public var description: String { rawValue }

    /// The images have different sizes.
    public static let sizeMismatch = Code(rawValue: "size-mismatch")
    /// There is no image in a pyramid.
    public static let noPicture = Code(rawValue: "no-picture")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String

  /// Makes an error.
  public init(code: Code, message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Refuses images that cannot be compared.
  static func check(_ first: GreyPyramid, _ second: GreyPyramid) throws(FlowError) {
    guard !first.isEmpty, !second.isEmpty else {
      throw FlowError(
        code: .noPicture, message: "a pyramid has no picture", remedy: "Fill it with update(from:) first")
    }
    guard first.size == second.size else {
      throw FlowError(
        code: .sizeMismatch,
        message: "the pictures are \(first.size) and \(second.size) pixels, the same size expected",
        remedy: "Begin anew with a detector's boxes when the size of the frames changes")
    }
  }
}

extension FlowError: CustomStringConvertible {
  /// Message and remedy, for people.
  public var description: String { "\(message). \(remedy)." }
}
