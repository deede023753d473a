// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What MediaPipe Tasks 1.2.2 answers to the shared photos with one model.
public struct MediaPipeGolden: Decodable, Sendable {
  /// One answer of a classifier, or of a detector, which has a box.
  public struct Answer: Decodable, Sendable {
    /// The name of the class; nil where the model has no names.
    public var label: String?
    /// The number of the class; nil for detectors.
    public var index: Int?
    /// How sure it is, 0…1.
    public var score: Float
    /// x, y, width and height in pixels; nil for classifiers.
    public var box: [Double]?
  }

  /// The answers to one photo.
  public struct Image: Decodable, Sendable {
    /// The photo's name in the folder of photos.
    public var file: String
    /// The answers by who decoded the photo ("mediapipe", "pillow") and by threshold ("threshold_0.01").
    public var results: [String: [String: [Answer]]]
  }

  /// The model's path in the shared data.
  public var model: String
  /// The photos.
  public var images: [Image]

  /// Reads the answers.
  /// - Parameter name: The model's name without ending.
  /// - Throws: What reading the file throws.
  public init(_ name: String) throws {
    self = try JSONDecoder().decode(
      MediaPipeGolden.self, from: Data(SharedData.bytes("goldens/mediapipe/\(name).json")))
  }
}
