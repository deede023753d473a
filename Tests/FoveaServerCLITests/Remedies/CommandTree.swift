// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaTesting

/// The commands and options of both programs, as listed by the programs themselves, including rare ones.
struct CommandTree: Sendable {
  /// One command with its subcommands.
  struct Node: Sendable {
    var commands: [String: Node] = [:]
    /// With their dashes.
    var options: Set<String> = []

    /// The options of this command and of all its subcommands.
    var allOptions: Set<String> {
      commands.values.reduce(options) { $0.union($1.allOptions) }
    }
  }

  /// `fovea`, whose `host` and `serve` belong to `fovea-server`.
  var root = Node()

  init(_ root: Node) { self.root = root }

  /// Asks both programs.
  static func ofPrograms() async throws -> CommandTree? {
    guard let program = BuiltProgram.path, let server = BuiltProgram.server else { return nil }
    var root = try await node(program)
    for (name, command) in try await node(server).commands { root.commands[name] = command }
    return CommandTree(root)
  }

  /// The command with these words; nil if there is none.
  func node(_ words: some Sequence<String>) -> Node? {
    var node: Node? = root
    for word in words { node = node?.commands[word] }
    return node
  }

  private static func node(_ program: String) async throws -> Node {
    let dump = try await ChildProcess.run(program, ["--experimental-dump-help"])
    return try JSONDecoder().decode(Dump.self, from: Data(dump.standardOutput)).command.node
  }

  private struct Dump: Decodable { let command: Command }

  private struct Command: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    struct Argument: Decodable { let names: [Name]? }
    let commandName: String
    let subcommands: [Command]?
    let arguments: [Argument]?

    var node: Node {
      var node = Node()
      for command in subcommands ?? [] { node.commands[command.commandName] = command.node }
      for name in (arguments ?? []).flatMap({ $0.names ?? [] }) where name.kind == "long" {
        node.options.insert("--" + name.name)
      }
      node.options.formUnion(["--help", "--help-hidden", "--version"])
      return node
    }
  }
}
#endif
