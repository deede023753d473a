// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaInference
import Logging

extension InferenceCommand {
  /// Reads the configuration again, with the checks of a start.
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - sources: The sources that are watched.
  ///   - labels: The map of labels that counts.
  /// - Returns: What the file gives now, with the names of what counts from the next start on.
  /// - Throws: The error of a start with that file, also for models that count from the next start on.
  func readAgain(
    _ arguments: [String], sources: [StreamEntry], labels: ClientLabels?
  ) throws -> ReadConfiguration {
    let expanded = try ConfigArguments.checked(arguments)
    guard let command = try ConfigArguments.command(expanded, of: arguments) as? InferenceCommand,
      let config = command.config
    else {
      throw FoveaError.optionInvalid(
        "The program was started without --config", remedy: "Start it as 'fovea serve --config FILE'")
    }
    let file = try ServeFile(config)
    let options = try command.options()
    // The server watches the pair and the keys that it has, but would not start without them.
    let logger = ServerLog.logger("fovea.serve")
    try HTTPServer(options: options.server, logger: logger, metrics: Metrics()).checkCertificate()
    if let path = command.keys { _ = try AccessGuard(path: path) }
    let given = try command.sources(of: file)
    // Models of another host are loaded from there.
    var names = differences(from: command).filter { $0 != "host" }
    if options.labels != labels, !names.contains("labels-map") { names.append("labels-map") }
    if given != sources { names.append("sources") }
    let entries = try command.modelEntries(file)
    let isSameFolder = command.models == models
    if let folder = command.models { try ModelEntry.checkFolder(folder, besides: entries) }
    // Otherwise they are loaded.
    if !isSameFolder { for entry in entries { try entry.checkFiles() } }
    // The file's models and its folder belong together: neither counts without the other.
    return ReadConfiguration(
      entries: isSameFolder ? entries : nil, sources: given, needsRestart: names.sorted())
  }
}
#endif
