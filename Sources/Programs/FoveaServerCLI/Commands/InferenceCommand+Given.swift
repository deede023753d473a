// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore

extension InferenceCommand {
  /// Refuses the options that are given and have another value than their default, for a command below it.
  ///
  /// Such a command takes options of `fovea serve` from anywhere on the line.
  /// - Parameters:
  ///   - taken: The one that the command takes.
  ///   - reason: Why it takes no other, after "--slots is an option of 'fovea serve', and".
  /// - Throws: `ValidationError` with the first of them.
  func refuseOptions(besides taken: String? = nil, _ reason: String) throws {
    let usual = try InferenceCommand.parse([])
    guard let other = differences(from: usual).first(where: { $0 != taken }) else { return }
    throw ValidationError("--\(other) is an option of 'fovea serve', and \(reason); leave it out.")
  }

  /// The options whose values in another command are different, as "slots".
  ///
  /// Every option has a property of its name, here or in a group, so that none can be forgotten here.
  func differences(from other: InferenceCommand) -> [String] {
    MemberNames.different(self, other) { ($0 as? any OptionsInGroup)?.members }
  }
}

/// A group of options, whichever they are.
private protocol OptionsInGroup {
  var members: any ParsableArguments { get }
}

extension OptionGroup: OptionsInGroup {
  fileprivate var members: any ParsableArguments { wrappedValue }
}
#endif
