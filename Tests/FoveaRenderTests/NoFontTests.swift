// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaGeometry
import FoveaImage
import FoveaRender
import Testing

@Suite struct NoFontTests {
  @Test func `a machine without any font draws boxes, or reports what is missing`() async {
    await #expect(processExitsWith: .success) {
      let configuration = FileManager.default.temporaryDirectory.appendingPathComponent(
        "fovea-no-fonts-\(ProcessInfo.processInfo.processIdentifier).conf")
      try Data("<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8).write(to: configuration)
      defer { try? FileManager.default.removeItem(at: configuration) }
      unsafe setenv("FONTCONFIG_FILE", configuration.path, 1)
      let canvas = PixelCanvas(size: PixelSize(width: 320, height: 240), filled: .white)
      let item = OverlayItem(
        box: BoundingBox(x: 100, y: 80, width: 120, height: 80), caption: "Home good 0.83",
        colorKey: "Home good")
      do throws(RenderError) {
        try Overlay().draw([item], on: canvas)
        guard canvas.color(100, 120) == ClassPalette.color(for: "Home good") else { exit(2) }
      } catch {
        guard error.code == .fontUnusable else { exit(3) }
      }
    }
  }
}
