// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModelRules

/// `fovea model check`: every rule of ML Kit's custom models, and whether a model keeps it.
struct ModelCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Show whether ML Kit takes a model: fovea model check bird.tflite",
    usage: "fovea model check <file|dir> [options]",
    discussion: """
      Every rule for custom models, passed or not, with the fix. 'differs': ML Kit
      refuses it, Fovea takes it. Exit code 1 where ML Kit would refuse the model, or
      Fovea does.
      """)

  @OptionGroup var model: ModelFileOptions

  @OptionGroup var description: ModelDescriptionOptions

  @Flag(help: "Print one line of JSON.")
  var json = false

  func run() async throws {
    ProcessSignals.ignorePipes()
    let report = try CommandFailure.exit { () throws(FoveaError) in
      let source = try ModelLookup.source(model.path)
      do throws(FoveaError) {
        return try CompatibilityReport(of: source, options: description.options(labelFile: model.labels))
      } catch {
        throw error.withStatus
      }
    }
    try CommandFailure.print(json ? report.json(\.commandLine) + "\n" : report.text(\.commandLine))
    if !report.isAcceptedByGoogle || report.refusal != nil { throw ExitCode(ExitCodes.failure) }
  }
}

extension FoveaError {
  /// The same error with the Task Library's number, for what is no model at all.
  fileprivate var withStatus: FoveaError {
    guard let status = SupportStatus(self) else { return self }
    var error = self
    error.message += " (the Task Library's status \(status.rawValue))"
    return error
  }
}
