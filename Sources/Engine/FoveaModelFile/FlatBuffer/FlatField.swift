// SPDX-License-Identifier: Apache-2.0

/// A field of a FlatBuffer table: its number in the schema and the name that error texts use.
package struct FlatField: Sendable {
  package let id: Int
  package let name: String

  package init(_ id: Int, _ name: String) {
    self.id = id
    self.name = name
  }
}
