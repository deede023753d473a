// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import FoveaCompatibility

@Suite struct LocalPathTests {
  @Test(
    "A text that is not a name in the bundle is a path, or the URL of one",
    arguments: [
      ("", ""), ("/a/b.tflite", "/a/b.tflite"), ("no/such.tflite", "no/such.tflite"),
      ("file:///a/b.tflite", "/a/b.tflite"), ("FILE:///a/b.tflite", "/a/b.tflite"),
      ("file://localhost/a/b.tflite", "/a/b.tflite"), ("file:///a%20b/%C3%A9%25.tflite", "/a b/é%.tflite"),
      ("file:///a b#c?d.tflite", "/a b#c?d.tflite"), ("file:///100%.tflite", "/100%.tflite"),
      ("file:///%FF.tflite", "/%FF.tflite"), ("file://", "file://"), ("file:///", "/"),
      ("file://host/a.tflite", "file://host/a.tflite"), ("file:a.tflite", "file:a.tflite"),
      ("http://host/a.tflite", "http://host/a.tflite"), ("/a%20b.tflite", "/a%20b.tflite"),
    ])
  func text(text: String, path: String) {
    #expect(LocalPath.resolve(text, bundleFolder: "/no/such/folder") == path)
    #expect(LocalPath.resolve(text, bundleFolder: nil) == path)
  }

  @Test("A relative path without a file is a name in the bundle, if it exists there")
  func bundle() throws {
    let folder = NSTemporaryDirectory() + "fovea-bundle-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder + "/models", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/models/a.tflite"))
    #expect(
      LocalPath.resolve("models/a.tflite", bundleFolder: folder) == folder + "/models/a.tflite")
    #expect(LocalPath.resolve("models/b.tflite", bundleFolder: folder) == "models/b.tflite")
    #expect(LocalPath.resolve("/models/a.tflite", bundleFolder: folder) == "/models/a.tflite")
    // The working directory has it, and comes first.
    #expect(LocalPath.resolve(".", bundleFolder: folder) == ".")
  }
}
