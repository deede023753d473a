// SPDX-License-Identifier: Apache-2.0

/// The tracking figures of one sequence, or of several combined.
public struct TrackingMetrics: Sendable, Hashable {
  /// Higher order tracking accuracy and its parts.
  public let hota: HOTAMetrics
  /// MOTA, MOTP and their counts.
  public let clear: CLEARMetrics
  /// IDF1 and its parts.
  public let identity: IdentityMetrics
  /// The number of boxes of the ground truth that count.
  public let groundTruthBoxes: Int
  /// The number of objects in the ground truth, by identity.
  public let groundTruthIdentities: Int
  /// The number of the tracker's boxes that count.
  public let boxes: Int
  /// The number of the tracker's identities.
  public let identities: Int

  init(_ table: SequenceTable) {
    var counter = HOTACounter(table)
    hota = counter.metrics()
    clear = CLEARCounter(table).count()
    identity = IdentityMetrics(table)
    groundTruthBoxes = table.truthIDs.count
    groundTruthIdentities = table.truthCounts.count
    boxes = table.resultIDs.count
    identities = table.resultCounts.count
  }

  /// Combines the figures of several sequences.
  ///
  /// Counts are summed, and accuracies are computed from the sums; association figures are means in which
  /// each found box has the same weight. The result is not the mean of the sequences.
  ///
  /// **Source:** Luiten et al., "HOTA", IJCV 2021, section 6, for the association figures.
  public init(combining parts: [TrackingMetrics]) {
    hota = HOTAMetrics(combining: parts.map(\.hota))
    clear = CLEARMetrics(combining: parts.map(\.clear))
    identity = IdentityMetrics(combining: parts.map(\.identity))
    groundTruthBoxes = parts.reduce(0) { $0 + $1.groundTruthBoxes }
    groundTruthIdentities = parts.reduce(0) { $0 + $1.groundTruthIdentities }
    boxes = parts.reduce(0) { $0 + $1.boxes }
    identities = parts.reduce(0) { $0 + $1.identities }
  }

  /// The figures that are fractions, with their usual names: HOTA, DetA, … IDP.
  package var fractions: [(name: String, value: Double)] {
    [
      ("HOTA", hota.hota), ("DetA", hota.detectionAccuracy), ("AssA", hota.associationAccuracy),
      ("DetRe", hota.detectionRecall), ("DetPr", hota.detectionPrecision),
      ("AssRe", hota.associationRecall), ("AssPr", hota.associationPrecision),
      ("LocA", hota.localizationAccuracy), ("MOTA", clear.accuracy), ("MOTP", clear.precisionOfBoxes),
      ("MODA", clear.detectionAccuracy), ("CLR_Re", clear.recall), ("CLR_Pr", clear.precision),
      ("IDF1", identity.f1), ("IDR", identity.recall), ("IDP", identity.precision),
    ]
  }

  /// The figures that are counts, with their usual names: CLR_TP, … IDFP.
  package var counts: [(name: String, value: Int)] {
    [
      ("CLR_TP", clear.truePositives), ("CLR_FN", clear.falseNegatives), ("CLR_FP", clear.falsePositives),
      ("IDSW", clear.identitySwitches), ("MT", clear.mostlyTracked), ("PT", clear.partlyTracked),
      ("ML", clear.mostlyLost), ("Frag", clear.fragmentations), ("IDTP", identity.truePositives),
      ("IDFN", identity.falseNegatives), ("IDFP", identity.falsePositives), ("Dets", boxes),
      ("GT_Dets", groundTruthBoxes), ("IDs", identities), ("GT_IDs", groundTruthIdentities),
    ]
  }
}

/// The figures of several sequences, and of all combined.
package struct TrackingReport: Sendable, Hashable {
  /// The result of one sequence.
  package struct Sequence: Sendable, Hashable {
    /// The sequence's name.
    package let name: String
    /// The sequence's figures.
    package let metrics: TrackingMetrics
  }

  /// The rules that decided which boxes count.
  package let benchmark: TrackingBenchmark
  /// The sequences, in the order in which they were added.
  package private(set) var sequences: [Sequence] = []
  /// The combined figures of all sequences; see ``TrackingMetrics/init(combining:)``.
  package var combined: TrackingMetrics { TrackingMetrics(combining: sequences.map(\.metrics)) }

  /// Creates a report without sequences.
  package init(benchmark: TrackingBenchmark) { self.benchmark = benchmark }

  /// Adds the figures of a sequence.
  package mutating func append(_ metrics: TrackingMetrics, of name: String) {
    sequences.append(Sequence(name: name, metrics: metrics))
  }
}
