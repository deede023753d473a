// SPDX-License-Identifier: Apache-2.0

// SAFETY: it adds no state.
/// A custom model that is downloaded by its name.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a model from its source.
  /// - Parameter remoteModelSource: The source, which names the model.
  public init(remoteModelSource: RemoteModelSource) { super.init(name: remoteModelSource.name) }
}
