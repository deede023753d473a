// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct NameDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "acbd", 1),
    ("abc", "abc", 0),
  ])
  func `a distance is the number of changes`(first: String, second: String, distance: Int) {
    #expect(NameDistance.distance(Array(first.utf8), Array(second.utf8)) == distance)
    #expect(NameDistance.distance(Array(second.utf8), Array(first.utf8)) == distance)
    #expect(NameDistance.changes(from: first.uppercased(), to: second[...]) == distance)
  }

  @Test(
    arguments: [
      // A third of the letters may differ, and one of short names.
      ("treshold", ["threshold", "thread"], ["threshold"]), ("nmae", ["name", "names"], ["name"]),
      ("weihgt", ["weight", "height"], ["weight", "height"]),
      ("slots", ["slots", "slot"], ["slots", "slot"]),
      ("line", ["zone", "lines", "time"], ["lines"]), ("zone", ["line", "done"], ["done"]),
      ("wxyz", ["abcd"], []), ("model", ["modes", "mode", "moped", "motel"], ["mode", "modes", "motel"]),
      ("confidance", ["confidence", "conference"], ["confidence", "conference"]),
      ("percnet", ["percent", "recent"], ["percent"]),
      // Of three letters, one is added, left out or swapped, after the first.
      ("tag", ["etag"], []), ("tag", ["etag", "tags"], ["tags"]), ("cat", ["car", "bat", "cut"], []),
      ("cat", ["cats", "act"], ["cats"]), ("cast", ["cat"], ["cat"]), ("lod", ["load", "lid"], ["load"]),
      ("cta", ["cat"], ["cat"]), ("jpg", ["png", "jpeg"], ["jpeg"]), ("id", ["ids", "is", "od"], ["ids"]),
      ("cat", ["cat", "CAT"], ["CAT", "cat"]), ("ID", ["id"], ["id"]),
      // As many changes: the same start first, then the alphabet.
      ("sourc", ["ource", "source"], ["source"]),
      ("labe", ["babe", "labs", "label"], ["label", "labs", "babe"]),
      // One is part of the other.
      ("red", ["red, dark red", "bored"], ["red, dark red"]),
      ("ssd", ["coco-ssd-v1", "assdr"], ["coco-ssd-v1"]),
      ("det", ["detector"], ["detector"]), ("versionNumber", ["version"], ["version"]),
      ("memory", ["image-memory"], ["image-memory"]), ("v2", ["mobilenet-v2"], []), ("in", ["minimum"], []),
      // Nothing, one letter, no candidates, and far too much.
      ("", ["a", ""], []), ("a", ["a", "ab"], []), ("ab", [], []), ("ab", [""], []),
      (String(repeating: "a", count: 10_000), ["a", "aaa"], ["aaa"]),
    ] as [(String, [String], [String])])
  func `the nearest names differ by few letters, or one is part of the other`(
    text: String, candidates: [String], nearest: [String]
  ) {
    #expect(NameDistance.nearest(to: text, among: candidates) == nearest)
    #expect(NameDistance.nearest(to: text, among: candidates.reversed()) == nearest)
  }
}
