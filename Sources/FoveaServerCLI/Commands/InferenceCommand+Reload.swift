// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import Fovea
  internal import FoveaErrors
  internal import FoveaHTTP
  internal import FoveaServer
  internal import Logging

  extension InferenceCommand {
    /// Reads the configuration again, with the checks of a start.
    /// - Parameters:
    ///   - arguments: The arguments of the program.
    ///   - sources: The sources that are watched.
    ///   - labels: The map of labels that counts.
    /// - Returns: What the file gives now, with the names of what counts from the next start on.
    /// - Throws: The error of a start with that file. Keys and a certificate are read if their paths have changed, since the server
    ///   watches those that it has.
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
      if (command.place.tlsCert, command.place.tlsKey) != (place.tlsCert, place.tlsKey) {
        let logger = ServerLog.logger("fovea.serve")
        try HTTPServer(options: options.server, logger: logger, metrics: Metrics()).checkCertificate()
      }
      if let path = command.keys, path != keys { _ = try AccessGuard(path: path) }
      let given = try command.sources(of: file)
      // Models of another host are loaded from there.
      var names = InferenceCommand.differences(self, command).map { String($0.dropFirst(2)) }
        .filter { $0 != "host" }
      if options.labels != labels, !names.contains("labels-map") { names.append("labels-map") }
      if given != sources { names.append("sources") }
      let entries = try command.modelEntries(file)
      // The file's models and its folder belong together: neither counts without the other.
      return ReadConfiguration(
        entries: command.models == models ? entries : nil, sources: given, needsRestart: names.sorted())
    }
  }
#endif
