// SPDX-License-Identifier: Apache-2.0
#if Server
extension HostAnswer {
  /// An experiment as the host's own routes show it.
  package struct Experiment: Sendable, Decodable, Equatable {
    package struct Variant: Sendable, Decodable, Equatable {
      package let id: String
      package let weight: Int?
      /// Nil in an experiment on parameters.
      package let version: Int?
      package let parameters: [String: String]?
    }

    package struct Metric: Sendable, Decodable, Equatable {
      package let name: String
      package let kind: String
      /// In seconds.
      package let window: Int
    }

    package struct Draw: Sendable, Decodable, Equatable {
      package let seed: String
      package let layer: String?
      /// In percent of all units.
      package let share: Double
      package let holdout: Double
    }

    package struct Row: Sendable, Decodable, Equatable {
      package let from: String
      package let weights: [Int]
      package let drawn: Bool
    }

    package let id: String
    package let state: String
    package let unit: String
    package let model: String?
    package let variants: [Variant]
    package let condition: String?
    package let metric: Metric
    package let planned: Int
    package let draw: Draw
    package let started: String?
    package let ended: String?
    package let winner: String?
    /// Nil in a list.
    package let rows: [Row]?
    /// Nil in a list.
    package let overrides: [String: String]?
  }

  package struct Experiments: Sendable, Decodable, Equatable {
    package let experiments: [Experiment]
  }

  /// What may be said about an experiment.
  package struct Report: Sendable, Decodable, Equatable {
    package struct Arm: Sendable, Decodable, Equatable {
      package let variant: String
      package let version: Int?
      package let exposed: Int
      package let units: Int
      package let sum: Double
      /// Nil without units.
      package let mean: Double?
    }

    package struct Ratio: Sendable, Decodable, Equatable {
      package let p: Double
      package let alarm: Bool
    }

    package struct Comparison: Sendable, Decodable, Equatable {
      package let variant: String
      package let difference: Double?
      package let low: Double?
      package let high: Double?
      package let p: Double
      package let adjusted: Double
      package let enough: Bool
      package let verdict: String
    }

    /// What `analyze` takes.
    package struct Counts: Sendable, Decodable, Equatable {
      package struct Look: Sendable, Decodable, Equatable {
        package let units: [Int]
        package let sum: [Double]
        package let squares: [Double]
        package let weights: [Double]?
      }

      package let alpha: Double
      package let planned: Double
      package let kind: String
      package let weights: [Double]
      package let looks: [Look]
    }

    package let id: String
    package let state: String
    package let started: String?
    package let ended: String?
    package let metric: Experiment.Metric
    package let planned: Int
    /// The day of the first look, and of the last one.
    package let from: String?
    package let until: String?
    package let arms: [Arm]
    package let sampleRatio: Ratio
    package let comparisons: [Comparison]
    package let findings: [String]
    package let notes: [String]
    package let refused: [String: Int]
    package let counts: Counts
  }
}
#endif
