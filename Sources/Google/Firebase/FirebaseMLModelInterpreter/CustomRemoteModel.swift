// SPDX-License-Identifier: Apache-2.0

public import FirebaseMLCommon

// SAFETY: it adds no state.
/// A custom model that is downloaded by its name.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a model from its name.
  /// - Parameter name: The name under which the model was published. An invalid name is reported when the
  ///   model is downloaded.
  public override init(name: String) { super.init(name: name) }
}
