// SPDX-License-Identifier: Apache-2.0

/// A field of a FlatBuffer table: its number in the schema and the name that error texts use.
struct FlatField {
  let id: Int
  let name: String

  init(_ id: Int, _ name: String) {
    self.id = id
    self.name = name
  }
}
