// SPDX-License-Identifier: Apache-2.0

/// Converts members' names to option names: "max-objects" for `maxObjects`.
package enum MemberNames {
  /// Returns the members that differ between two values of one type.
  ///
  /// Values are compared by their descriptions.
  /// - Parameters:
  ///   - first: A value.
  ///   - second: Another value of the same type.
  ///   - group: The value whose members are compared instead of the member itself; nil for the member itself.
  /// - Returns: The names in the order of the members.
  package static func different(
    _ first: Any, _ second: Any, within group: (Any) -> Any? = { _ in nil }
  ) -> [String] {
    zip(Mirror(reflecting: first).children, Mirror(reflecting: second).children).flatMap {
      (first, second) -> [String] in
      if let first = group(first.value), let second = group(second.value) {
        return different(first, second, within: group)
      }
      guard let label = first.label, String(describing: first.value) != String(describing: second.value)
      else { return [] }
      return [name(label)]
    }
  }

  /// Returns the option name of a member; the member of a wrapped property begins with an underscore.
  static func name(_ label: String) -> String {
    label.drop { $0 == "_" }.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }
}
