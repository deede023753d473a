// SPDX-License-Identifier: Apache-2.0

public import MLKitCommon

/// A model by the name that it has on the model host.
public final class FirebaseModelSource: RemoteModelSource {
  /// Names a model.
  /// - Parameter name: The name that the model was given when it was published.
  public override init(name: String) { super.init(name: name) }
}
