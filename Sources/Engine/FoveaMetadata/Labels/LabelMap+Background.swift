// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LabelMap {
  /// Returns the error for labels with the background at the wrong end; nil for others, or if there are not
  /// as many labels as classes.
  package func misplacement(among classCount: Int, of tensor: String) -> MetadataError? {
    guard let map = whole(classCount) else { return nil }
    return map.misplacedBackground.map { map.misplacement($0, of: tensor) }
  }

  /// The index of the background in the labels and in the model, for labels that match the number of classes;
  /// nil if they are not known to differ.
  ///
  /// The model's own labels show its index in the model; of ImageNet's 1,001 classes it is the first.
  private var misplacedBackground: (place: Int, expected: Int)? {
    guard let first = names.first, let last = names.last, count > 1, let isFirst = beginsWithBackground else {
      return nil
    }
    if isFirst, BackgroundName.isCertain(last), !BackgroundName.isOne(first) { return (count - 1, 0) }
    if !isFirst, backgroundFirst != nil, !BackgroundName.isOne(last) { return (0, count - 1) }
    return nil
  }

  /// Whether the background is the model's first class (true) or last class (false); nil if unknown.
  private var beginsWithBackground: Bool? {
    guard let ownNames, ownNames.count == count else { return count == Self.imageNetCount ? true : nil }
    guard let first = ownNames.first, let last = ownNames.last else { return nil }
    let isFirst = BackgroundName.isCertain(first) || first == LabelReading.placeholder
    if isFirst, !BackgroundName.isOne(last) { return true }
    return BackgroundName.isCertain(last) && !BackgroundName.isOne(first) ? false : nil
  }

  private func misplacement(_ misplaced: (place: Int, expected: Int), of tensor: String) -> MetadataError {
    let lines = lines
    func quoted(_ index: Int) -> String {
      let name = "'\(String(names[index].prefix(40)).printable)'"
      return lines.isEmpty ? name : "line \(lines[index]) \(name)"
    }
    let reason = ownNames?.count == count ? "by the model's own labels" : "like ImageNet's 1,001 classes"
    return MetadataError(
      .countMismatch,
      "\(source) has the background as class \(misplaced.place), \(quoted(misplaced.place)), but \(tensor) "
        + "has it as class \(misplaced.expected), \(reason); there the file has "
        + quoted(misplaced.expected),
      remedy: misplaced.expected == 0
        ? "List the labels in the order of the classes, with the background first"
        : "List the labels in the order of the classes, with the background last")
  }
}
