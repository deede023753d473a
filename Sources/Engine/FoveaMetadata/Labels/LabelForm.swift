// SPDX-License-Identifier: Apache-2.0

/// In which form a file names classes.
public enum LabelForm: String, Sendable, Hashable, CaseIterable {
  /// One label a line, in the order of the classes.
  case lines
  /// Lines that begin with the number of their class.
  case numberedLines = "numbered-lines"
  /// Comma-separated columns, or columns between tabs or semicolons.
  case table = "csv"
  /// The label map of the Object Detection API: `item { id: 1 name: 'person' }`.
  case labelMap = "pbtxt"
  /// JSON: a list, a map, or a dictionary as Python prints it.
  case json
  /// YAML: the list or map of `names`, as in Ultralytics' `data.yaml`.
  case yaml

  /// The form in words, as `numbered lines`.
  package var words: String {
    switch self {
    case .lines: "a label a line"
    case .numberedLines: "numbered lines"
    case .table: "columns (CSV)"
    case .labelMap: "a label map (pbtxt)"
    case .json: "JSON"
    case .yaml: "YAML"
    }
  }
}
