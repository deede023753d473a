// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaFormats

@Suite struct PathIndexTests {
  /// The paths of a list, a searched path, and the index of the listed path it matches.
  static let rows: [([String], String, Int?)] = [
    ([], "a.jpg", nil), (["a.jpg"], "", nil), (["a.jpg"], "a.jpg", 0), (["a.jpg"], "/mine/x/a.jpg", 0),
    (["a.jpg"], "C:\\mine\\a.jpg", 0), (["x/a.jpg"], "/mine/x/a.jpg", 0), (["x/a.jpg"], "a.jpg", 0),
    (["x/a.jpg"], "y/a.jpg", nil), (["x/a.jpg", "y/a.jpg"], "a.jpg", nil),
    (["x/a.jpg", "y/a.jpg"], "/mine/y/a.jpg", 1), (["/other/a.jpg"], "mine/a.jpg", 0),
    (["/other/x/a.jpg", "/other/y/a.jpg"], "mine/y/a.jpg", 1),
    (["/other/x/a.jpg", "/other/y/a.jpg"], "mine/z/a.jpg", nil), (["D:\\other\\a.jpg"], "mine/a.jpg", 0),
    (["a.jpg", "x/a.jpg"], "y/a.jpg", 0), (["xa.jpg"], "a.jpg", nil), (["./a.jpg"], "/mine/a.jpg", 0),
    (["x/a.jpg", "/other/a.jpg"], "y/a.jpg", 1), (["x/a.jpg", "/other/x/a.jpg"], "x/a.jpg", 0),
    (["x/a.jpg", "/other/x/a.jpg"], "/mine/x/a.jpg", nil),
    (["u/x/a.jpg", "/v/x/a.jpg"], "/mine/w/x/a.jpg", 1), (["u/x/a.jpg", "/v/x/a.jpg"], "x/a.jpg", nil),
    (["u/x/a.jpg", "v/x/a.jpg"], "/mine/v/x/a.jpg", 1), (["u/x/a.jpg", "v/x/a.jpg"], "w/x/a.jpg", nil),
    (["x//a.jpg", "x\\a.jpg"], "/mine/x/a.jpg", nil), (["/u/x/a.jpg", "/v/b.jpg"], "w/b.jpg", 1),
  ]

  @Test(arguments: rows)
  func `a path matches the listed one that it ends with`(_ list: [String], _ path: String, _ place: Int?) {
    let index = PathIndex(Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) }))
    #expect(index.find(path)?.value == place)
  }

  @Test(arguments: [
    ("/data/train/a.jpg", "val/a.jpg", true), ("/data/train/a.jpg", "/data/val/a.jpg", true),
    ("/data/train/a.jpg", "/mine/train/a.jpg", false), ("/data/train/a.jpg", "a.jpg", false),
    ("/data/train/a.jpg", "./a.jpg", false), ("a.jpg", "val/a.jpg", false), ("/a.jpg", "val/a.jpg", false),
    ("D:\\train\\a.jpg", "val/a.jpg", true), ("train/a.jpg", "/data/train/a.jpg", false),
  ])
  func `a path of another folder is found only by its file name`(
    _ listed: String, _ path: String, _ isByName: Bool
  ) {
    #expect(PathIndex([listed: 0]).find(path)?.isByName == isByName)
  }

  @Test func `thousands of images with one file name are found by their folders`() {
    let count = 4_000
    let index = PathIndex(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("/data/scene\($0)/left/rgb.png", $0) }))
    #expect((0..<count).allSatisfy { index.find("mine/scene\($0)/left/rgb.png")?.value == $0 })
    #expect(index.find("mine/scene/left/rgb.png")?.value == nil)
    let relative = PathIndex(
      Dictionary(uniqueKeysWithValues: (0..<count).map { ("scene\($0)/rgb.png", $0) }))
    #expect((0..<count).allSatisfy { relative.find("/mine/scene\($0)/rgb.png")?.value == $0 })
    #expect((0..<count).allSatisfy { relative.find("/mine/room\($0)/rgb.png")?.value == nil })
  }

  /// The listed paths, a path, and its match if any ending is enough.
  static let ends: [([String], String, PathEnds.Match)] = [
    ([], "a.jpg", .none), (["a.jpg"], "", .none), (["a.jpg"], "/", .none), (["x/a.jpg"], "y/a.jpg", .one(0)),
    (["x/a.jpg", "y/a.jpg"], "/mine/y/a.jpg", .one(1)),
    (["x/a.jpg", "y/a.jpg"], "z/a.jpg", .several([0, 1])),
    (["x/a.jpg", "y/a.jpg", "y/b.jpg"], "C:\\y\\b.jpg", .one(2)),
    (["1/a", "2/a", "3/a", "4/a", "5/a", "6/a"], "a", .several([0, 1, 2, 3])),
    (["a/a/a/a", "a/a/a"], "a/a/a/a/a", .one(0)), (["a/a/a/a", "a/a/a"], "a/a", .several([0, 1])),
  ]

  @Test(arguments: ends)
  func `a path finds the listed ones with the longest common ending`(
    _ list: [String], _ path: String, _ match: PathEnds.Match
  ) {
    #expect(PathEnds(list) { _ in true }.match(path) == match)
  }
}
