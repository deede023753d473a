// SPDX-License-Identifier: Apache-2.0

public import MLKitCommon

// SAFETY: it adds no state.
/// A source that names a model on the model host (`ModelManager.host`), which replaces Firebase.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// Creates a source from a model's name.
  /// - Parameter name: The name under which the model was published. An invalid name is reported when the
  ///   model is downloaded.
  public override init(name: String) { super.init(name: name) }
}
