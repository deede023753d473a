// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaFormats

@Suite struct PathIndexTests {
  /// The paths of a list, a path that is looked for, and the place in the list of the one that it means.
  static let rows: [([String], String, Int?)] = [
    ([], "a.jpg", nil), (["a.jpg"], "", nil), (["a.jpg"], "a.jpg", 0), (["a.jpg"], "/mine/x/a.jpg", 0),
    (["a.jpg"], "C:\\mine\\a.jpg", 0), (["x/a.jpg"], "/mine/x/a.jpg", 0), (["x/a.jpg"], "a.jpg", 0),
    (["x/a.jpg"], "y/a.jpg", nil), (["x/a.jpg", "y/a.jpg"], "a.jpg", nil),
    (["x/a.jpg", "y/a.jpg"], "/mine/y/a.jpg", 1), (["/other/a.jpg"], "mine/a.jpg", 0),
    (["/other/x/a.jpg", "/other/y/a.jpg"], "mine/y/a.jpg", 1),
    (["/other/x/a.jpg", "/other/y/a.jpg"], "mine/z/a.jpg", nil), (["D:\\other\\a.jpg"], "mine/a.jpg", 0),
    (["a.jpg", "x/a.jpg"], "y/a.jpg", 0), (["xa.jpg"], "a.jpg", nil),
  ]

  @Test(arguments: rows)
  func `a path means the listed one that it ends as`(_ list: [String], _ path: String, _ place: Int?) {
    let index = PathIndex(Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, $0) }))
    #expect(index.value(of: path) == place)
  }
}
