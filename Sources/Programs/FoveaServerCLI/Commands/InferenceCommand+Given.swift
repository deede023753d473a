// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore

extension InferenceCommand {
  /// Refuses options of `fovea serve` whose values differ from their defaults, for one of its subcommands.
  ///
  /// A subcommand accepts the parent's options anywhere on the line.
  /// - Parameters:
  ///   - taken: The option that the subcommand accepts.
  ///   - reason: The reason for the refusal, after "--slots is an option of 'fovea serve', and".
  /// - Throws: `ValidationError` with the first such option.
  func refuseOptions(besides taken: String? = nil, _ reason: String) throws {
    let usual = try InferenceCommand.parse([])
    guard let other = differences(from: usual).first(where: { $0 != taken }) else { return }
    throw ValidationError("--\(other) is an option of 'fovea serve', and \(reason); omit it.")
  }

  /// Returns the names of the options whose values differ between the two commands, such as "slots".
  ///
  /// Every option has a property of its name, here or in a group, so this list is complete.
  func differences(from other: InferenceCommand) -> [String] {
    MemberNames.different(self, other) { ($0 as? any OptionsInGroup)?.members }
  }
}

/// A group of options of any type.
private protocol OptionsInGroup {
  var members: any ParsableArguments { get }
}

extension OptionGroup: OptionsInGroup {
  fileprivate var members: any ParsableArguments { wrappedValue }
}
#endif
