// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaErrors
  internal import FoveaHost
  internal import FoveaSystem

  /// `fovea host import`: publishes every model of a folder.
  struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Publish a folder: fovea host import hosted_models",
      discussion:
        "Takes Firebase's hosted_models, with a NAME.tflite for each model, and what\n'fovea host export' has written. What the host has already becomes no second\nversion."
    )

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
    var folder: String

    @OptionGroup var client: ClientOptions

    func run() async throws {
      try await CommandEnd.onFailure { () throws(HostError) in
        let host = try client.client()
        for model in try HostImport(folder).models {
          for file in model.files { try await publish(file, of: model, to: host) }
        }
      }
    }

    private func publish(
      _ file: HostImport.File, of model: HostImport.Model, to host: HostClient
    ) async throws(HostError) {
      // A version needs a channel when it comes; the others are pointed at it then.
      let channels = file.channels.isEmpty ? ["imported"] : file.channels
      let reply = try await host.publish(
        file: file.path, name: model.name, channel: channels[0], notes: file.notes)
      let made = try reply.decode(HostAnswer.Published.self)
      if let sha256 = file.sha256, let sent = made.sha256, sha256 != sent {
        throw HostError(
          .corrupted, "'\(file.path)' is not the file that the manifest names: its SHA-256 is \(sent)",
          remedy: "Export it again; withdraw version \(made.version) of \(model.name)")
      }
      for channel in channels.dropFirst() {
        _ = try await host.point(model.name, channel: channel, version: made.version)
      }
      try CommandEnd.print(
        client.output.json ? reply.json.trimmedLine : "\(model.name) version \(made.version)\n")
    }
  }
#endif
