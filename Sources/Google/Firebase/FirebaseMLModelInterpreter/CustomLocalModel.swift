// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has nothing but a constant.
/// A custom model in a file of the app's, for TensorFlowLite's `Interpreter(modelPath:)`.
public final class CustomLocalModel: NSObject, @unchecked Sendable {
  /// The path of the model file.
  public let path: String

  /// Names a model file; whether it is there is found out when it is used.
  /// - Parameter modelPath: The path of a `.tflite` file.
  public init(modelPath: String) { path = modelPath }
}
