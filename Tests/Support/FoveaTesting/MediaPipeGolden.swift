// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The results of MediaPipe Tasks 1.2.2 for the shared photos with one model.
public struct MediaPipeGolden: Decodable, Sendable {
  /// One result of a classifier, or of a detector, which has a box.
  public struct Answer: Decodable, Sendable {
    /// The name of the class; nil if the model has no names.
    public var label: String?
    /// The number of the class; nil for detectors.
    public var index: Int?
    /// The score, 0…1.
    public var score: Float
    /// x, y, width and height in pixels; nil for classifiers.
    public var box: [Double]?
  }

  /// The results for one photo.
  public struct Image: Decodable, Sendable {
    /// The photo's name in the folder of photos.
    public var file: String
    /// The results by decoder ("mediapipe", "pillow") and by threshold ("threshold_0.01").
    public var results: [String: [String: [Answer]]]
  }

  /// The model's path in the shared data.
  public var model: String
  /// The photos.
  public var images: [Image]

  /// Reads the results.
  /// - Parameter name: The model's name without extension.
  /// - Throws: The error of reading the file.
  public init(_ name: String) throws {
    self = try JSONDecoder().decode(
      MediaPipeGolden.self, from: Data(SharedData.bytes("goldens/mediapipe/\(name).json")))
  }
}
