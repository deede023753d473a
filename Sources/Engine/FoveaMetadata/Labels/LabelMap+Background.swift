// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension LabelMap {
  /// The error of labels with the background at the wrong end; nil for others, and for those that are not as many.
  package func misplacement(among classCount: Int, of tensor: String) -> MetadataError? {
    guard let map = whole(classCount) else { return nil }
    return map.misplacedBackground.map { map.misplacement($0, of: tensor) }
  }

  /// The places of the background of labels that are as many as the classes: in the labels, and in the model; nil if these
  /// are not known to differ.
  ///
  /// The model's own labels show where the model has it. ImageNet's 1,001 classes begin with it.
  private var misplacedBackground: (place: Int, expected: Int)? {
    guard let first = names.first, let last = names.last, count > 1, let isFirst = beginsWithBackground else {
      return nil
    }
    if isFirst, BackgroundName.isCertain(last), !BackgroundName.isOne(first) { return (count - 1, 0) }
    if !isFirst, backgroundFirst != nil, !BackgroundName.isOne(last) { return (0, count - 1) }
    return nil
  }

  /// Whether the background is the first of the model's classes, or the last; nil if nothing shows one.
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
    let reason = ownNames?.count == count ? "as the model's own labels say" : "as ImageNet's 1,001 classes do"
    return MetadataError(
      .countMismatch,
      "\(source) has the background as class \(misplaced.place), \(quoted(misplaced.place)), but \(tensor) has it as class"
        + " \(misplaced.expected), \(reason); there the file has \(quoted(misplaced.expected))",
      remedy: misplaced.expected == 0
        ? "Give the labels in the order of the classes, with the background first"
        : "Give the labels in the order of the classes, with the background last")
  }
}
