// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModels

/// `fovea model pull` from the plan to the installed file, with its messages and the question.
struct ModelPull {
  var name: String
  var host: String?
  var isConfirmed: Bool
  var isQuiet: Bool
  var stop: StopSignal

  /// Runs to completion and returns the model's path or the exit code; all messages are printed by then.
  func execute() async -> Result<String, PullEnd> {
    do throws(ModelStoreError) {
      var options = ModelDownloader.Options()
      options.host = host
      let downloader = try ModelDownloader(store: .user(), options: options)
      let plan = try await stop.cancelling { () throws(ModelStoreError) in
        try await downloader.plan(for: name)
      }
      if let model = plan.installed {
        if !isQuiet { say("fovea: \(name) is installed and intact\n") }
        return .success(model.path)
      }
      say(Self.text(plan, folder: downloader.store.folder))
      if !isConfirmed {
        guard Terminal.isTerminal(STDIN_FILENO) else { return .failure(.needsConfirmation) }
        guard let answer = ask(plan) else { throw ModelStoreError.interrupted }
        guard answer else {
          say("fovea: nothing was downloaded\n")
          return .failure(.code(ExitCodes.failure))
        }
      }
      let display = DownloadDisplay(descriptor: STDERR_FILENO, isQuiet: isQuiet)
      defer { display.end() }
      let model = try await stop.cancelling { () throws(ModelStoreError) in
        try await downloader.download(plan) { display.show($0) }
      }
      display.end()
      if !isQuiet {
        say("fovea: installed; use it with: fovea \(plan.entry.task) photo.jpg --model \(name)\n")
      }
      return .success(model.path)
    } catch {
      return .failure(end(error))
    }
  }

  /// Reports an error and returns the exit code.
  func end(_ error: ModelStoreError) -> PullEnd {
    if error.code == .cancelled {
      say("fovea: interrupted. 'fovea model pull \(name)' continues where it ended.\n")
      return .code(ExitCodes.interrupted)
    }
    _ = CommandFailure.report(FoveaError(error))
    return .code(ExitCodes.failure)
  }

  /// The reason why there is no path.
  enum PullEnd: Error, Equatable {
    case code(Int32)
    /// Standard input is not a terminal, so it cannot ask.
    case needsConfirmation
  }

  /// Returns the summary of the download that is shown before the question.
  static func text(_ plan: DownloadPlan, folder: String) -> String {
    let entry = plan.entry
    var what = [entry.task.description]
    if let count = entry.labelCount { what.append(DecimalText.counted(count, "label", "labels")) }
    if let size = entry.inputSize { what.append("input \(size.width) × \(size.height)") }
    let size =
      plan.byteCount.map { "\(DecimalText.bytes($0)) (\(DecimalText.grouped($0)) bytes)" }
      ?? "unknown, the server does not send it"
    var lines = [
      entry.name, "  task     \(what.joined(separator: ", "))", "  size     \(size)",
      "  licence  \(entry.license)", "  from     \(plan.url.printable)",
      "  into     \(folder.printable)/\(entry.name)",
    ]
    if plan.presentBytes > 0 {
      lines.append(
        "  present  \(DecimalText.bytes(plan.presentBytes)) of an earlier download, which is continued")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The user's answer; nil for Ctrl-C.
  private func ask(_ plan: DownloadPlan) -> Bool? {
    say("Download? [y/N] ")
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while !answer.contains(UInt8(ascii: "\n")) && answer.count < 1_000 {
      // Polls every 100 ms, to notice Ctrl-C.
      while !Descriptor.isReady(STDIN_FILENO, for: Int32(POLLIN), milliseconds: 100) {
        if stop.isRequested { return nil }
      }
      if stop.isRequested { return nil }
      let count = Descriptor.read(STDIN_FILENO, into: &chunk)
      guard count > 0 else { break }
      answer += chunk[..<count]
    }
    let word = String(decoding: answer.prefix { $0 > 0x20 }, as: UTF8.self).lowercased()
    return word == "y" || word == "yes"
  }

  func say(_ text: String) { _ = Descriptor.write(text.utf8, to: STDERR_FILENO) }
}

extension ModelStoreError {
  /// Ctrl-C at the question.
  fileprivate static let interrupted = ModelStoreError(
    .cancelled, "The download was cancelled", remedy: "Pull again")
}
