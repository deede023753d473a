// SPDX-License-Identifier: Apache-2.0

/// How good tracks are: the figures of one sequence, or of several together.
public struct TrackingMetrics: Sendable, Hashable {
  /// Higher order tracking accuracy and its parts.
  public let hota: HOTAMetrics
  /// MOTA, MOTP and the counts with them.
  public let clear: CLEARMetrics
  /// IDF1 and its parts.
  public let identity: IdentityMetrics
  /// How many boxes of the ground truth count.
  public let groundTruthBoxes: Int
  /// How many objects, by their identity, the ground truth has.
  public let groundTruthIdentities: Int
  /// How many of the tracker's boxes count.
  public let boxes: Int
  /// How many identities the tracker gave.
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

  /// The figures of several sequences together.
  ///
  /// Counts are added up and accuracies are made of the sums; association figures are means in which each found box
  /// has the same weight. It is not the mean of the sequences.
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

  /// The figures that are fractions, with the names that evaluations use: HOTA, DetA, … IDP.
  public var fractions: [(name: String, value: Double)] {
    [
      ("HOTA", hota.hota), ("DetA", hota.detectionAccuracy), ("AssA", hota.associationAccuracy),
      ("DetRe", hota.detectionRecall), ("DetPr", hota.detectionPrecision),
      ("AssRe", hota.associationRecall), ("AssPr", hota.associationPrecision),
      ("LocA", hota.localizationAccuracy), ("MOTA", clear.accuracy), ("MOTP", clear.precisionOfBoxes),
      ("MODA", clear.detectionAccuracy), ("CLR_Re", clear.recall), ("CLR_Pr", clear.precision),
      ("IDF1", identity.f1), ("IDR", identity.recall), ("IDP", identity.precision),
    ]
  }

  /// The figures that are counts, with the names that evaluations use: CLR_TP, … IDFP.
  public var counts: [(name: String, value: Int)] {
    [
      ("CLR_TP", clear.truePositives), ("CLR_FN", clear.falseNegatives), ("CLR_FP", clear.falsePositives),
      ("IDSW", clear.identitySwitches), ("MT", clear.mostlyTracked), ("PT", clear.partlyTracked),
      ("ML", clear.mostlyLost), ("Frag", clear.fragmentations), ("IDTP", identity.truePositives),
      ("IDFN", identity.falseNegatives), ("IDFP", identity.falsePositives), ("Dets", boxes),
      ("GT_Dets", groundTruthBoxes), ("IDs", identities), ("GT_IDs", groundTruthIdentities),
    ]
  }
}

/// The figures of several sequences, and of all of them together.
public struct TrackingReport: Sendable, Hashable {
  /// What one sequence scored.
  public struct Sequence: Sendable, Hashable {
    /// The sequence's name.
    public let name: String
    /// Its figures.
    public let metrics: TrackingMetrics
  }

  /// The rules by which boxes counted.
  public let benchmark: TrackingBenchmark
  /// The sequences, in the order in which they were added.
  public private(set) var sequences: [Sequence] = []
  /// The figures of all sequences together; see ``TrackingMetrics/init(combining:)``.
  public var combined: TrackingMetrics { TrackingMetrics(combining: sequences.map(\.metrics)) }

  /// Starts a report without sequences.
  public init(benchmark: TrackingBenchmark) { self.benchmark = benchmark }

  /// Adds the figures of a sequence.
  public mutating func append(_ metrics: TrackingMetrics, of name: String) {
    sequences.append(Sequence(name: name, metrics: metrics))
  }
}
