// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// The classes of two models, numbered so that the same class has the same number.
///
/// Classes are the same by name if both models have names, else by their position in the model's output.
package struct ClassPairing: Sendable, Hashable {
  /// The number of an object without a class.
  package static let noClass = -1

  /// The first model's position of each of the second model's classes; nil if positions are compared.
  private let positions: [Int]?
  /// The first position of each of the first model's classes' names; nil if positions are compared.
  private let own: [Int]?

  /// The pairing of models without names, and of two copies of a model.
  package static let byPosition = ClassPairing()

  private init() { (positions, own) = (nil, nil) }

  /// Pairs the classes of two models.
  /// - Parameters:
  ///   - first: The first model's class names by position; empty if it has none.
  ///   - second: The second model's.
  /// - Throws: `labels-differ` if one of the models has a class that the other lacks.
  package init(_ first: [String], _ second: [String]) throws(FoveaError) {
    guard !first.isEmpty, !second.isEmpty, first != second else {
      self = .byPosition
      return
    }
    let places = Dictionary(first.enumerated().map { ($1, $0) }) { earlier, _ in earlier }
    let (named, others) = (Self.named(first), Self.named(second))
    guard named == others else {
      throw .labelsDiffer(
        missing: named.subtracting(others).sorted(), extra: others.subtracting(named).sorted())
    }
    own = first.map { places[$0] ?? Self.noClass }
    // A placeholder that only the second model has keeps a number that no class of the first has.
    positions = second.enumerated().map { places[$1] ?? first.count + $0 }
  }

  /// Returns the number of a class of the first model.
  package func number(ofFirst position: Int?) -> Int {
    guard let position else { return Self.noClass }
    guard let own, own.indices.contains(position) else { return position }
    return own[position]
  }

  /// Returns the number of a class of the second model.
  package func number(ofSecond position: Int?) -> Int {
    guard let position else { return Self.noClass }
    guard let positions, positions.indices.contains(position) else { return position }
    return positions[position]
  }

  /// Returns the names of classes, without lines that fill a position: blank ones and `???`.
  static func named(_ names: [String]) -> Set<String> {
    Set(names.filter { name in name.contains { !$0.isWhitespace && $0 != "?" } })
  }
}
