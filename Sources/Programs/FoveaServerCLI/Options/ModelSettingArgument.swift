// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP
import FoveaInference

/// The usage error for a model's option, such as `--labels`, as an option of `fovea serve`.
///
/// A server has several models, so `--config` has these options for each model. The parser would suggest the
/// server's option with the nearest name, such as `--models`.
enum ModelSettingArgument {
  /// Returns the text of the error, for the first such option; nil if there is none.
  static func problem(in arguments: [String]) -> String? {
    guard arguments.first == "serve", !arguments.contains(where: others.contains) else { return nil }
    let options = arguments.dropFirst().prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
    let names = options.map { String($0.dropFirst(2).prefix { $0 != "=" }) }
    guard let name = names.first(where: isOfModel) else { return misspelling(among: names, arguments) }
    let place = name == "labels" ? ", or write them into the model with 'fovea model add-metadata'" : ""
    return "'fovea serve' has no option --\(name), because each model has its own setting. "
      + "Set '\(name)' for the model in the file of --config\(place)."
  }

  /// Returns the text of the error for the first option that resembles a model's, and that the parser neither
  /// knows nor has a suggestion for.
  private static func misspelling(among names: [String], _ arguments: [String]) -> String? {
    for name in names {
      let settings = ModelSettings.names.filter(isOfModel)
      guard let near = NameDistance.nearest(to: name, among: settings).first else { continue }
      do { _ = try FoveaServerCommand.parseAsRoot(arguments) } catch {
        let text = FoveaServerCommand.message(for: error)
        guard text.contains("'--\(name)'"), !text.contains("Did you mean") else { continue }
        return "'fovea serve' has no option --\(name.printable). If you mean '\(near)', set it for the model "
          + "in the file of --config, because each model has its own setting."
      }
    }
    return nil
  }

  private static func isOfModel(_ name: String) -> Bool {
    ModelSettings.names.contains(name) && ConfigArguments.kinds[name] == nil
  }

  /// The other commands below `serve`, and requests for help.
  fileprivate static let others: Set<String> = [
    "key", "healthcheck", "help", "--help", "-h", "--help-hidden", "--version",
  ]
}

/// The usage error for `--port`, `--host` and other names of `--listen` in other servers.
enum ForeignArgument {
  /// Returns the text of the error for the first such option of a command that listens; nil without one.
  static func problem(in arguments: [String]) -> String? {
    let commands = [["serve"], ["host", "serve"]]
    guard let command = commands.first(where: { arguments.starts(with: $0) }),
      !arguments.contains(where: ModelSettingArgument.others.contains)
    else { return nil }
    let options = Array(arguments.prefix { $0 != "--" })
    for (index, option) in options.enumerated() where option.hasPrefix("--") {
      let parts = option.dropFirst(2).split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? String(parts[1]) : options.dropFirst(index + 1).first
      let name = parts.first.map { String($0) } ?? ""
      if name == "host", command == ["serve"] {
        guard let address = value.flatMap(listened) else { continue }
        return "--host \(value ?? "") is not a model host, from which 'fovea serve' downloads models. "
          + "Give the server's own address with --listen, such as --listen \(address)."
      }
      guard name == "host" || names.contains(name) else { continue }
      let port = value.flatMap { UInt16($0) } ?? 8080
      return "'fovea \(command.joined(separator: " "))' has no option --\(name). "
        + "Give the address and the port with --listen, such as --listen 127.0.0.1:\(port)."
    }
    return nil
  }

  /// Returns the address to listen on that a value is: a number, `localhost`, or a host with a port; nil for
  /// the address of a model host.
  static func listened(_ value: String) -> ListenAddress? {
    if let address = ListenAddress(value) { return address }
    let host = value.hasPrefix("[") && value.hasSuffix("]") ? String(value.dropFirst().dropLast()) : value
    guard InternetAddress(host) != nil || host.lowercased() == "localhost" else { return nil }
    return ListenAddress(host: host, port: 8080)
  }

  private static let names: Set<String> = ["address", "bind", "http-port", "listen-address", "port"]
}
#endif
