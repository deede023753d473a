// SPDX-License-Identifier: Apache-2.0

public import Fovea

/// A classifier whose embeddings a head learns from.
public struct Backbone: Sendable, Hashable {
  /// What reports and the trained model call it.
  public var name: String
  /// Where the model is.
  public var source: ModelSource
  /// Its licence, which the trained model has as well; nil takes what its metadata say.
  public var licence: String?

  /// Makes a backbone.
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - source: A classifier with a dense end.
  ///   - licence: Its licence.
  public init(name: String, source: ModelSource, licence: String? = nil) {
    self.name = name
    self.source = source
    self.licence = licence
  }

  /// The embedded coarse classifier: small and fast, and there without a download.
  public static let embedded = Backbone(
    name: "embedded-classifier", source: .embedded(.classifier), licence: "Apache-2.0")
}
