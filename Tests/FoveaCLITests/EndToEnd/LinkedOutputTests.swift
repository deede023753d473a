// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaCLI

/// Outputs that are symbolic links, private files, or have the longest names: all writers treat them alike.
@Suite struct LinkedOutputTests {
  /// A folder with a photo, and a link to a file that only its owner can read.
  static func folder(_ ending: String, holding old: String = "old") throws -> TemporaryFolder {
    let folder = try PhotoRunTests.album(["a.jpg"])
    let real = try folder.write("real\(ending)", old)
    try #require(unsafe chmod(real, 0o600) == 0)
    try folder.link("link\(ending)", to: real)
    return folder
  }

  static func check(_ folder: TemporaryFolder, _ ending: String, holding text: String) throws {
    #expect(SymbolicLink.isLink(folder["link\(ending)"]) == true)
    #expect(FileStatus(FilePath(folder["real\(ending)"]))?.permissions == 0o600)
    #expect(try folder.read("real\(ending)").contains(text))
    #expect(try folder.names().allSatisfy { !$0.contains("partial") })
  }

  @Test(arguments: [("json", "\"a.jpg"), ("coco", "annotations"), ("jsonl", "a.jpg"), ("csv", "a.jpg")])
  func `results are written to the target of a link`(_ format: String, _ text: String) async throws {
    let folder = try Self.folder(".out")
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--format", format, "-o", folder["link.out"]], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    try Self.check(folder, ".out", holding: text.replacing("\"", with: ""))
  }

  /// A report shows the photo, so one must exist.
  static func addPhoto(to folder: TemporaryFolder) throws {
    let photo = PackageRoot.path + "/Examples/photos/cat.jpg"
    try folder.write("in/a.jpg", SmallFile.bytes(of: photo, limit: 1 << 22))
  }

  @Test func `a report is written to the target of a link`() async throws {
    let folder = try Self.folder(".html")
    try Self.addPhoto(to: folder)
    let outcome = try await PhotoRunTests.run([folder["in"], "--report", folder["link.html"]], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    try Self.check(folder, ".html", holding: "<!doctype html>")
  }

  @Test func `a resumed run's copy is written to the target of a link`() async throws {
    let folder = try Self.folder(".jsonl", holding: ResumeTests.bad + ResumeTests.a)
    let outcome = try await PhotoRunTests.run(
      [folder["in"], "--resume", "-o", folder["link.jsonl"]], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    try Self.check(folder, ".jsonl", holding: "a.jpg")
  }

  @Test(arguments: ["jsonl", "json", "html"]) func `a name of 255 bytes is short enough`(
    _ ending: String
  ) async throws {
    let folder = try PhotoRunTests.album(["a.jpg"])
    try Self.addPhoto(to: folder)
    let name = String(repeating: "n", count: 254 - ending.utf8.count) + "." + ending
    let option = ending == "html" ? "--report" : "-o"
    let outcome = try await PhotoRunTests.run([folder["in"], option, folder[name]], in: folder)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(folder.exists(name))
  }
}
