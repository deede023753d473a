// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import FoveaCompatibility

/// A model in a file of the app's.
public final class LocalModel: NSObject {
  /// The path of the model file.
  public let path: String
  /// The path of the manifest that named the model; nil where there is none.
  public let manifestPath: String?

  /// Names a model file; whether it is there is found out when it is used.
  /// - Parameter path: The path of a `.tflite` file.
  public init(path: String) {
    self.path = path
    manifestPath = nil
  }

  /// The model as pipelines take it.
  package var reference: ModelReference { .local(path: manifestPath ?? path) }
}
