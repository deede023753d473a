// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host publish`: a file becomes the next version of a model.
struct PublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish: fovea host publish bird.tflite --name bird",
    usage: "fovea host publish <file or folder> --name <name> [options]",
    discussion:
      "A folder is packed into one file with its labels first. The host runs the model once before devices get it."
  )

  @Argument(help: ArgumentHelp("A .tflite file, or an AutoML folder.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("What devices ask for: 1 to 32 letters, digits, '_', '-'.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The channel that points at it from now on.", valueName: "name"))
  var channel = "stable"

  @Option(help: ArgumentHelp("What is new in it.", valueName: "text"))
  var notes = ""

  @OptionGroup var client: ClientOptions

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
    try await host.publish(
      file: path, name: name, channel: channel, notes: notes, progress: PublishMeter.show,
      isCancelled: { Interrupt.isRequested })
  }
}

extension HostAnswer.Published {
  /// What a publish has done, as one line.
  var line: String {
    let start = "\(model.printable) version \(version)"
    guard repeated == true else { return "\(start) is \(channel.printable)\n" }
    guard let before, before != version else {
      return "\(start) has these bytes already, and is \(channel.printable)"
        + (before == nil ? " now\n" : " still\n")
    }
    return
      "\(start) has these bytes already, and is \(channel.printable) again in place of version \(before)\n"
  }
}
#endif
