// SPDX-License-Identifier: Apache-2.0

/// The colours next to labels, in files for segmentation.
///
/// **Source:** `labelmap.txt` as CVAT exports it in the form of Pascal VOC, `cat:128,0,0::`;
/// `label_colors.txt` of CamVid, `64 128 64 Animal`.
enum LabelColors {
  /// Returns the labels without their colours; nil unless each text that is not empty has both.
  static func labels(_ texts: [String]) -> [String]? {
    var labels: [String] = []
    for text in texts {
      guard let label = text.isEmpty ? "" : withColons(text) ?? withSpaces(text) else { return nil }
      labels.append(label)
    }
    return labels.count { !$0.isEmpty } > 1 ? labels : nil
  }

  /// Returns the label of `label:r,g,b:parts:actions`.
  private static func withColons(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, isColor(parts[1].split(separator: ",", omittingEmptySubsequences: false)) else {
      return nil
    }
    let label = LabelLine.trimmed(parts[0])
    return label.isEmpty ? nil : label
  }

  /// Returns the label of `r g b label`, or of `label r g b`.
  private static func withSpaces(_ text: String) -> String? {
    let parts = text.split { $0 == " " || $0 == "\t" }
    guard parts.count > 3, let first = parts.first else { return nil }
    if isColor(parts[..<3]) {
      let label = LabelLine.trimmed(text[parts[3].startIndex...])
      return label.first?.isLetter == true ? label : nil
    }
    guard isColor(parts.suffix(3)), first.first?.isLetter == true else { return nil }
    return LabelLine.trimmed(text[..<parts[parts.count - 3].startIndex])
  }

  /// Whether three texts are the numbers of a colour.
  private static func isColor(_ texts: some Collection<Substring>) -> Bool {
    texts.count == 3 && texts.allSatisfy { UInt8($0) != nil && $0.first?.isNumber == true }
  }
}
