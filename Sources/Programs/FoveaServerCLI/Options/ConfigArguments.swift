// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaInference

/// Inserts the options of `--config` before those of the command line, which take precedence.
enum ConfigArguments {
  /// The values that an option accepts.
  enum Kind { case flag, value, path, address, list }

  /// The options of `fovea serve` that a file may set; `models`, `sources` and `webhooks` have their own
  /// formats.
  static let kinds: [String: Kind] = [
    "access-log": .value, "admin": .value, "allow-origin": .list, "allowed-host": .list,
    "body-memory": .value,
    "deadline": .value, "drain": .value,
    "drain-delay": .value, "events": .path, "events-keep": .value, "events-limit": .value, "formats": .list,
    "host": .address, "image-memory": .value,
    "keypoint-threshold": .value, "keys": .path,
    "labels-map": .path, "listen": .value,
    "max-body": .value, "max-connections": .value, "max-frame": .value, "max-images": .value,
    "max-pixels": .value, "model-memory": .value,
    "models": .path, "motion": .value, "mqtt": .value,
    "open": .flag, "protocols": .list, "slots": .value, "tls-cert": .path,
    "tls-key": .path,
    "tls-self-signed": .flag, "trusted-proxy": .list,
  ]

  /// The former names of options, which files may still use.
  private static let formerNames = ["picture-memory": "image-memory"]

  /// Returns the arguments with those of the `--config` file; the same arguments without `--config`.
  /// - Throws: `config-invalid`.
  static func expanded(_ arguments: [String]) throws(FoveaError) -> [String] {
    guard arguments.first == "serve", let path = path(in: arguments) else { return arguments }
    let file = try ServeFile(path)
    var given: [String] = []
    for option in file.options { given += try texts(option, of: file) }
    return ["serve"] + given + arguments.dropFirst()
  }

  /// Returns the arguments with those of the `--config` file, checked as at startup.
  /// - Throws: `config-invalid`.
  static func checked(_ arguments: [String]) throws(FoveaError) -> [String] {
    let expanded = try ConfigArguments.expanded(arguments)
    try check(expanded, of: arguments)
    return expanded
  }

  /// Throws for errors caused only by the file's options, which the user has not typed.
  /// - Parameters:
  ///   - expanded: The arguments including the file's.
  ///   - arguments: The arguments as given.
  /// - Throws: `config-invalid` with the error of the option.
  static func check(_ expanded: [String], of arguments: [String]) throws(FoveaError) {
    guard expanded != arguments, let path = path(in: arguments) else { return }
    do { _ = try FoveaServerCommand.parseAsRoot(expanded) } catch {
      guard (try? FoveaServerCommand.parseAsRoot(arguments)) != nil else { return }
      throw try ServeFile(path).invalid("has an invalid option: \(reason(error))", remedy: remedy)
    }
  }

  /// Parses the arguments of a running server, with the current options of its file.
  /// - Parameters:
  ///   - expanded: The arguments including the file's.
  ///   - arguments: The arguments as given.
  /// - Returns: The command.
  /// - Throws: `config-invalid` if the arguments need an option that the file no longer has.
  static func command(_ expanded: [String], of arguments: [String]) throws -> any ParsableCommand {
    do { return try FoveaServerCommand.parseAsRoot(expanded) } catch {
      guard let path = path(in: arguments) else { throw error }
      throw try ServeFile(path).invalid(
        "conflicts with the program's arguments: \(reason(error))", remedy: remedy)
    }
  }

  private static let remedy: Advice = "See the format of each option in 'fovea serve --help-hidden'"

  /// Returns the first line of a parsing error, without its period.
  private static func reason(_ error: any Error) -> Substring {
    let text = FoveaServerCommand.message(for: error).prefix { $0 != "\n" }
    return text.hasSuffix(".") ? text.dropLast() : text
  }

  private static func path(in arguments: [String]) -> String? {
    var path: String?
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument.hasPrefix("--config=") { path = String(argument.dropFirst(9)) }
      if argument == "--config", index + 1 < arguments.count { path = arguments[index + 1] }
    }
    return path
  }

  private static func texts(_ option: ServeFile.Option, of file: ServeFile) throws(FoveaError) -> [String] {
    let name = formerNames[option.name] ?? option.name
    switch (kinds[name], option.value) {
    case (.flag, .flag(let isOn)): return isOn ? ["--" + name] : []
    case (.value, .text(let text)): return ["--\(name)=\(text)"]
    case (.path, .text(let text)): return ["--\(name)=\(file.resolved(text))"]
    case (.address, .text(let text)):
      if let address = ForeignArgument.listened(text) {
        throw file.invalid(
          "has '\(name)', which is not a model host, but an address to listen on, \(text)",
          remedy: "Set 'listen' to the server's own address, such as \(address)")
      }
      return ["--\(name)=\(text.contains("://") ? text : file.resolved(text))"]
    case (.list, .text(let text)): return ["--\(name)=\(text)"]
    case (.list, .list(let texts)) where texts.isEmpty:
      return name == "protocols" ? ["--protocols=none"] : []
    case (.list, .list(let texts)) where ["formats", "protocols"].contains(name):
      return ["--\(name)=\(texts.joined(separator: ","))"]
    case (.list, .list(let texts)): return texts.map { "--\(name)=\($0)" }
    case (nil, _):
      let names = kinds.keys.sorted() + ["sources", "webhooks"]
      let near = NameDistance.nearest(to: name, among: names).first
      throw file.invalid(
        "has '\(name.prefix(40))', which is not an option of 'fovea serve'",
        remedy: near.map { "Did you mean '\($0)'?" } ?? "Use one of \(names.joined(separator: ", "))")
    case (let kind?, _):
      throw file.invalid(
        "has '\(name)', which is not \(words(kind))",
        remedy: "Write it as for --\(name)")
    }
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .flag: "true or false"
    case .value, .path, .address: "a single text or number"
    case .list: "a string or a list of strings"
    }
  }
}
#endif
