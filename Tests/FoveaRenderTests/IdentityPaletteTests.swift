// SPDX-License-Identifier: Apache-2.0

import FoveaRender
import Testing

@Suite struct IdentityPaletteTests {
  @Test func `identities use the colours of classes, each once`() {
    #expect(Set(IdentityPalette.colors) == Set(ClassPalette.colors))
    #expect(IdentityPalette.colors.count == ClassPalette.colors.count)
  }

  @Test func `any five identities in a row are clearly distinct`() {
    for identity in 0..<16 {
      for other in (identity + 1)..<(identity + 5) {
        let distance = Lab(IdentityPalette.color(for: identity))
          .distance(to: Lab(IdentityPalette.color(for: other)))
        #expect(distance >= 38, "\(identity) and \(other) are \(distance) apart")
      }
    }
  }

  @Test(arguments: [(1, "#A3E635"), (2, "#FF4F9A"), (17, "#A3E635"), (-15, "#A3E635"), (Int.min, "#2563EB")])
  func `an identity has the same colour in every run`(_ identity: Int, _ color: String) {
    #expect(IdentityPalette.color(for: identity).description == color)
  }
}
