// SPDX-License-Identifier: Apache-2.0

/// Why a model could not be loaded or run.
public struct RuntimeError: Error, Sendable {
  /// The kind of failure; more kinds may come, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case libraryMissing = "runtime-missing"
      case libraryUnusable = "runtime-unusable"
      case modelUnreadable = "model-unreadable"
      case modelInvalid = "model-invalid"
      case modelUnsupported = "model-unsupported"
      case tensorMismatch = "tensor-mismatch"
      case optionInvalid = "option-invalid"
      case runFailed = "run-failed"
      case cancelled = "cancelled"
    }
    private let kind: Kind

    /// `libLiteRt.so` was found nowhere.
    public static let libraryMissing = Code(kind: .libraryMissing)
    /// A library was found but could not be loaded, lacks a function, or would not start.
    public static let libraryUnusable = Code(kind: .libraryUnusable)
    /// The model file is missing, empty, a folder, or may not be read.
    public static let modelUnreadable = Code(kind: .modelUnreadable)
    /// The bytes are not a TFLite model, or a damaged one.
    public static let modelInvalid = Code(kind: .modelInvalid)
    /// A sound model that this runtime cannot run, for instance for an operator it does not have.
    public static let modelUnsupported = Code(kind: .modelUnsupported)
    /// A tensor's type, shape or byte count is not what the caller expects.
    public static let tensorMismatch = Code(kind: .tensorMismatch)
    /// An option is out of its range.
    public static let optionInvalid = Code(kind: .optionInvalid)
    /// The model stopped with an error while it ran.
    public static let runFailed = Code(kind: .runFailed)
    /// The run was cancelled.
    public static let cancelled = Code(kind: .cancelled)

    /// The code as results print it, in kebab case.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values: one sentence without a final stop.
  public var message: String
  /// What to do next: one sentence without a final stop.
  public var remedy: String
  /// The error of the layer below: a `MetadataError` where the check of the model's file found damage, else nil.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }
}

extension RuntimeError: CustomStringConvertible {
  /// Message and remedy as two sentences.
  public var description: String { "\(message). \(remedy)." }
}

extension RuntimeError {
  /// The name and meaning of a status that LiteRT answered.
  ///
  /// **Source:** LiteRT 2.3.0, `litert/c/litert_common.h`; the library exports no texts.
  static func statusText(_ status: Int32) -> String {
    let text: String =
      switch status {
      case 1: "invalid argument"
      case 2: "memory allocation failed"
      case 3: "runtime failure"
      case 4: "missing input tensor"
      case 5: "unsupported"
      case 6: "not found"
      case 7: "timeout"
      case 8: "wrong version"
      case 9: "unknown failure"
      case 10: "already exists"
      case 100: "cancelled"
      case 500: "file could not be read"
      case 501: "not a valid FlatBuffer"
      case 502: "a library could not be loaded"
      case 503: "serialization failed"
      case 504: "compilation failed"
      case 1000: "index out of bounds"
      case 1001: "invalid type in the graph"
      case 1002: "graph invariant broken"
      case 4000...4002: "unsupported version"
      default: "unlisted"
      }
    return "LiteRT status \(status): \(text)"
  }
}
