// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore
import FoveaModelFile

/// The error of a model that cannot be loaded or run.
public typealias RuntimeError = Failure<RuntimeCode>

/// The kinds of ``RuntimeError``.
public struct RuntimeCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code in kebab case, as results print it.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Converts an error, so that a fault of a model's file has the same code whichever layer found it.
  public static func qualified(_ error: RuntimeError) -> FoveaError {
    if let cause = error.cause as? MetadataError { return FoveaError(cause) }
    return FoveaError(wrapping: error)
  }

  /// The LiteRT library was not found.
  ///
  /// **Remedy:** `make setup`, or set `FOVEA_LITERT_LIBRARY`.
  public static let libraryMissing = Self(rawValue: "runtime-missing")
  /// A library was found but could not be loaded, lacks a function, or failed to start.
  ///
  /// **Remedy:** `make setup`, which installs LiteRT 2.3.0.
  public static let libraryUnusable = Self(rawValue: "runtime-unusable")
  /// The model file is empty, a device, or not readable.
  ///
  /// **Remedy:** check path and permissions.
  public static let modelUnreadable = Self(rawValue: "model-unreadable")
  /// The bytes are not a TFLite model (the message names the format: a Git LFS pointer, Keras, ONNX, PyTorch
  /// …), or a damaged one (in `FoveaRuntime` also for faults that `Fovea` reports as
  /// `metadata-damaged-model`).
  ///
  /// **Remedy:** use a `.tflite` file; the message explains how to convert other formats.
  public static let modelInvalid = Self(rawValue: "model-invalid")
  /// The model does not have exactly one image input, or it has an operator that LiteRT lacks, a size that is
  /// not fixed, or another purpose (depth, sound, text, the Edge TPU), or the command is for another kind of
  /// model; the message names the reason.
  ///
  /// **Remedy:** `fovea model inspect`; export with built-in operators and fixed shapes.
  public static let modelUnsupported = Self(rawValue: "model-unsupported")
  /// The values differ in type, shape or number from the tensor.
  ///
  /// **Remedy:** use the shape and type that the message names.
  public static let tensorMismatch = Self(rawValue: "tensor-mismatch")
  /// An option is out of its range, or contradicts the model or the image.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// LiteRT failed while it ran the model.
  ///
  /// **Remedy:** check the model with the tool that exported it.
  public static let runFailed = Self(rawValue: "run-failed")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
}

extension RuntimeError {
  /// Returns the number and meaning of a LiteRT status.
  ///
  /// **Source:** LiteRT 2.3.0, `litert/c/litert_common.h`; the library exports no messages.
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
