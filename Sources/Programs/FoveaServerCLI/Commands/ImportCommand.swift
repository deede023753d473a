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
      each model, and the output of 'fovea host export', with its templates. A second
      import changes nothing: files of a model's versions, withdrawn ones included,
      are reported, and no channel moves; those damaged on the host's disk are
      repaired. A template, and a model that has a version of other bytes, stay: the
      command that replaces them is printed. A file that is refused does not stop the
      others: the last line lists what is not imported.
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

  /// Publishes a template, unless the host already has one.
  private func publish(
    _ path: String, _ namespace: ConfigNamespace, to host: HostClient
  ) async throws(HostError) -> ImportProgress.End {
    let text = try ConfigFile.bytes(of: path)
    let check = try await host.publishConfig(text, namespace, isForced: false, isDryRun: true)
    guard try check.decode(HostAnswer.PublishedConfig.self).changesAnything else {
      if !client.output.json { try CommandEnd.print("\(namespace.rawValue) template is already active\n") }
      return .known
    }
    let present = try await host.config(namespace).decode(HostAnswer.Config.self).version
    guard present == 0 else {
      let command = "host config publish \(path.shellPath.printable) --namespace \(namespace.rawValue)"
      CommandEnd.warn(
        "'\(path.printable)' is not imported, because the host has version \(present) of the "
          + "\(namespace.rawValue) template. To replace that, publish it: \(program: .call(command)).")
      return .left
    }
    let reply = try await host.publishConfig(text, namespace, isForced: false, isDryRun: false)
    let made = try reply.decode(HostAnswer.PublishedConfig.self)
    try CommandEnd.print(
      client.output.json
        ? reply.json.trimmedLine : "\(namespace.rawValue) template version \(made.version)\n")
    return .imported
  }

  private func publish(
    _ file: HostImport.File, of model: HostImport.Model, to host: HostClient
  ) async throws(HostError) -> ImportProgress.End {
    do throws(HostError) {
      guard file.isFolder else { return try await publish(file.path, file, of: model, to: host) }
      return try await FolderPacker.nextToThisProgram().withFile(
        of: file.path, isCancelled: { Interrupt.isRequested }
      ) { packed throws(HostError) in
        try await publish(packed, file, of: model, to: host)
      }
    } catch {
      throw file.naming(error)
    }
  }

  /// Publishes the bytes at a path, unless a version of the model has them, or the model has a version that
  /// the folder does not have.
  private func publish(
    _ path: String, _ file: HostImport.File, of model: HostImport.Model, to host: HostClient
  ) async throws(HostError) -> ImportProgress.End {
    let known = try await host.known(path, of: model.name)
    if let known, let version = known.version {
      guard !version.withdrawn, try await host.isDamaged(version.version, of: model.name) else {
        try CommandEnd.print(
          client.output.json
            ? version.json(model.name) : version.line(model.name, known.kept(file.channels, version.version)))
        return .known
      }
      let channel = known.channels.filter { $0.value == version.version }.keys.min()
      let reply = try await publish(path, file, of: model, channel ?? "repair", to: host)
      try CommandEnd.print(
        client.output.json ? reply.json.trimmedLine : reply.decode(HostAnswer.Published.self).line)
      return .imported
    }
    if let known, !known.hashes.isSubset(of: model.files.compactMap(\.sha256)) {
      let command = "host publish \(file.path.shellPath.printable) --name \(model.name.printable)"
      CommandEnd.warn(
        "'\(file.path.printable)' is not imported, because the host has other versions of the model "
          + "'\(model.name.printable)'. To give it to devices, publish it: \(program: .call(command)).")
      return .left
    }
    // A channel that points at a version stays. A new version needs one channel, the most important one; the
    // others are pointed at it afterwards.
    let channels = file.channels.filter { known?.channels[$0] == nil }
    let first = channels.contains(HostModel.stable) ? HostModel.stable : channels.first
    let reply = try await publish(path, file, of: model, first ?? "imported", to: host)
    let made = try reply.decode(HostAnswer.Published.self)
    if let sha256 = file.sha256, let sent = made.sha256, sha256 != sent {
      throw HostError(
        .corrupted, "'\(file.path)' is not the file in the manifest: its SHA-256 is \(sent)",
        remedy: "Export it again; withdraw version \(made.version) of \(model.name)")
    }
    for channel in channels where channel != first {
      _ = try await host.point(model.name, channel: channel, version: made.version)
    }
    let kept = known?.kept(file.channels.filter { !channels.contains($0) }, made.version) ?? []
    try CommandEnd.print(client.output.json ? reply.json.trimmedLine : text(made, kept))
    return .imported
  }

  private func publish(
    _ path: String, _ file: HostImport.File, of model: HostImport.Model, _ channel: String,
    to host: HostClient
  ) async throws(HostError) -> HostClient.Reply {
    try await host.publish(
      file: path, name: model.name, channel: channel, notes: file.notes, progress: PublishMeter.show,
      isCancelled: { Interrupt.isRequested })
  }

  /// Returns a short line for a new version, and the full line if the publish changed more.
  private func text(_ made: HostAnswer.Published, _ kept: [String]) -> String {
    made.repeated == true || made.endedRollout != nil
      ? made.line
      : (["\(made.model.printable) version \(made.version)"] + kept).joined(separator: "; ") + "\n"
  }
}

extension HostClient.Known {
  /// Returns the channels, of those given, that point at another version than this one, and stay.
  fileprivate func kept(_ wanted: [String], _ version: Int) -> [String] {
    wanted.filter { channels[$0] != version }.map { channel in
      channels[channel].map { "\(channel.printable) stays at version \($0)" }
        ?? "\(channel.printable) points at no version"
    }
  }
}

extension HostAnswer.Version {
  /// The version that has the bytes of a file, and the channels that stay, as one line.
  fileprivate func line(_ model: String, _ kept: [String]) -> String {
    let start =
      "\(model.printable) version \(version) "
      + (withdrawn ? "had these bytes and was withdrawn" : "already has these bytes")
    return ([start] + kept).joined(separator: "; ") + "\n"
  }

  /// The version as a line of JSON.
  fileprivate func json(_ model: String) -> String {
    JSONText.line { json in
      json.member("model", model)
      json.member("version", version)
      json.member("sha256", sha256)
      json.member("size", size)
      json.member("withdrawn", withdrawn)
      json.member("repeated", true)
    }
  }
}
#endif
