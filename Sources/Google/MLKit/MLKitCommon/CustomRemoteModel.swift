// SPDX-License-Identifier: Apache-2.0

// SAFETY: it adds nothing.
/// A custom model that is downloaded by its name.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Names the model of a source.
  /// - Parameter remoteModelSource: The source, which gives the model its name.
  public init(remoteModelSource: RemoteModelSource) { super.init(name: remoteModelSource.name) }
}
