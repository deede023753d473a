// SPDX-License-Identifier: Apache-2.0

/// The class names as the page prints them: safe, and never so long that they fill it.
struct ClassNames {
  let labels: [String]

  /// The most Unicode scalars of a name in a table, and where there is little room.
  private static let limit = 200
  private static let shortLimit = 40

  /// The name for the text of the page, apart from the reading direction around it.
  func html(_ index: Int) -> String { "<bdi>\(ReportText.escaped(name(index), limit: Self.limit))</bdi>" }

  /// The name where there is little room, as in the head of a narrow column.
  func short(_ index: Int) -> String { "<bdi>\(plain(index))</bdi>" }

  /// The name for an attribute.
  func plain(_ index: Int) -> String { ReportText.escaped(name(index), limit: Self.shortLimit) }

  private func name(_ index: Int) -> String {
    guard labels.indices.contains(index) else { return "class \(index)" }
    return labels[index].isEmpty ? "unlabelled" : labels[index]
  }
}
