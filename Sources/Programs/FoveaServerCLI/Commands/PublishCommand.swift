// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host publish`: publishes a file as the next version of a model.
struct PublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish a model.",
    usage: "fovea host publish <file or folder> --name <name> [options]",
    discussion: """
      Example: fovea host publish bird.tflite --name bird

      A folder is first packed into one file with its labels. The host runs the model
      once before devices get it. In the channel stable, all devices get it at once;
      use --channel beta before a rollout.
      """)

  @Argument(help: ArgumentHelp("A .tflite file, or an AutoML folder.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("The model's name: 1 to 32 letters, digits, '_', '-'.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("Channel to move to this version.", valueName: "name"))
  var channel = "stable"

  @Option(help: ArgumentHelp("Release notes.", valueName: "text"))
  var notes = ""

  @OptionGroup var comparison: ComparisonOptions
  @OptionGroup var client: ClientOptions

  func validate() throws {
    if file.isEmpty { throw ValidationError("Name a .tflite file or an AutoML folder.") }
  }

  func run() async throws {
    try await Interrupt.withCode {
      try await client.run { host throws(HostError) in
        Interrupt.install()
        guard FileStatus(FilePath(file))?.kind == .folder else { return try await publish(file, to: host) }
        return try await FolderPacker.nextToThisProgram().withFile(
          of: file, isCancelled: { Interrupt.isRequested }
        ) { packed throws(HostError) in
          try await publish(packed, to: host)
        }
      } text: { reply throws(HostError) in
        try reply.decode(HostAnswer.Published.self).line
      }
    }
  }

  private func publish(_ path: String, to host: HostClient) async throws(HostError) -> HostClient.Reply {
    var figures: String?
    if let base = comparison.compareWith { figures = try await compared(path, with: base, host) }
    let reply = try await host.publish(
      file: path, name: name, channel: channel, notes: notes, progress: PublishMeter.show,
      isCancelled: { Interrupt.isRequested })
    guard client.output.json, let figures else { return reply }
    return reply.with(comparison: figures)
  }
}

extension HostAnswer.Published {
  /// The result of a publish, as one line.
  var line: String {
    let start = "\(model.printable) version \(version)"
    let repair = repaired == true ? "its damaged file is repaired" : nil
    let end =
      (endedRollout.map { "; the rollout of version \($0) ends" } ?? "") + (repair.map { "; \($0)" } ?? "")
    guard repeated == true else { return "\(start) is \(channel.printable)\(end)\n" }
    guard let before else {
      return "\(start) already has these bytes and is now \(channel.printable)\(end)\n"
    }
    guard before != version else {
      return "\(start) already has these bytes and is still \(channel.printable): "
        + "\(repair ?? "nothing changes")\n"
    }
    return "\(start) already has these bytes and is now \(channel.printable) instead of version \(before)"
      + "\(end)\n"
  }
}
#endif
