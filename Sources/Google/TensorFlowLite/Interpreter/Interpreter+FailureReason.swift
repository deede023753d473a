// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Interpreter {
  /// Returns why an interpreter cannot be created from a model file.
  ///
  /// `InterpreterError.failedToLoadModel` and `.failedToCreateInterpreter` have no field for the reason. This
  /// function tries again and keeps nothing: call it after the initializer has thrown.
  ///
  ///     do {
  ///       interpreter = try Interpreter(modelPath: path)
  ///     } catch {
  ///       print(error, Interpreter.failureReason(modelPath: path) ?? "")
  ///     }
  ///
  /// Google's class has no equivalent.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file; nil is also a failure.
  ///   - options: The options that were passed to the initializer.
  ///   - delegates: The delegates that were passed to the initializer.
  /// - Returns: The reason and a remedy; nil if an interpreter can be created.
  public static func failureReason(
    modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil
  ) -> String? {
    reason(modelPath.map(CompiledModel.Source.path), options, delegates)
  }

  /// Returns why an interpreter cannot be created from a model in memory.
  /// - Parameters:
  ///   - modelData: The content of a `.tflite` file.
  ///   - options: The options that were passed to the initializer.
  ///   - delegates: The delegates that were passed to the initializer.
  /// - Returns: The reason and a remedy; nil if an interpreter can be created.
  public static func failureReason(
    modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
  ) -> String? {
    reason(.data(modelData), options, delegates)
  }

  private static func reason(
    _ source: CompiledModel.Source?, _ options: Options?, _ delegates: [any Delegate]?
  ) -> String? {
    do throws(CompiledModel.Failure) {
      _ = try CompiledModel(source, options: options, delegates: delegates)
      return nil
    } catch {
      return error.reason
    }
  }
}
