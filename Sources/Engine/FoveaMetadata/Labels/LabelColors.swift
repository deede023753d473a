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
      guard let label = text.isEmpty ? "" : behindLabel(text) ?? beforeLabel(text) else { return nil }
      labels.append(label)
    }
    return labels.count { !$0.isEmpty } > 1 ? labels : nil
  }

  /// Returns the label of `label:r,g,b:parts:actions`.
  private static func behindLabel(_ text: String) -> String? {
    let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, isColor(parts[1].split(separator: ",", omittingEmptySubsequences: false)) else {
      return nil
    }
    let label = LabelLine.trimmed(parts[0])
    return label.isEmpty ? nil : label
  }

  /// Returns the label of `r g b label`.
  private static func beforeLabel(_ text: String) -> String? {
    let parts = text.split(maxSplits: 3) { $0 == " " || $0 == "\t" }
    guard parts.count == 4, isColor(parts[..<3]) else { return nil }
    let label = LabelLine.trimmed(parts[3])
    return label.first?.isLetter == true ? label : nil
  }

  /// Whether three texts are the numbers of a colour.
  private static func isColor(_ texts: some Collection<Substring>) -> Bool {
    texts.count == 3 && texts.allSatisfy { UInt8($0) != nil && $0.first?.isNumber == true }
  }
}
