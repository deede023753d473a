// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTraining
import Testing

@Suite struct ClassPairingTests {
  @Test(
    arguments: [
      ([], [], 3, 3, true), ([], [], 3, 2, false),
      (["a", "b"], [], 1, 1, true), ([], ["a", "b"], 1, 0, false),
      (["a", "b"], ["a", "b"], 1, 1, true), (["a", "b"], ["b", "a"], 0, 1, true),
      (["a", "b"], ["b", "a"], 0, 0, false),
      (["a", "???", "b"], ["a", "b"], 2, 1, true), (["a", "b"], ["", "a", "b", " "], 0, 1, true),
      // A placeholder of one model matches no class of the other.
      (["a", "b"], ["???", "a", "b"], 0, 0, false), (["a", "b"], ["???", "a", "b"], 1, 0, false),
      // A repeated name is one class.
      (["a", "a"], ["a", "a", ""], 1, 0, true), (["a", "a"], ["a", "a", ""], 0, 1, true),
      // Positions beyond the names are compared as they are.
      (["a", "b"], ["b", "a"], 7, 7, true),
    ] as [([String], [String], Int, Int, Bool)])
  func `classes are the same by name, or by position without names`(
    _ first: [String], _ second: [String], _ ours: Int, _ theirs: Int, _ isSame: Bool
  ) throws {
    let pairing = try ClassPairing(first, second)
    #expect((pairing.number(ofFirst: ours) == pairing.number(ofSecond: theirs)) == isSame)
    #expect(pairing.number(ofFirst: nil) == ClassPairing.noClass)
    #expect(pairing.number(ofSecond: nil) == ClassPairing.noClass)
  }

  @Test(
    arguments: [
      (["a"], ["b"], "only the first has 'a', only the second has 'b'"),
      (["a", "b"], ["a"], "only the first has 'b'"),
      (
        ["a"], ["a", "b", "c", "d", "e", "???"],
        "only the second has 'b', 'c', 'd' and 1 more"
      ),
    ] as [([String], [String], String)])
  func `different names are an error that lists them`(_ first: [String], _ second: [String], _ text: String) {
    let error = #expect(throws: FoveaError.self) { try ClassPairing(first, second) }
    #expect(error?.code == FoveaCode.labelsDiffer)
    #expect(error?.message == "The models have different classes: " + text)
  }
}
