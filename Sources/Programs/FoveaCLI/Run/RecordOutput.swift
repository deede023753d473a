// SPDX-License-Identifier: Apache-2.0

/// Where the records of a run go, opened with the first one.
final class RecordOutput {
  private let console: Console
  private let open: () throws(OutputFile.Failure) -> OutputFile
  private var file: OutputFile?

  init(console: Console, open: @escaping () throws(OutputFile.Failure) -> OutputFile) {
    self.console = console
    self.open = open
  }

  /// Writes a record, the first one after the header.
  func write(_ text: String, header: () -> String) throws(OutputFile.Failure) {
    let output = if let file { file } else { try open() }
    let text = file == nil ? header() + text : text
    file = output
    guard !text.isEmpty else { return }
    try console.withOutput { () throws(OutputFile.Failure) in try output.write(text) }
  }

  /// Closes the file and gives it its name.
  func finish() throws(OutputFile.Failure) { try file?.finish() }
}
