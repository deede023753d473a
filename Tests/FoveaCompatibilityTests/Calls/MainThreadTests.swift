// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCompatibility

@Suite struct MainThreadTests {
  @Test(
    "The state of a thread is the letter after its name, whatever the name is",
    arguments: [
      ("12 (App) R 1 12", true), ("12 (App) D 1 12", true), ("12 (App) S 1 12", false),
      ("12 (App) Z 1 12", false), ("12 (my (R) app) S 1", false), ("12 (a) S) R 1", true),
      ("12 (App) ", false), ("12 (App)", false), ("12", false), ("", false),
    ])
  func state(text: String, isBusy: Bool) {
    #expect(MainThread.isBusy(stat: Array(text.utf8)) == isBusy)
  }
}
