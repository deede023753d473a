// SPDX-License-Identifier: Apache-2.0

public import FirebaseMLCommon

// SAFETY: it adds nothing.
/// A custom model that is downloaded by its name.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Names a model.
  /// - Parameter name: The name that the model was given when it was published. What cannot be a name is found out when
  ///   the model is downloaded.
  public override init(name: String) { super.init(name: name) }
}
