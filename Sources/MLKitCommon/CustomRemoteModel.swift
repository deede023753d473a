// SPDX-License-Identifier: Apache-2.0

/// A custom model that is downloaded by its name.
public final class CustomRemoteModel: RemoteModel {
  /// Names the model of a source.
  /// - Parameter remoteModelSource: The source, which gives the model its name.
  public init(remoteModelSource: RemoteModelSource) { super.init(name: remoteModelSource.name) }
}
