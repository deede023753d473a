// SPDX-License-Identifier: Apache-2.0

public import MLKitCommon

// SAFETY: it adds nothing.
/// A model by the name that it has on the model host: `ModelManager.host`, in place of Firebase.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// Names a model.
  /// - Parameter name: The name that the model was given when it was published. What cannot be a name is found out when
  ///   the model is downloaded.
  public override init(name: String) { super.init(name: name) }
}
