// SPDX-License-Identifier: Apache-2.0

/// Names of the class that stands for "no object", where a list has one label more than there are classes.
enum BackgroundName {
  private static let names: Set<String> = [
    "background", "backgroundclass", "bg", "unlabeled", "unlabelled", "none", "noobject", "noclass",
    "nothing",
    "na", "null", "void", "dummy", "empty", "unknown", "ignore", "hintergrund", "fond", "arrièreplan",
    "arriereplan", "fondo", "sfondo", "fundo", "achtergrond", "bakgrund", "bakgrunn", "baggrund", "tausta",
    "tło", "tlo", "pozadí", "pozadi", "háttér", "arkaplan", "фон", "背景", "배경", "",
  ]

  /// Whether a label is such a name, apart from signs: `__background__`, `N/A`, `???`.
  static func isOne(_ label: String) -> Bool { names.contains(LabelLine.letters(label)) }
}
