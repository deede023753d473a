// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension Interpreter {
  /// Says why an interpreter of a model file cannot be made.
  ///
  /// `InterpreterError.failedToLoadModel` and `.failedToCreateInterpreter` have no room for the reason. This tries
  /// the same again and keeps nothing: call it after the initializer threw.
  ///
  ///     do {
  ///       interpreter = try Interpreter(modelPath: path)
  ///     } catch {
  ///       print(error, Interpreter.failureReason(modelPath: path) ?? "")
  ///     }
  ///
  /// Google's class has nothing like it.
  /// - Parameters:
  ///   - modelPath: The path of a `.tflite` file; nil is a failure too.
  ///   - options: What the initializer was given.
  ///   - delegates: What the initializer was given.
  /// - Returns: What happened and what to do about it; nil when nothing is in the way.
  public static func failureReason(
    modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil
  ) -> String? {
    reason(modelPath.map(LoadedModel.Source.path), options, delegates)
  }

  /// Says why an interpreter of a model in memory cannot be made.
  /// - Parameters:
  ///   - modelData: The content of a `.tflite` file.
  ///   - options: What the initializer was given.
  ///   - delegates: What the initializer was given.
  /// - Returns: What happened and what to do about it; nil when nothing is in the way.
  public static func failureReason(
    modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
  ) -> String? {
    reason(.data(modelData), options, delegates)
  }

  private static func reason(
    _ source: LoadedModel.Source?, _ options: Options?, _ delegates: [any Delegate]?
  ) -> String? {
    do throws(LoadedModel.Failure) {
      _ = try LoadedModel(source, options: options, delegates: delegates)
      return nil
    } catch {
      return error.reason
    }
  }
}
