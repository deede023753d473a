// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaInference

/// Puts the options of `--config` before those of the command line, which count where both give one.
enum ConfigArguments {
  /// What an option takes.
  enum Kind { case flag, value, path, address, list }

  /// The options of `fovea serve` that a file may give; `models` and `sources` have forms of their own.
  static let kinds: [String: Kind] = [
    "access-log": .value, "admin": .value, "allow-origin": .list, "allowed-host": .list,
    "body-memory": .value,
    "deadline": .value, "drain": .value,
    "drain-delay": .value, "formats": .list, "host": .address, "keys": .path, "labels-map": .path,
    "listen": .value,
    "max-body": .value, "max-connections": .value, "max-frame": .value, "max-images": .value,
    "max-pixels": .value, "model-memory": .value,
    "models": .path,
    "open": .flag, "picture-memory": .value, "protocols": .list, "slots": .value, "tls-cert": .path,
    "tls-key": .path,
    "tls-self-signed": .flag, "trusted-proxy": .list,
  ]

  /// The arguments with those of the file that `--config` names; the same where it is not given.
  /// - Throws: `config-invalid`.
  static func expanded(_ arguments: [String]) throws(FoveaError) -> [String] {
    guard arguments.first == "serve", let path = path(in: arguments) else { return arguments }
    let file = try ServeFile(path)
    var given: [String] = []
    for option in file.options { given += try texts(option, of: file) }
    return ["serve"] + given + arguments.dropFirst()
  }

  /// The arguments with those of the file that `--config` names, as a start takes them.
  /// - Throws: `config-invalid`.
  static func checked(_ arguments: [String]) throws(FoveaError) -> [String] {
    let expanded = try ConfigArguments.expanded(arguments)
    try check(expanded, of: arguments)
    return expanded
  }

  /// Refuses what only the file's options make wrong: who starts the program has not typed them.
  /// - Parameters:
  ///   - expanded: The arguments with those of the file.
  ///   - arguments: The arguments as they were given.
  /// - Throws: `config-invalid` with the error of the option.
  static func check(_ expanded: [String], of arguments: [String]) throws(FoveaError) {
    guard expanded != arguments, let path = path(in: arguments) else { return }
    do { _ = try FoveaServerCommand.parseAsRoot(expanded) } catch {
      guard (try? FoveaServerCommand.parseAsRoot(arguments)) != nil else { return }
      throw try ServeFile(path).invalid("has an option that is wrong: \(reason(error))", remedy: remedy)
    }
  }

  /// Parses the arguments of a server that runs, with the options of its file as they are now.
  /// - Parameters:
  ///   - expanded: The arguments with those of the file.
  ///   - arguments: The arguments as they were given.
  /// - Returns: The command.
  /// - Throws: `config-invalid` if the arguments need an option that the file lacks now.
  static func command(_ expanded: [String], of arguments: [String]) throws -> any ParsableCommand {
    do { return try FoveaServerCommand.parseAsRoot(expanded) } catch {
      guard let path = path(in: arguments) else { throw error }
      throw try ServeFile(path).invalid(
        "does not fit the arguments of the program: \(reason(error))", remedy: remedy)
    }
  }

  private static let remedy: Advice = "'fovea serve --help-hidden' has the form of each option"

  /// The first line of an error of the arguments, without its stop.
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
    let name = option.name
    switch (kinds[name], option.value) {
    case (.flag, .flag(let isOn)): return isOn ? ["--" + name] : []
    case (.value, .text(let text)): return ["--\(name)=\(text)"]
    case (.path, .text(let text)): return ["--\(name)=\(file.resolved(text))"]
    case (.address, .text(let text)):
      return ["--\(name)=\(text.contains("://") ? text : file.resolved(text))"]
    case (.list, .text(let text)): return ["--\(name)=\(text)"]
    case (.list, .list(let texts)) where texts.isEmpty:
      return name == "protocols" ? ["--protocols=none"] : []
    case (.list, .list(let texts)) where ["formats", "protocols"].contains(name):
      return ["--\(name)=\(texts.joined(separator: ","))"]
    case (.list, .list(let texts)): return texts.map { "--\(name)=\($0)" }
    case (nil, _):
      let names = kinds.keys.sorted() + ["sources"]
      let near = NameDistance.nearest(to: name, among: names).first
      throw file.invalid(
        "has '\(name.prefix(40))', which 'fovea serve' has not",
        remedy: near.map { "Did you mean '\($0)'?" } ?? "It has \(names.joined(separator: ", "))")
    case (let kind?, _):
      throw file.invalid(
        "has a '\(name)' that is not \(words(kind))",
        remedy: "Write it as the option --\(name) takes it")
    }
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .flag: "true or false"
    case .value, .path, .address: "one text or number"
    case .list: "a text or a list of texts"
    }
  }
}
#endif
