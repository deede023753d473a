// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats

/// The final stage: counts and writes records, and reports failures.
final class RecordSink: RunSink {
  private let console: Console
  private var writer: any DetectionWriter
  private let output: RecordOutput
  private let report: ReportFeed?
  /// Whether the images are a shard's, whose results contain only lines of its own images.
  private let isShard: Bool
  /// The notes about shapes that the format does not hold; nil for a writer without a format.
  private var shapes: ShapeNotes?

  /// The errors of an image whose result or annotated image could not be written.
  private static let unwritten: Set<FoveaCode> = [
    .annotateUnwritable, .diskFull, .outputInUse, .resultUnwritable,
  ]

  private(set) var images = 0
  private(set) var answers = 0
  private(set) var failed = 0
  /// Whether the run is incomplete: a result was not written, or a shard's argument or folder had no images.
  private(set) var isUnfinished = false
  /// The number of images that an earlier run has done.
  var skipped = 0

  /// Creates a sink that calls `open` for the first record, so that a run that fails earlier changes no file.
  init(
    console: Console, writer: any DetectionWriter, report: ReportFeed? = nil, isShard: Bool = false,
    shapes: ShapeNotes? = nil, open: @escaping () throws(OutputFile.Failure) -> OutputFile
  ) {
    self.isShard = isShard
    self.shapes = shapes
    self.console = console
    self.writer = writer
    self.report = report
    output = RecordOutput(console: console, open: open)
  }

  func accept(_ image: FinishedImage) throws(OutputFile.Failure) {
    var record = image.record
    switch record.result {
    case .success(let findings):
      images += 1
      answers += findings.count
      console.detail(RecordSink.timings(record.image, findings))
      for note in findings.notes { console.note("\(record.image.printable): \(note).") }
      for note in shapes?.notes(for: findings.objects) ?? [] { console.note(note) }
    case .failure(let error):
      failed += 1
      record.result = .failure(error.inWordsOfCommandLine)
      console.error(RecordSink.line(record.image, error))
      if RecordSink.unwritten.contains(error.code) { isUnfinished = true }
      // A shard cannot know its images if a folder is missing, which the machine may mount later.
      if isShard && image.isUnlisted {
        isUnfinished = true
        return reportProgress()
      }
    }
    try write(writer.text(for: record))
    do throws(FoveaError) { try report?.add(image) } catch { throw .failed(error) }
    reportProgress()
  }

  func reportProgress() {
    console.progress(done: images + failed + skipped, failed: failed, skipped: skipped)
  }

  /// Writes the format's footer and renames the file to its final name.
  func finish() throws(OutputFile.Failure) {
    try write(writer.footer())
    try output.finish()
    do throws(FoveaError) { try report?.finish(skipped: skipped) } catch { throw .failed(error) }
    for note in writer.notes { console.note(note) }
    for note in shapes?.unused ?? [] { console.note(note) }
  }

  private func write(_ text: String) throws(OutputFile.Failure) {
    try output.write(text) { writer.header() }
  }

  /// Returns "IMG: reason. Fix."
  static func line(_ name: String, _ error: FoveaError) -> String { "\(name.printable): \(sentences(error))" }

  /// Returns the line of an error that ends the run, with the error's subject if it has one.
  static func line(_ error: FoveaError) -> String {
    error.subject.map { line($0, error) } ?? sentences(error)
  }

  /// Returns the reason and the remedy, if there is one, as sentences.
  static func sentences(_ error: FoveaError) -> String {
    let remedy = error.remedy.commandLine.printable
    return error.message.printable.sentence + (remedy.isEmpty ? "" : " " + remedy.sentence)
  }

  private static func timings(_ name: String, _ findings: DetectionRecord.Findings) -> String {
    let timings = findings.timings
    let stages = [
      ("decode", timings.decode), ("prepare", timings.prepare), ("detect", timings.detect),
      ("classify", timings.classify), ("total", timings.total),
    ]
    return "\(name.printable): "
      + stages.map { "\($0.0) \(DecimalText.fixed($0.1.milliseconds, places: 1)) ms" }
      .joined(separator: ", ")
  }
}

extension FoveaError {
  /// The same error with advice in the wording of the command line, for results.
  fileprivate var inWordsOfCommandLine: FoveaError {
    var error = self
    error.remedy = Advice(remedy.commandLine)
    return error
  }
}

/// The output of a run's records, opened with the first one.
final class RecordOutput {
  private let console: Console
  private let open: () throws(OutputFile.Failure) -> OutputFile
  private var file: OutputFile?

  init(console: Console, open: @escaping () throws(OutputFile.Failure) -> OutputFile) {
    self.console = console
    self.open = open
  }

  /// Writes a record, and the header before the first one.
  func write(_ text: String, header: () -> String) throws(OutputFile.Failure) {
    let output = if let file { file } else { try open() }
    let text = file == nil ? header() + text : text
    file = output
    guard !text.isEmpty else { return }
    try console.withOutput { () throws(OutputFile.Failure) in try output.write(text) }
  }

  /// Closes the file and renames it to its final name.
  func finish() throws(OutputFile.Failure) { try file?.finish() }
}
