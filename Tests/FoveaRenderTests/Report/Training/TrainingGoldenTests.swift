// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaTesting
import Testing

@testable import FoveaRender

@Suite struct TrainingGoldenTests {
  /// A page that has every part, as it was read in a browser.
  static let golden = PackageRoot.path + "/Tests/Fixtures/report/training.html"

  @Test func `a page with every part is exactly this`() throws {
    let expected = try String(contentsOfFile: Self.golden, encoding: .utf8)
    let page = TrainingPage.small.text
    guard page != expected else { return }
    let made = FileManager.default.temporaryDirectory.path + "/fovea-training.html"
    try TrainingPage.small.write(to: made)
    let lines = zip(page.split(separator: "\n"), expected.split(separator: "\n"))
    let (line, wanted) = lines.first { $0 != $1 } ?? ("the end", "another end")
    Issue.record(
      "'\(line)' is not '\(wanted)'. Open \(made) in a browser; where it is better, copy it to \(Self.golden)"
    )
  }
}
