// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host import`: publishes every model of a folder.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Publish a folder.",
    discussion: """
      Example: fovea host import hosted_models

      Accepts Firebase's hosted_models, with a NAME.tflite or an AutoML folder for
      each model, and the output of 'fovea host export', with its templates. Files
      that the host already has are reported and not published again. A file that is
      refused does not stop the others: the last line lists what is not imported.
      """)

  @Argument(help: ArgumentHelp("The folder to import.", valueName: "folder"))
  var folder: String

  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await Interrupt.withCode {
      try await CommandEnd.onFailure { () throws(HostError) in
        let host = try client.client()
        let found = try HostImport(folder)
        try found.check()
        for gap in found.gaps + found.skipped { CommandEnd.warn(gap.sentence) }
        Interrupt.install()
        var progress = ImportProgress(
          count: found.models.reduce(found.configs.count + found.refused.count) { $0 + $1.files.count })
        for model in found.models {
          for file in model.files {
            try await progress.step(file.path) { () throws(HostError) in
              try await publish(file, of: model, to: host)
            }
          }
        }
        for (namespace, path) in found.configs.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          try await progress.step(path) { () throws(HostError) in
            try await publish(path, namespace, to: host)
          }
        }
        for error in found.refused {
          try await progress.step(error.subject ?? "") { () throws(HostError) in throw error }
        }
        try progress.check()
      }
    }
  }

  /// Publishes a template, unless the host already has it.
  private func publish(
    _ path: String, _ namespace: ConfigNamespace, to host: HostClient
  ) async throws(HostError) {
    let text = try ConfigFile.bytes(of: path)
    let check = try await host.publishConfig(text, namespace, isForced: false, isDryRun: true)
    guard try check.decode(HostAnswer.PublishedConfig.self).changesAnything else {
      if !client.output.json { try CommandEnd.print("\(namespace.rawValue) template is already active\n") }
      return
    }
    let reply = try await host.publishConfig(text, namespace, isForced: false, isDryRun: false)
    let made = try reply.decode(HostAnswer.PublishedConfig.self)
    try CommandEnd.print(
      client.output.json
        ? reply.json.trimmedLine : "\(namespace.rawValue) template version \(made.version)\n")
  }

  private func publish(
    _ file: HostImport.File, of model: HostImport.Model, to host: HostClient
  ) async throws(HostError) {
    // A new version needs one channel; the others are pointed at it afterwards.
    let channels = file.channels.isEmpty ? ["imported"] : file.channels
    let reply: HostClient.Reply
    do throws(HostError) {
      reply = try await send(file, as: model.name, channel: channels[0], to: host)
    } catch {
      throw file.naming(error)
    }
    let made = try reply.decode(HostAnswer.Published.self)
    if let sha256 = file.sha256, let sent = made.sha256, sha256 != sent {
      throw HostError(
        .corrupted, "'\(file.path)' is not the file in the manifest: its SHA-256 is \(sent)",
        remedy: "Export it again; withdraw version \(made.version) of \(model.name)")
    }
    for channel in channels.dropFirst() {
      _ = try await host.point(model.name, channel: channel, version: made.version)
    }
    try CommandEnd.print(client.output.json ? reply.json.trimmedLine : text(made))
  }

  /// Returns a short line for a new version, and the full line, with the channel's move, for existing bytes.
  private func text(_ made: HostAnswer.Published) -> String {
    made.repeated == true ? made.line : "\(made.model.printable) version \(made.version)\n"
  }

  private func send(
    _ file: HostImport.File, as name: String, channel: String, to host: HostClient
  ) async throws(HostError) -> HostClient.Reply {
    guard file.isFolder else {
      return try await host.publish(
        file: file.path, name: name, channel: channel, notes: file.notes, progress: PublishMeter.show,
        isCancelled: { Interrupt.isRequested })
    }
    return try await FolderPacker.nextToThisProgram().withFile(
      of: file.path, isCancelled: { Interrupt.isRequested }
    ) { packed throws(HostError) in
      try await host.publish(
        file: packed, name: name, channel: channel, notes: file.notes, progress: PublishMeter.show,
        isCancelled: { Interrupt.isRequested })
    }
  }
}
#endif
