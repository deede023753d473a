// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaModelRules

/// `fovea model check`: checks a model against every rule for ML Kit's custom models.
struct ModelCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a model against ML Kit's rules.",
    usage: "fovea model check <file|dir> [options]",
    discussion: """
      Example: fovea model check bird.tflite
      Lists every rule for custom models, passed or failed, with the fix. 'differs':
      ML Kit refuses the model, Fovea accepts it. Exits with 1 if ML Kit or Fovea
      refuses the model. Reads the file but does not run it: 'fovea model inspect
      --run' checks its values.
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
  /// The same error with the Task Library's status code, for a file that is not a model.
  fileprivate var withStatus: FoveaError {
    guard let status = SupportStatus(self) else { return self }
    var error = self
    error.message += " (the Task Library's status \(status.rawValue))"
    return error
  }
}
