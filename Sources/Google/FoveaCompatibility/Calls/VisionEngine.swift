// SPDX-License-Identifier: Apache-2.0

/// The models of one request, and the state that they keep between images.
package protocol VisionEngine: Sendable {
  /// The request; equal requests share an engine.
  associatedtype Request: VisionRequest
  /// A result found in an image.
  associatedtype Finding: Sendable

  /// The engines of all detectors or labelers of this kind.
  static var cache: EngineCache<Self> { get }

  /// Loads the models.
  init(_ request: Request) async throws(MLError)
  /// Processes an image.
  mutating func find(in image: VisionInput) async throws(MLError) -> [Finding]
  /// Resets the state kept between images.
  mutating func reset()
}

/// A snapshot of the options of a detector or labeler.
package protocol VisionRequest: Sendable, Hashable {
  /// The custom model; nil if only embedded ones are used.
  var customModel: ModelReference? { get }
}
