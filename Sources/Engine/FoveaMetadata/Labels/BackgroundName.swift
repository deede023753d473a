// SPDX-License-Identifier: Apache-2.0

/// Names of the class that stands for "no object", where a list has one label more than there are classes.
enum BackgroundName {
  /// Those that name nothing else.
  private static let certain: Set<String> = [
    "background", "backgroundclass", "bg", "unlabeled", "unlabelled", "noobject", "noclass", "hintergrund",
    "fond", "arrièreplan", "arriereplan", "fondo", "sfondo", "fundo", "achtergrond", "bakgrund", "bakgrunn",
    "baggrund", "tausta", "tło", "tlo", "pozadí", "pozadi", "háttér", "arkaplan", "фон", "背景", "배경",
  ]
  /// Those that models have as classes, too, as `empty` of a place to park.
  private static let others: Set<String> = [
    "none", "nothing", "na", "null", "void", "dummy", "empty", "unknown", "ignore", "",
  ]

  /// Whether a label is such a name, apart from signs: `__background__`, `N/A`, `???`.
  static func isOne(_ label: String) -> Bool {
    let letters = LabelLine.letters(label)
    return certain.contains(letters) || others.contains(letters)
  }

  /// Whether a label is such a name, and none of an object: `__background__`.
  static func isCertain(_ label: String) -> Bool { certain.contains(LabelLine.letters(label)) }
}
