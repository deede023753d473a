// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LabelMap {
  /// The numbers of labels that the file can be read as, the likeliest first.
  package var counts: [Int] { readings.isEmpty ? [names.count] : readings.map(\.names.count) }

  /// The lines of the file that the labels are in; empty if no file has them so.
  var lines: [Int] { readings.first { $0.names == names }?.lines ?? [] }

  /// The number of labels, as many as there are classes if the file can be read so, or fits without the background.
  package func count(fitting classCount: Int?) -> Int {
    // One score may be that of the second of two classes.
    guard let classCount, classCount != 1 || count != 2 else { return count }
    return count(among: [classCount]) ?? (canFit(classCount) ? classCount : count)
  }

  /// The number of labels that is the first of these; nil where the file cannot be read as any.
  package func count(among wanted: [Int]) -> Int? { wanted.first { counts.contains($0) } }

  /// The labels read as that many; nil where they cannot.
  ///
  /// Numbers from 1 are read as those of classes with the background at 0 too, which is right for scores that have one.
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

  /// The first label, printable, if it names the background and can name no object: `background` or a line `???`; nil for
  /// others, as `empty` and `none`.
  package var backgroundFirst: String? {
    guard let first = names.first else { return nil }
    // What stands for a number that the file leaves out is in no line.
    let line = lines.first ?? 0
    guard BackgroundName.isCertain(first) || first == LabelReading.placeholder && line > 0 else { return nil }
    return String(first.prefix(40)).printable
  }

  /// Whether the first label is a blank line.
  package var beginsBlank: Bool {
    guard names.first?.isEmpty == true else { return false }
    return (lines.first ?? 0) > 0
  }

  /// The labels as they fit a model: as many as it has classes.
  ///
  /// Of the ways to read the file the one counts that has as many labels. Lists for training begin or end with the
  /// background, which models may leave out: it goes where there is one label too many, unless class 0 is the background, as
  /// of ImageNet's 1,001 classes or by the model's own labels. Numbers from 1 are those of the first to the last class. That
  /// they count from 0, and class 0 is a background without a name, is taken for true of ImageNet's 1,001 classes alone: of
  /// others a list that lacks its end looks the same, and each name would be that of its neighbour. So it would be if the
  /// background is the last of the labels, and the first class of the model, or the other way round.
  /// - Parameters:
  ///   - classCount: The number of classes.
  ///   - tensor: What has them, in words, for example `output 0 'scores'`.
  /// - Returns: As many labels.
  /// - Throws: `MetadataError` with `countMismatch` and the first lines that disagree.
  public func fitted(to classCount: Int, of tensor: String) throws(MetadataError) -> LabelMap {
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

  /// The labels as they are, if these are as many as the classes; nil if they are not, or leave it open.
  func whole(_ classCount: Int) -> LabelMap? {
    if let map = read(as: classCount), !leavesOpen(classCount) { return map }
    // What is beyond the last class and has no name shifts none.
    let isNameless: (String) -> Bool = { $0.isEmpty || $0 == LabelReading.placeholder }
    guard count > classCount, names[classCount...].allSatisfy(isNameless) else { return nil }
    var map = self
    map.names.removeLast(count - classCount)
    map.displayNames?.removeLast(count - classCount)
    return map
  }

  /// The place of a background that is none of the classes: the first or the last of the labels; nil if there is none.
  ///
  /// If class 0 of the model is the background, the first label is its name, and what is too many is another line.
  private func surplusBackground(_ classCount: Int) -> Int? {
    guard let first = names.first, let last = names.last else { return nil }
    let isFirst = BackgroundName.isOne(first)
    let isOwn = ownNames.map { $0.count == classCount && $0.first.map(BackgroundName.isOne) == true } ?? false
    let isClass = classCount == Self.imageNetCount || isOwn
    if isFirst, !isClass || names.dropFirst().first.map(BackgroundName.isOne) == true { return 0 }
    return BackgroundName.isOne(last) && (isFirst || !isClass) ? count - 1 : nil
  }

  /// ImageNet's classes and the background, which is the first.
  static let imageNetCount = 1001

  /// Whether numbers from 1 are as many as the classes only if the first of these has no label, and not the last.
  ///
  /// It is no question for ImageNet's classes, unless the list names a background at 1.
  package func leavesOpen(_ classCount: Int) -> Bool {
    guard names.count != classCount,
      readings.first(where: { $0.names.count == classCount })?.lacksFirst == true
    else { return false }
    return classCount != Self.imageNetCount || names.first.map(BackgroundName.isOne) == true
  }

  /// Whether the labels can be read as those of so many classes.
  package func canFit(_ classCount: Int) -> Bool {
    do throws(MetadataError) {
      _ = try fitted(to: classCount, of: "")
      return true
    } catch {
      return false
    }
  }

  /// Throws unless there are as many labels as a tensor has classes.
  ///
  /// - Parameters:
  ///   - classCount: The number of classes of the tensor.
  ///   - tensor: The tensor in words, for example `output 0 'scores'`.
  /// - Throws: `MetadataError` with `countMismatch` and the first lines that disagree.
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

  /// How to say which class has no label, where numbers leave it open; else what is given.
  package func fittingRemedy(_ classCount: Int, _ other: String) -> String {
    leavesOpen(classCount)
      ? "Add the label that is missing with its number: \(classCount) for the last class, 0 for a background"
      : other
  }

  private var formNote: String { form == .lines ? "" : " (\(form.words))" }

  /// The lines that are too many, or after which lines are missing; empty for labels of no file.
  package func disagreement(_ classCount: Int) -> String {
    let doubt =
      leavesOpen(classCount)
      ? "; as its numbers begin above 0, either the first class has no label or the last" : ""
    // Looked up once: each look compares all names.
    let lines = lines
    guard !lines.isEmpty else { return doubt }
    func quoted(_ index: Int) -> String {
      let name = String(names[index].prefix(40)).printable
      return names[index].isEmpty ? "line \(lines[index]) (blank)" : "line \(lines[index]) '\(name)'"
    }
    let placed = names.indices.filter { lines[$0] > 0 }
    if count < classCount {
      guard let last = placed.last else { return doubt }
      return "; the last is \(quoted(last))\(doubt)\(twin(lines))"
    }
    let beyond = placed.filter { $0 >= classCount }.prefix(3)
    guard !beyond.isEmpty else { return "" }
    return "; beyond them \(beyond.count == 1 ? "is" : "are") "
      + beyond.map(quoted).joined(separator: ", ") + twin(lines)
  }

  /// Why lines with numbers are read as labels with these: a number is there twice.
  private func twin(_ lines: [Int]) -> String {
    guard form == .lines, let twin = NumberedLines.twin(among: names) else { return "" }
    return "; the number \(twin.number) is twice, in lines \(lines[twin.first]) and \(lines[twin.second])"
  }
}
