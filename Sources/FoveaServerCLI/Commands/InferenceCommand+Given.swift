// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser

  extension InferenceCommand {
    /// The options that are given and have another value than their default, as `--slots`.
    ///
    /// For commands below it, which take options of `fovea serve` from anywhere on the line: those that mean nothing to them are
    /// refused. Every option has a property of its name, so that none can be forgotten here.
    func givenOptions() throws -> [String] {
      let usual = try InferenceCommand.parse([])
      return InferenceCommand.differences(Mirror(reflecting: self), Mirror(reflecting: usual))
        + InferenceCommand.differences(Mirror(reflecting: place), Mirror(reflecting: usual.place))
    }

    private static func differences(_ given: Mirror, _ usual: Mirror) -> [String] {
      zip(given.children, usual.children).compactMap { given, usual in
        guard let label = given.label, label != "_place",
          String(describing: given.value) != String(describing: usual.value)
        else { return nil }
        return "--"
          + label.drop { $0 == "_" }.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
      }
    }
  }
#endif
