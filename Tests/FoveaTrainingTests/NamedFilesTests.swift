// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct NamedFilesTests {
  /// Files below a folder "photos", a path, and the files it matches.
  static let rows: [([String], String, NamedFiles.Match)] = [
    ([], "a.png", .none), (["x/a.png"], "", .none), (["x/a.png"], "b.png", .none),
    (["x/a.png"], "/data/y/a.png", .one("x/a.png")), (["x/.a.png"], "/data/.a.png", .none),
    (["y/a.png", "x/a.png"], "/data/a.png", .several(["x/a.png", "y/a.png"])),
    (["y/a.png", "x/a.png"], "C:\\data\\y\\a.png", .one("y/a.png")),
    (["a.png", "x/a.png"], "/data/photos/a.png", .one("a.png")),
    (["a.png", "x/a.png"], "/data/a.png", .several(["a.png", "x/a.png"])),
    (["5/a", "4/a", "3/a", "2/a", "1/a"], "a", .several(["1/a", "2/a", "3/a", "4/a"])),
  ]

  @Test(arguments: rows)
  func `a path matches the file with the longest common ending`(
    _ names: [String], _ path: String, _ match: NamedFiles.Match
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/other.png", "")
    for name in names { try folder.write("photos/" + name, "") }
    #expect(try NamedFiles(below: folder["photos"]).file(of: path) == match)
  }

  @Test func `thousands of files with one name are found by their folders`() throws {
    let folder = try TemporaryFolder()
    let count = 2_000
    for index in 0..<count { try folder.write("scene\(index)/rgb.png", "") }
    let files = try NamedFiles(below: folder.path)
    #expect(
      (0..<count).allSatisfy { files.file(of: "/data/scene\($0)/rgb.png") == .one("scene\($0)/rgb.png") })
    #expect(
      files.file(of: "/data/rgb.png") == .several(["0", "1", "10", "100"].map { "scene\($0)/rgb.png" }))
  }

  @Test func `an image whose listed path is relative to the working folder is not noted`() async {
    // In a separate process, which changes its working folder.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      for name in ["a.png", "b.png"] { try folder.write("photos/" + name, "") }
      try folder.write("boxes.csv", "photos/a.png,cup,0,0,,,1,1,,\nelsewhere/b.png,cup,0,0,,,1,1,,\n")
      try #require(unsafe chdir(folder.path) == 0)
      let set = try ObjectSet(csv: "boxes.csv", images: "photos")
      #expect(set.images.map(\.path) == ["photos/b.png", "photos/a.png"])
      #expect(set.notes == ["1 image is not at the listed path, but found by name"])
    }
  }

  @Test func `unreadable subfolders of the named one are skipped`() async {
    // In a separate process, which gives up root's right to read everything.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("photos/x/a.png", "")
      try folder.write("photos/lost+found/b.png", "")
      // Only the folders that the test closes are closed to another user.
      try #require(unsafe chdir(folder.path) == 0)
      try #require(unsafe chmod("photos/lost+found", 0) == 0)
      let user = geteuid()
      if user == 0 { try #require(seteuid(65534) == 0) }
      defer {
        _ = seteuid(user)
        _ = unsafe chmod("photos", 0o700)
        _ = unsafe chmod(folder["photos/lost+found"], 0o700)
      }
      let files = try NamedFiles(below: "photos")
      #expect(files.file(of: "/data/a.png") == .one("x/a.png"))
      #expect(files.file(of: "/data/b.png") == .none)
      #expect(throws: TrainingError.self) { try NamedFiles(below: "photos/lost+found") }
    }
  }
}
