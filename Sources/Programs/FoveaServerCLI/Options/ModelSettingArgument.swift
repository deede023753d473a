// SPDX-License-Identifier: Apache-2.0
#if Server
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
    guard let name = names.first(where: isOfModel) else { return nil }
    let place = name == "labels" ? ", or write them into the model with 'fovea model add-metadata'" : ""
    return "'fovea serve' has no option --\(name), because each model has its own setting. "
      + "Set '\(name)' for the model in the file of --config\(place)."
  }

  private static func isOfModel(_ name: String) -> Bool {
    ModelSettings.names.contains(name) && ConfigArguments.kinds[name] == nil
  }

  /// The other commands below `serve`, and requests for help.
  private static let others: Set<String> = [
    "key", "healthcheck", "help", "--help", "-h", "--help-hidden", "--version",
  ]
}
#endif
