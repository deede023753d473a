// SPDX-License-Identifier: Apache-2.0

/// Numbers in sets that can be joined; each set is known by its least number.
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  /// The least number of the set that a number is in.
  mutating func first(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ first: Int, _ second: Int) {
    let (a, b) = (self.first(of: first), self.first(of: second))
    parents[max(a, b)] = min(a, b)
  }
}
