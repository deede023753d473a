// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config publish`: a file becomes the template in force.
struct ConfigPublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Publish a template: fovea host config publish template.json",
    usage: "fovea host config publish <file> [options]",
    discussion:
      "The template's etag, which 'fovea host config get' writes, says from which\nversion it was made; where another one is in force by now, nothing is\npublished."
  )

  @Argument(help: ArgumentHelp("A template as JSON, as Firebase has it.", valueName: "file"))
  var file: String

  @Flag(help: "Only check the template and show what it changes.")
  var validateOnly = false

  @Flag(help: "Replace whatever is in force.")
  var force = false

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.publishConfig(
        ConfigFile.bytes(of: file), names.namespace, isForced: force, isDryRun: validateOnly)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.PublishedConfig.self)
      let head =
        made.version == 0
        ? "valid for \(made.namespace.printable)\n"
        : "version \(made.version) of \(made.namespace.printable) is in force\n"
      return head + ConfigText.changes(made)
    }
  }
}

/// The files of `fovea host config`.
enum ConfigFile {
  static func bytes(of path: String, limit: Int = 8 << 20) throws(HostError) -> [UInt8] {
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: limit) } catch {
      throw HostError(
        .invalid, "'\(path.printable)' cannot be read: \(error.message)", remedy: "Name another file")
    }
  }
}

/// What commands print about templates.
enum ConfigText {
  /// A line for each kind of change, and for each note.
  static func changes(_ made: HostAnswer.PublishedConfig) -> String {
    var lines: [String] = []
    for (what, names) in [("parameters", made.parameters), ("conditions", made.conditions)] {
      for (how, list) in [
        ("added", names.added), ("removed", names.removed), ("changed", names.changed),
      ] where !list.isEmpty {
        lines.append("\(what) \(how): \(list.map(\.printable).joined(separator: ", "))")
      }
    }
    if made.reordered { lines.append("conditions: in another order") }
    if lines.isEmpty { lines.append("nothing changes") }
    lines += made.notes.map { "note: \($0.printable)" }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// `fovea host config rollback`: a former version is published again.
struct ConfigRollbackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback", abstract: "Publish a former version again: fovea host config rollback 3",
    usage: "fovea host config rollback <n> [options]")

  @Argument(help: ArgumentHelp("The number of the version.", valueName: "n"))
  var version: Int

  @OptionGroup var names: NamespaceOption
  @OptionGroup var client: ClientOptions

  func run() async throws {
    try await client.run { host throws(HostError) in
      try await host.rollBackConfig(names.namespace, to: version)
    } text: { reply throws(HostError) in
      let made = try reply.decode(HostAnswer.PublishedConfig.self)
      return "version \(made.version) of \(made.namespace.printable) is version \(version) again\n"
        + ConfigText.changes(made)
    }
  }
}
#endif
