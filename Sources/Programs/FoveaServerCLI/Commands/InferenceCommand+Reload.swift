// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaInference
import Logging

extension InferenceCommand {
  /// Reads the configuration again, with the checks made at startup.
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - started: The options with which the server has started.
  /// - Returns: The file's current content, with the names of the changes that need a restart.
  /// - Throws: The error that starting with that file would throw, also for models that need a restart.
  func readAgain(_ arguments: [String], started: InferenceOptions) throws -> ReadConfiguration {
    let expanded = try ConfigArguments.checked(arguments)
    guard let command = try ConfigArguments.command(expanded, of: arguments) as? InferenceCommand,
      let config = command.config
    else {
      throw FoveaError.optionInvalid(
        "The program was started without --config", remedy: "Start it with 'fovea serve --config FILE'")
    }
    let file = try ServeFile(config)
    let options = try command.options()
    // A running server watches its certificate files and keys, but would not start without them.
    let logger = ServerLog.logger("fovea.serve")
    try HTTPServer(options: options.server, logger: logger, metrics: Metrics()).checkCertificate()
    if let path = command.keys { _ = try AccessGuard(path: path) }
    let given = try command.sources(of: file)
    // A changed host does not need a restart: models are loaded from the new host.
    var names = differences(from: command).filter { $0 != "host" }
    if options.labels != started.labels, !names.contains("labels-map") { names.append("labels-map") }
    if given != started.sources { names.append("sources") }
    let hooks = try command.watching.webhooks(of: file)
    try Webhook.check(hooks, sources: given.map(\.name))
    if hooks != started.webhooks { names.append("webhooks") }
    let broker = try command.broker(of: file, for: given)
    if broker != started.mqtt, !names.contains("mqtt") { names.append("mqtt") }
    let entries = try command.modelEntries(file)
    let isSameFolder = command.models == models
    if let folder = command.models { try ModelEntry.checkFolder(folder, besides: entries) }
    // With the same folder they are loaded, which checks them.
    if !isSameFolder { for entry in entries { try entry.checkFiles() } }
    // The file's models and its folder belong together: neither applies without the other.
    return ReadConfiguration(
      entries: isSameFolder ? entries : nil, sources: given, needsRestart: names.sorted())
  }
}
#endif
