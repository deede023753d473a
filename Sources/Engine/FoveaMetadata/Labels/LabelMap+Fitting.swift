// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LabelMap {
  /// The possible numbers of labels in the file, the likeliest first.
  package var counts: [Int] { readings.isEmpty ? [names.count] : readings.map(\.names.count) }

  /// The line numbers of the labels in the file; empty if they do not come from a file.
  var lines: [Int] { readings.first { $0.names == names }?.lines ?? [] }

  /// Returns the number of labels; `classCount` if the file can be read so, or fits without the background.
  package func count(fitting classCount: Int?) -> Int {
    // One score may belong to the second of two classes.
    guard let classCount, classCount != 1 || count != 2 else { return count }
    return count(among: [classCount]) ?? (canFit(classCount) ? classCount : count)
  }

  /// Returns the first of these numbers of labels that the file can be read as; nil if there is none.
  package func count(among wanted: [Int]) -> Int? { wanted.first { counts.contains($0) } }

  /// Returns the labels, read as that many; nil if that is impossible.
  ///
  /// Numbers from 1 may also be read as class numbers with the background at 0, which is right if the scores
  /// include the background.
  package func read(as count: Int) -> LabelMap? {
    if names.count == count { return self }
    guard let reading = readings.first(where: { $0.names.count == count }) else { return nil }
    var map = self
    map.names = reading.names
    map.form = reading.form
    map.remarks = reading.remarks
    if displayNames != nil {
      guard let shown = displayReadings.first(where: { $0.names.count == count }) else { return nil }
      map.displayNames = shown.names
    }
    return map
  }

  /// The first label, printable, if it can only be the background: `background` or a line `???`; nil for
  /// others, such as `empty` and `none`.
  package var backgroundFirst: String? {
    guard let first = names.first else { return nil }
    // A placeholder for a number missing from the file has no line.
    let line = lines.first ?? 0
    guard BackgroundName.isCertain(first) || first == LabelReading.placeholder && line > 0 else { return nil }
    return String(first.prefix(40)).printable
  }

  /// Whether the first label is a blank line.
  package var beginsBlank: Bool {
    guard names.first?.isEmpty == true else { return false }
    return (lines.first ?? 0) > 0
  }

  /// Returns the labels that fit a model: one for each class.
  ///
  /// Of the possible readings of the file, the one with that number of labels is used. Lists for training
  /// start or end with the background, which models may omit. It is removed if there is one label too many,
  /// unless class 0 is the background, as for ImageNet's 1,001 classes or according to the model's own
  /// labels. Numbers from 1 belong to the first to the last class. They are assumed to count from 0, with
  /// class 0 as an unnamed background, only for ImageNet's 1,001 classes: a list that is cut off at the end
  /// looks the same, and would shift all names by one. The same would happen with the background last in the
  /// labels but first in the model, or the other way round, which is an error.
  /// - Parameters:
  ///   - classCount: The number of classes.
  ///   - tensor: The name of their tensor in errors, such as `output 0 'scores'`.
  /// - Returns: Exactly `classCount` labels.
  /// - Throws: `MetadataError` with `countMismatch` and the first mismatched lines.
  package func fitted(to classCount: Int, of tensor: String) throws(MetadataError) -> LabelMap {
    if let error = misplacement(among: classCount, of: tensor) { throw error }
    if let map = whole(classCount) { return map }
    if var map = read(as: classCount + 1), let place = map.surplusBackground(classCount) {
      map.remarks.append("without the background '\(map.names[place])'")
      map.names.remove(at: place)
      map.displayNames?.remove(at: place)
      return map
    }
    try check(classCount: classCount, of: tensor)
    return self
  }

  /// Returns the labels unchanged if they match the number of classes; nil if they do not, or are ambiguous.
  func whole(_ classCount: Int) -> LabelMap? {
    if let map = read(as: classCount), !leavesOpen(classCount) { return map }
    // Nameless entries after the last class do not shift any name.
    let isNameless: (String) -> Bool = { $0.isEmpty || $0 == LabelReading.placeholder }
    guard count > classCount, names[classCount...].allSatisfy(isNameless) else { return nil }
    var map = self
    map.names.removeLast(count - classCount)
    map.displayNames?.removeLast(count - classCount)
    return map
  }

  /// Returns the index of a background that is not a class: the first or last label; nil if there is none.
  ///
  /// If class 0 of the model is the background, the first label is its name, and another label is the extra
  /// one.
  private func surplusBackground(_ classCount: Int) -> Int? {
    guard let first = names.first, let last = names.last else { return nil }
    let isFirst = BackgroundName.isOne(first)
    let isOwn = ownNames.map { $0.count == classCount && $0.first.map(BackgroundName.isOne) == true } ?? false
    let isClass = classCount == Self.imageNetCount || isOwn
    if isFirst, !isClass || names.dropFirst().first.map(BackgroundName.isOne) == true { return 0 }
    return BackgroundName.isOne(last) && (isFirst || !isClass) ? count - 1 : nil
  }

  /// The number of ImageNet's classes including the background, which is the first.
  static let imageNetCount = 1001

  /// Returns whether numbers from 1 match the classes only if the first class, and not the last, has no
  /// label.
  ///
  /// This is not ambiguous for ImageNet's classes, unless the list names a background at 1.
  package func leavesOpen(_ classCount: Int) -> Bool {
    guard names.count != classCount,
      readings.first(where: { $0.names.count == classCount })?.lacksFirst == true
    else { return false }
    return classCount != Self.imageNetCount || names.first.map(BackgroundName.isOne) == true
  }

  /// Returns whether the labels can be read as the names of `classCount` classes.
  package func canFit(_ classCount: Int) -> Bool {
    do throws(MetadataError) {
      _ = try fitted(to: classCount, of: "")
      return true
    } catch {
      return false
    }
  }

  /// Verifies that there is one label for each class of a tensor.
  ///
  /// - Parameters:
  ///   - classCount: The number of classes of the tensor.
  ///   - tensor: The name of the tensor in errors, such as `output 0 'scores'`.
  /// - Throws: `MetadataError` with `countMismatch` and the first mismatched lines.
  public func check(classCount: Int, of tensor: String) throws(MetadataError) {
    guard count != classCount else { return }
    let lines = classCount == 1 ? "line" : "lines"
    throw MetadataError(
      .countMismatch,
      "\(source) has \(count) \(count == 1 ? "label" : "labels")\(formNote)"
        + ", but \(tensor) has \(classCount) \(classCount == 1 ? "class" : "classes")"
        + disagreement(classCount),
      remedy: "\(fittingRemedy(classCount, "Give a label file with \(classCount) \(lines), one per class"))")
  }

  /// Returns the remedy for labels whose number differs from that of the classes.
  /// - Parameters:
  ///   - classCount: The number of classes.
  ///   - other: The remedy for too few labels, such as `Give the label file that belongs to the model`.
  /// - Returns: The remedy.
  package func fittingRemedy(_ classCount: Int, _ other: String) -> String {
    if leavesOpen(classCount) {
      return "Add the missing label with its number: \(classCount) for the last class, 0 for a background"
    }
    guard count > classCount else { return other }
    if lines.count(where: { $0 > 0 }) == classCount, lines.contains(0) {
      return "If the labels are those of the model, number them without gaps, from 0 to \(classCount - 1); "
        + "otherwise \(other.prefix(1).lowercased())\(other.dropFirst())"
    }
    let first = classCount == 1 ? "the first label is that" : "the first \(classCount) labels are those"
    return "If \(first) of the model, remove the \(count == classCount + 1 ? "last one" : "others"); "
      + "otherwise \(other.prefix(1).lowercased())\(other.dropFirst())"
  }

  private var formNote: String { form == .lines ? "" : " (\(form.words))" }

  /// Returns a clause on the extra lines, or the last line before missing ones; empty for labels without a
  /// file.
  package func disagreement(_ classCount: Int) -> String {
    let doubt =
      leavesOpen(classCount)
      ? "; as its numbers start above 0, either the first or the last class has no label" : ""
    // Computed once, as each access compares all names.
    let lines = lines
    guard !lines.isEmpty else { return doubt }
    func quoted(_ index: Int) -> String {
      let name = String(names[index].prefix(40)).printable
      return names[index].isEmpty ? "line \(lines[index]) (blank)" : "line \(lines[index]) '\(name)'"
    }
    let placed = names.indices.filter { lines[$0] > 0 }
    if count < classCount {
      guard let last = placed.last else { return doubt }
      return "; the last is \(quoted(last))\(doubt)"
    }
    let beyond = placed.filter { $0 >= classCount }.prefix(3)
    guard !beyond.isEmpty else { return "" }
    return "; the extra \(beyond.count == 1 ? "one is" : "ones are") "
      + beyond.map(quoted).joined(separator: ", ")
  }
}
