// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaModels

extension HostAnswer {
  /// An experiment.
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
      /// The range out of 100,000,000 hashes.
      package let start: Int
      package let end: Int
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
    package let created: String
    package let started: String?
    package let ended: String?
    package let winner: String?
    /// Nil in a list.
    package let rows: [Row]?
    /// Nil in a list.
    package let overrides: [String: String]?
    /// As ``HostAnswer/Model/warning``.
    package var warning: String?
  }

  package struct Experiments: Sendable, Decodable, Equatable {
    package let experiments: [Experiment]
  }

  /// The members that a report adds to those of its experiment.
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

    /// The figures that `analyze` reads.
    package struct Counts: Sendable, Decodable, Equatable {
      /// The units since the previous look; one number for each arm.
      package struct Look: Sendable, Decodable, Equatable {
        package let units: [Int]
        package let sum: [Double]
        /// Nil in a file: the sums, for conversions.
        package let squares: [Double]?
        package let weights: [Double]?

        enum CodingKeys: String, CodingKey, CaseIterable { case units, sum, squares, weights }
      }

      /// Nil in a file: 0.05.
      package let alpha: Double?
      package let planned: Double
      package let kind: MetricKind
      package let weights: [Double]
      package let looks: [Look]

      enum CodingKeys: String, CodingKey, CaseIterable { case alpha, planned, kind, weights, looks }
    }

    /// The days of the first and the last look.
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

// MARK: Conversion from the host's own types

extension HostAnswer.Experiment {
  /// Creates the reply for an experiment, with its log of weights and its test devices if `isWhole`.
  init(_ experiment: FoveaHost.Experiment, model: String?, isWhole: Bool = false) {
    let variants = experiment.variants.enumerated().map { index, variant in
      Variant(
        id: variant.id, weight: experiment.rows.last?.weights[index], version: variant.version,
        parameters: experiment.model == nil ? variant.parameters : nil)
    }
    let metric = Metric(
      name: experiment.metric.name, kind: experiment.metric.kind.rawValue, window: experiment.metric.window)
    let range = experiment.range
    // With the seed, anyone can compute the assignments.
    let draw = Draw(
      seed: range.seed, layer: range.layer, start: range.start, end: range.end,
      share: Double(range.end - range.start) / 1_000_000,
      holdout: Double(PercentHash.count - range.holdout) / 1_000_000)
    let rows = experiment.rows.map { Row(from: $0.from.text, weights: $0.weights, drawn: $0.isDrawn) }
    self.init(
      id: experiment.id, state: experiment.state.rawValue, unit: experiment.unit.rawValue, model: model,
      variants: variants, condition: experiment.condition, metric: metric, planned: experiment.planned,
      draw: draw, created: experiment.created.text, started: experiment.started?.text,
      ended: experiment.ended?.text, winner: experiment.winner, rows: isWhole ? rows : nil,
      overrides: isWhole ? experiment.overrides : nil)
  }
}

extension HostAnswer.Report {
  init(_ report: ExperimentReport) {
    let (experiment, totals) = (report.experiment, report.counts.totals)
    let arms = experiment.variants.enumerated().map { index, variant in
      Arm(
        variant: variant.id, version: variant.version, exposed: report.exposed[index],
        units: totals[index].units, sum: totals[index].sum, mean: totals[index].mean)
    }
    let comparisons = report.analysis.comparisons[0].map { found in
      Comparison(
        variant: experiment.variants[found.variant].id, difference: found.difference, low: found.low,
        high: found.high, p: found.p, adjusted: found.adjusted, enough: found.isEnough,
        verdict: found.verdict.rawValue)
    }
    self.init(
      from: report.days.map { Timestamp.dayText($0.lowerBound) },
      until: report.days.map { Timestamp.dayText($0.upperBound) }, arms: arms,
      sampleRatio: Ratio(p: report.analysis.sampleRatio, alarm: report.analysis.isHidden),
      comparisons: comparisons, findings: report.findings, notes: report.notes, refused: report.refusals,
      counts: Counts(report.counts))
  }
}
#endif
