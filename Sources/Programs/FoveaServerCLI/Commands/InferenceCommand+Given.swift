// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

extension InferenceCommand {
  /// The options that are given and have another value than their default, as `--slots`.
  ///
  /// For commands below it, which take options of `fovea serve` from anywhere on the line: those that mean nothing to them are
  /// refused. Every option has a property of its name, here or in a group, so that none can be forgotten here.
  func givenOptions() throws -> [String] {
    InferenceCommand.differences(self, try InferenceCommand.parse([]))
  }

  /// Refuses the options that are given, for a command below it.
  /// - Parameters:
  ///   - taken: The one that the command takes.
  ///   - reason: Why it takes no other, after "--slots is an option of 'fovea serve', and".
  /// - Throws: `ValidationError` with the first of them.
  func refuseOptions(besides taken: String? = nil, _ reason: String) throws {
    guard let other = try givenOptions().first(where: { $0 != taken }) else { return }
    throw ValidationError("\(other) is an option of 'fovea serve', and \(reason); leave it out.")
  }

  /// The options whose values in two commands are different, as `--slots`.
  static func differences(_ given: any ParsableArguments, _ usual: any ParsableArguments) -> [String] {
    zip(Mirror(reflecting: given).children, Mirror(reflecting: usual).children).flatMap {
      (given, usual) -> [String] in
      if let given = given.value as? any OptionsInGroup, let usual = usual.value as? any OptionsInGroup {
        return differences(given.members, usual.members)
      }
      guard let label = given.label,
        String(describing: given.value) != String(describing: usual.value)
      else { return [] }
      let words = label.drop { $0 == "_" }.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }
      return ["--" + words.joined()]
    }
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
