// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has only a constant.
/// A custom model in a file of the app, for TensorFlowLite's `Interpreter(modelPath:)`.
public final class CustomLocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file.
  public let path: String

  /// Creates a model from a file; a missing file is reported at the first use.
  /// - Parameter modelPath: The path of a `.tflite` file.
  public init(modelPath: String) { path = modelPath }
}
