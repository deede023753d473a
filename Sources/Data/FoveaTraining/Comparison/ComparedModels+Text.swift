// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension ComparedModels {
  /// The figures as rows of a name and a text, for people.
  package var rows: [[String]] {
    var rows = [["agreement", answers.text(threshold: threshold)]]
    if let accuracy { rows.append(accuracy.row) }
    if let times { rows.append(["CPU per run", Self.text(of: times)]) }
    let sizes = (DecimalText.bytes(byteCounts.first), DecimalText.bytes(byteCounts.second))
    rows.append(["size", "\(sizes.0) -> \(sizes.1)"])
    return rows
  }

  /// The figures as readable text.
  package var text: String {
    DecimalText.counted(photoCount, "photo", "photos") + "\n" + TextTable.text(rows, leftAligned: [0, 1])
  }

  /// Remarks on figures that few photos make rough, and on classes without ground truth, as sentences without
  /// the full stop.
  package var notes: [String] {
    (Self.isFew(photoCount)
      ? [
        "the agreement on \(DecimalText.counted(photoCount, "photo", "photos")) is rough; compare on "
          + "\(Accuracy.enoughPhotos) or more"
      ] : []) + accuracyNotes
  }

  /// The remarks on the figures that need ground truth.
  package var accuracyNotes: [String] {
    var notes: [String] = []
    if accuracy != nil, !unlisted.names.isEmpty {
      let shown = unlisted.names.prefix(3).map { "'\($0.printable)'" }.joined(separator: ", ")
      let more = unlisted.names.count > 3 ? " and \(unlisted.names.count - 3) more" : ""
      notes.append(
        "the ground truth lists \(unlisted.count - unlisted.names.count) of the \(unlisted.count) classes, "
          + "not \(shown)\(more), whose boxes do not count; if it has other names for them, the AP is too "
          + "low: give a label file with its names")
    }
    if let accuracy, accuracy.photoCount < Accuracy.enoughPhotos {
      notes.append(
        "the \(accuracy.kind.title) of \(DecimalText.counted(accuracy.photoCount, "photo", "photos")) is "
          + "rough; give ground truth for \(Accuracy.enoughPhotos) or more")
    }
    return notes
  }

  /// Whether the agreement on a number of photos is rough: of fewer than 20, one is more than 5 %.
  static func isFew(_ photoCount: Int) -> Bool { (1..<20).contains(photoCount) }

  /// Returns why the second model is refused; nil if it is not.
  /// - Parameters:
  ///   - name: The second model's name.
  ///   - leastAgreement: The least agreement, 0…1; 0 for any, also if there is nothing to compare.
  ///   - leastRatio: The least ratio of the models' accuracies; nil for any.
  ///   - unreadable: The photos that could not be read.
  /// - Returns: The error, which names the actual and the least figure; that of the photos if none could be
  ///   read.
  package func refusal(
    of name: String, atLeast leastAgreement: Double, _ leastRatio: Double?,
    _ unreadable: UnreadablePhotos = UnreadablePhotos([], of: 0)
  ) -> FoveaError? {
    if unreadable.areAll { return unreadable.error }
    let few = unreadable.text.map { "; \($0)" } ?? ""
    let found = agreement
    if leastAgreement > 0, found.map({ $0 < leastAgreement }) ?? true {
      let (share, least) = Self.percents(found ?? 0, leastAgreement)
      let wanted = "\(least) are wanted"
      return FoveaError(
        .agreementTooLow,
        found == nil
          ? "'\(name.printable)' cannot be judged, and \(wanted): \(answers.nothing(threshold))\(few)"
          : "'\(name.printable)' agrees with the first model in \(answers.text(share: share)), and "
            + "\(wanted)\(few)",
        remedy: found == nil
          ? "Compare on photos that show what the models find" : "Use another model, or accept less agreement"
      )
    }
    guard let leastRatio, let accuracy else { return nil }
    guard accuracy.ratio.map({ $0 < leastRatio }) ?? true else { return nil }
    let figures = "\(Self.figure(accuracy.first)) -> \(Self.figure(accuracy.second))"
    return FoveaError(
      .agreementTooLow,
      "The \(accuracy.kind.title) of '\(name.printable)' is "
        + (accuracy.ratio.map { "\(Self.percent($0)) of the first model's (\(figures))" }
          ?? "not comparable with the first model's (\(figures))")
        + ", and \(Self.percent(leastRatio)) are wanted\(few)",
      remedy: "Use another model, or accept less accuracy")
  }

  /// Returns a share in percent, rounded down so that 99.96 % are not 100 %.
  static func percent(_ share: Double, places: Int = 1) -> String {
    let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
    // A share of 0.9 must not become 89.9 %.
    return DecimalText.short((share * 100 * unit + 1e-9).rounded(.down) / unit, places: places) + " %"
  }

  /// Returns two shares in percent, with as many places as show a difference.
  static func percents(_ first: Double, _ second: Double) -> (String, String) {
    var places = 1
    while places < 6, first != second, percent(first, places: places) == percent(second, places: places) {
      places += 1
    }
    return (percent(first, places: places), percent(second, places: places))
  }

  static func figure(_ value: Double?) -> String { value.map { DecimalText.fixed($0, places: 3) } ?? "–" }

  private static func text(of times: TurnTimer.Times) -> String {
    "\(milliseconds(times.first)) -> \(milliseconds(times.second)) ms"
      + (times.ratio.map { " (\(DecimalText.fixed($0, places: 2)))" } ?? "") + ", one thread"
  }

  private static func milliseconds(_ time: Duration) -> String {
    let value = time.milliseconds
    return DecimalText.fixed(value, places: value < 1 ? 3 : value < 10 ? 2 : 1)
  }
}

extension ComparedModels.Accuracy.Kind {
  /// The name of the figure in tables.
  package var title: String {
    switch self {
    case .averagePrecision: "AP"
    case .firstLabels: "accuracy"
    }
  }
}

extension ComparedModels.Accuracy {
  fileprivate var row: [String] {
    let figures = "\(ComparedModels.figure(first)) -> \(ComparedModels.figure(second))"
    let shared = ratio.map { "\(DecimalText.fixed($0, places: 2)); " } ?? ""
    let photos = DecimalText.counted(photoCount, "photo", "photos")
    return [kind.title, "\(figures) (\(shared)\(photos) with ground truth)"]
  }
}

extension Agreement {
  /// The agreement with its parts, for people.
  func text(threshold: Float?) -> String {
    guard value != nil else { return nothing(threshold) }
    let figure = ComparedModels.figure
    switch self {
    case .boxes(let boxes):
      let counts = "\(boxes.matchedCount) of \(boxes.firstCount) and \(boxes.secondCount)"
      return "\(share) at \(Self.score(threshold)) (same class, overlap \(BoxAgreement.leastOverlap)): "
        + counts + (boxes.meanOverlap.map { "; mean overlap \(DecimalText.fixed($0, places: 2))" } ?? "")
    case .labels(let labels):
      return "\(share): \(labels.sharedCount) of \(labels.imageCount)"
        + (labels.meanChange.map { "; mean change of its score \(figure($0))" } ?? "")
    case .maps(let maps):
      return "\(share)"
        + (maps.equalShare.map { "; \(ComparedModels.percent($0)) of the pixels equal" } ?? "")
    case .numbers: return share
    }
  }

  /// The figure with what it is a figure of: "90.9 % of boxes", "mean cosine 0.998".
  var share: String {
    value.map { text(share: ComparedModels.percent($0)) } ?? "nothing"
  }

  /// Adds to a figure in percent what it is a figure of.
  fileprivate func text(share: String) -> String {
    switch self {
    case .boxes: "\(share) of boxes"
    case .labels: "\(share) of first labels"
    case .maps: "\(share) mean IoU"
    case .numbers: "\(share) mean cosine"
    }
  }

  /// The reason why there is nothing to compare.
  func nothing(_ threshold: Float?) -> String {
    switch self {
    case .boxes: "neither model finds a box with a score of \(Self.score(threshold)) or more"
    case .labels: "neither model has a label for a photo"
    case .maps: "the maps have no pixel with a class"
    case .numbers: "there are no numbers"
    }
  }

  private static func score(_ threshold: Float?) -> String {
    DecimalText.short(Double(threshold ?? BoxAgreement.usualThreshold), places: 4)
  }
}
