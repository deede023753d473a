// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore
import FoveaModelFile

/// Why a model could not be loaded or run.
public typealias RuntimeError = Failure<RuntimeCode>

/// The kinds of ``RuntimeError``.
public struct RuntimeCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// What the check of a model's file finds reads the same whichever layer found it.
  public static func qualified(_ error: RuntimeError) -> FoveaError {
    if let cause = error.cause as? MetadataError { return FoveaError(cause) }
    return FoveaError(wrapping: error)
  }

  /// The LiteRT library was found nowhere.
  ///
  /// **Remedy:** `make setup`, or set `FOVEA_LITERT_LIBRARY`.
  public static let libraryMissing = Self(rawValue: "runtime-missing")
  /// A library was found but could not be loaded, lacks a function, or would not start.
  ///
  /// **Remedy:** `make setup`, which brings LiteRT 2.3.0.
  public static let libraryUnusable = Self(rawValue: "runtime-unusable")
  /// The model file is empty, a device, or may not be read.
  ///
  /// **Remedy:** check path and permissions.
  public static let modelUnreadable = Self(rawValue: "model-unreadable")
  /// The bytes are no TFLite model (the message says what they are: a Git LFS pointer, Keras, ONNX, PyTorch …), or a
  /// damaged one (in `FoveaRuntime` also what `Fovea` calls `metadata-damaged-model`).
  ///
  /// **Remedy:** give a `.tflite` file; the message says how to convert other formats.
  public static let modelInvalid = Self(rawValue: "model-invalid")
  /// Not one image input, an operator that LiteRT does not have, a size that is not fixed, or a model for something
  /// else (landmarks, masks, embeddings, sound, the Edge TPU), which the message names.
  ///
  /// **Remedy:** `fovea model inspect`; export with built-in operators and fixed shapes.
  public static let modelUnsupported = Self(rawValue: "model-unsupported")
  /// Values of another type, shape or number than the tensor's.
  ///
  /// **Remedy:** use the shape and type that the message names.
  public static let tensorMismatch = Self(rawValue: "tensor-mismatch")
  /// An option is out of its range, or contradicts the model or the photo.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let optionInvalid = Self(rawValue: "option-invalid")
  /// LiteRT stopped while the model ran.
  ///
  /// **Remedy:** check the model with the tool that exported it.
  public static let runFailed = Self(rawValue: "run-failed")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
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
