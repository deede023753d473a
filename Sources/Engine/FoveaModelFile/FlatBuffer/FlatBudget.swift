// SPDX-License-Identifier: Apache-2.0

/// How much one file may make us read.
///
/// In a FlatBuffer many offsets may point to one table, so a small hostile file can describe an exponentially
/// large tree; the budget ends that. Honest metadata needs a few hundred tables and some kilobytes of text.
package struct FlatBudget {
  private var tables = 200_000
  private var bytes = 32 << 20

  package init() {}

  /// Pays for `count` tables or offsets.
  package mutating func spend(tables count: Int) throws(MetadataError) {
    guard count <= tables else {
      throw .damaged("the model describes more than 200000 tables, which no honest model does")
    }
    tables -= count
  }

  /// Pays for `count` bytes that are copied out of the file.
  package mutating func spend(bytes count: Int) throws(MetadataError) {
    guard count <= bytes else {
      throw .damaged("the model's texts and tables of numbers are more than 33554432 bytes together")
    }
    bytes -= count
  }
}
