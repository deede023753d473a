// SPDX-License-Identifier: Apache-2.0

/// The models behind one request, and what they remember from image to image.
package protocol VisionEngine: Sendable {
  /// What is asked for; equal requests share an engine.
  associatedtype Request: VisionRequest
  /// One thing that is found in an image.
  associatedtype Finding: Sendable

  /// The engines of all detectors or labelers of this kind.
  static var cache: EngineCache<Self> { get }

  /// Loads the models.
  init(_ request: Request) async throws(MLError)
  /// Processes an image.
  mutating func find(in picture: VisionInput) async throws(MLError) -> [Finding]
  /// Forgets what it remembers.
  mutating func reset()
}

/// A snapshot of the options of a detector or labeler.
package protocol VisionRequest: Sendable, Hashable {
  /// The custom model; nil where only embedded ones are asked for.
  var customModel: ModelReference? { get }
}
