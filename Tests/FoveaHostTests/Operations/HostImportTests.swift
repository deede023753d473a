// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

/// Models of a folder that are not imported, and its files' errors.
@Suite struct HostImportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sentence(_ entry: String, _ reason: String, publish: String? = nil) -> String {
    "'\(folder["h/" + entry])' is not imported, because \(reason); "
      + "publish it: fovea host publish \(publish ?? folder["h/" + entry]) --name NAME"
  }

  @Test func `a file that looks like a model but is not imported is named`() throws {
    for name in [
      "a.tflite", "b.lite", "up.TFLITE", "auto/model.tflite", "auto/dict.txt", "other/x.tflite",
      "well/model.tflite", "well/dict.txt", "notes/notes.txt", "README.md", ".hidden.lite",
      "two/x.tflite", "two/y.lite",
    ] {
      try folder.write("h/" + name, "x")
    }
    try #require(unsafe mkdir(folder["h/empty"], 0o700) == 0)
    try folder.write("h/deep/er/x.tflite", "x")
    try folder.link("h/link", to: folder["h/other"])
    try folder.link("h/loop", to: folder["h/loop"])
    try folder.write("h/well/manifest.json", "{}")
    let found = try HostImport(folder["h"])
    #expect(found.models.map(\.name) == ["a", "well"])
    #expect(
      found.skipped == [
        sentence("auto", "the folder has no manifest.json"),
        sentence("b.lite", "its name does not end with '.tflite'"),
        "'\(folder["h/deep"])' is not imported, because no .tflite file is directly in it",
        "'\(folder["h/empty"])' is not imported, because it is empty",
        sentence("link", "the folder has no manifest.json", publish: folder["h/link/x.tflite"]),
        "'\(folder["h/notes"])' is not imported, because no .tflite file is directly in it",
        sentence("other", "the folder has no manifest.json", publish: folder["h/other/x.tflite"]),
        "'\(folder["h/two"])' is not imported, because the folder has no manifest.json; "
          + "import it: fovea host import \(folder["h/two"])",
        sentence("up.TFLITE", "its name does not end with '.tflite'"),
      ])
  }

  @Test func `files that the manifest of an export does not list are named`() throws {
    try folder.write("h/manifest.json", HostFolderTests.manifest())
    for name in ["a.tflite", "a/2.tflite", "new.tflite"] { try folder.write("h/" + name, "x") }
    let found = try HostImport(folder["h"])
    #expect(found.models.map(\.name) == ["a"])
    #expect(
      found.skipped == [
        sentence("a/2.tflite", "the manifest does not list it"),
        sentence("new.tflite", "the manifest does not list it"),
      ])
  }

  @Test func `a file next to a listed file of a model is named`() throws {
    try folder.write("h/manifest.json", HostFolderTests.manifest(file: "a/1.tflite"))
    for name in ["a.tflite", "a/1.tflite", "a/9.tflite", "a/b.LITE", "a/notes.txt"] {
      try folder.write("h/" + name, "x")
    }
    #expect(
      try HostImport(folder["h"]).skipped == [
        sentence("a/9.tflite", "the manifest does not list it"),
        sentence("a/b.LITE", "the manifest does not list it"),
        sentence("a.tflite", "the manifest does not list it"),
      ])
  }

  @Test(arguments: [("a b.TFLITE", "'", "'"), ("it's.lite", "'", "'"), ("-a.lite", "", "")])
  func `the command that publishes the remaining files can be typed`(
    _ name: String, _ start: String, _ end: String
  ) throws {
    try folder.write("h/a.tflite", "x")
    try folder.write("h/" + name, "x")
    let argument = start + folder["h/" + name.replacing("'", with: #"'\''"#)] + end
    #expect(
      try HostImport(folder["h"]).skipped == [
        sentence(name, "its name does not end with '.tflite'", publish: argument)
      ])
  }

  @Test func `a folder with nothing to import names what it has instead`() throws {
    try folder.write("h/up.TFLITE", "x")
    let error = #expect(throws: HostError.self) { try HostImport(folder["h"]) }
    #expect(
      error?.message
        == "The folder \(folder["h"]) contains no model and no template; "
        + sentence("up.TFLITE", "its name does not end with '.tflite'"))
  }

  @Test(
    arguments: [
      (["x y.tflite"], [], ["x y.tflite"]), (["one.tflite", "x y.tflite"], ["one"], ["x y.tflite"]),
      (
        ["a.b.tflite", "one.tflite", "two.tflite", "é.tflite", "a b/manifest.json", "a b/model.tflite"],
        ["one", "two"], ["a b", "a.b.tflite", "é.tflite"]
      ),
    ] as [([String], [String], [String])])
  func `a name that no model can have does not keep the others out`(
    _ files: [String], _ models: [String], _ refused: [String]
  ) throws {
    for file in files { try folder.write("h/" + file, "{}") }
    let found = try HostImport(folder["h"])
    #expect(found.models.map(\.name) == models)
    #expect(found.refused.map(\.subject) == refused.map { folder["h/" + $0] })
    #expect(
      found.refused.allSatisfy { $0.code == .invalid && $0.message.hasSuffix("not a valid model name") })
    #expect(found.skipped.isEmpty)
  }

  @Test func `an error names its file once`() throws {
    try folder.write("h/a.tflite", "x")
    let found = try HostImport(folder["h"])
    let file = try #require(found.models.first?.files.first)
    #expect(file.path == folder["h/a.tflite"])
    let rows: [(message: String, subject: String?)] = [
      ("The file is not a model", file.path),
      ("'\(file.path)' cannot be sent: it is not a file", nil),
      ("The folder '\(file.path)' cannot be packed into one file: x", nil),
    ]
    for (message, subject) in rows {
      let error = HostError(.invalid, message, remedy: "x")
      #expect(file.naming(error) == HostError(.invalid, message, remedy: "x", subject: subject))
    }
  }
}
#endif
