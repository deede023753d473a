// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
package import FoveaModelFile

/// A step to perform before or after the model runs.
public enum ProcessUnit: Sendable, Hashable {
  /// Normalises pixels to `(pixel - mean) / deviation`.
  case normalization(Normalization)
  /// Calibrates scores, see `ScoreCalibration`.
  case scoreCalibration(ScoreCalibrationOptions)
  /// Omits results with a lower score.
  case scoreThreshold(Float)
  /// A step that this package does not support, by its number in the schema (4 to 6 are text tokenizers).
  case other(UInt8)

  /// The number of the step's kind in the schema.
  package var kind: UInt8 {
    switch self {
    case .normalization: 1
    case .scoreCalibration: 2
    case .scoreThreshold: 3
    case .other(let kind): kind
    }
  }
}

/// The options of a score calibration for all classes.
public struct ScoreCalibrationOptions: Sendable, Hashable {
  /// The transformation of a score before the sigmoid; the raw values are TFLite's.
  public enum Transformation: UInt8, Sendable, Hashable {
    /// x.
    case identity = 0
    /// log(x).
    case log = 1
    /// log(x) − log(1 − x).
    case inverseLogistic = 2
  }

  /// The transformation of a score before the sigmoid.
  public var transformation: Transformation
  /// The score of a class without a curve, and of a score below the minimum of its class.
  public var defaultScore: Float

  /// Creates options.
  public init(transformation: Transformation = .identity, defaultScore: Float = 0) {
    self.transformation = transformation
    self.defaultScore = defaultScore
  }
}

extension PixelScale {
  /// The normalisation of pixels 0…255 to this scale.
  package var normalization: Normalization {
    switch self {
    case .bytes: Normalization(mean: [0], standardDeviation: [1])
    case .unit: Normalization(mean: [0], standardDeviation: [255])
    case .signed: Normalization(mean: [127.5], standardDeviation: [127.5])
    }
  }
}
