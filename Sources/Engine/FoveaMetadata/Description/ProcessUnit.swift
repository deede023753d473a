// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
package import FoveaModelFile

/// A step that is to be done before or after the model runs.
public enum ProcessUnit: Sendable, Hashable {
  /// Pixels become `(pixel - mean) / deviation`.
  case normalization(Normalization)
  /// Scores are calibrated, see `ScoreCalibration`.
  case scoreCalibration(ScoreCalibrationOptions)
  /// Results with a lower score are left out.
  case scoreThreshold(Float)
  /// A step that this package does not do, by its number in the schema (4 to 6 are text tokenizers).
  case other(UInt8)

  /// The number of the step's kind in the schema.
  public var kind: UInt8 {
    switch self {
    case .normalization: 1
    case .scoreCalibration: 2
    case .scoreThreshold: 3
    case .other(let kind): kind
    }
  }
}

/// The part of a score calibration that is the same for all classes.
public struct ScoreCalibrationOptions: Sendable, Hashable {
  /// What is done to a score first; the raw values are TFLite's.
  public enum Transformation: UInt8, Sendable, Hashable {
    /// x.
    case identity = 0
    /// log(x).
    case log = 1
    /// log(x) − log(1 − x).
    case inverseLogistic = 2
  }

  /// What is done to a score first.
  public var transformation: Transformation
  /// The score of a class without calibration, and of one below its least score.
  public var defaultScore: Float

  /// Makes the options.
  public init(transformation: Transformation = .identity, defaultScore: Float = 0) {
    self.transformation = transformation
    self.defaultScore = defaultScore
  }
}

extension PixelScale {
  /// What makes them out of pixels 0…255.
  package var normalization: Normalization {
    switch self {
    case .bytes: Normalization(mean: [0], standardDeviation: [1])
    case .unit: Normalization(mean: [0], standardDeviation: [255])
    case .signed: Normalization(mean: [127.5], standardDeviation: [127.5])
    }
  }
}
