// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@testable import FoveaServerCLI

@Suite struct OutputTests {
  @Test(arguments: [("2026-11-22T19:16:23.042Z", "2026-11-22 19:16"), ("", ""), ("soon", "soon")])
  func `times are shown to the minute`(_ time: String, _ text: String) {
    #expect(TextTable.minute(time) == text)
  }

  @Test(arguments: [
    (#""channels": {}, "rollout": null"#, "bird: –; rollout: –\n"),
    (
      #""channels": {"beta": 3, "alpha": 1, "stable": 2}, "rollout": null"#,
      "bird: stable 2, alpha 1, beta 3; rollout: –\n"
    ),
    (
      #""channels": {"stable": 2}, "rollout": {"version": 3, "percent": 12.5, "halted": false}"#,
      "bird: stable 2; rollout: 3 to 12.5 %\n"
    ),
    (
      #""channels": {"stable": 2}, "rollout": {"version": 3, "percent": 0.000001, "halted": false}"#,
      "bird: stable 2; rollout: 3 to 0.000001 %\n"
    ),
    (
      #""channels": {"stable": 2}, "rollout": {"version": 3, "percent": 10, "halted": true}"#,
      "bird: stable 2; rollout: 3 halted\n"
    ),
    (
      #""channels": {"stable": 1}, "rollout": null, "damaged": [2]"#,
      "bird: stable 1; rollout: –\n"
        + "No channel returned to version 2: its file is damaged on the host's disk.\n"
    ),
    (
      #""channels": {"stable": 1}, "rollout": null, "warning": "The stable version 1 is damaged. Repair it.""#,
      "bird: stable 1; rollout: –\nThe stable version 1 is damaged. Repair it.\n"
    ),
    (
      #""channels": {}, "rollout": null, "damaged": [1, 2]"#,
      "bird: –; rollout: –\n"
        + "No channel returned to versions 1, 2: their files are damaged on the host's disk.\n"
    ),
  ])
  func `a model in one line`(_ members: String, _ line: String) throws {
    let json = #"{"name": "bird", "published": true, "latest": 3, "updated": "", \#(members)}"#
    #expect(TextTable.line(try HostClient.Reply(json: json).decode(HostAnswer.Model.self)) == line)
  }

  @Test(arguments: [
    ("", "no changes\n"), (#""groups": {"added": [], "removed": [], "changed": []}, "#, "no changes\n"),
    (
      #""groups": {"added": ["a", "b"], "removed": [], "changed": ["c"]}, "#,
      "groups of parameters added: a, b\ngroups of parameters changed: c\n"
    ),
  ])
  func `a template's change of groups is not called no change`(_ groups: String, _ text: String) throws {
    let none = #"{"added": [], "removed": [], "changed": []}"#
    let json =
      #"{"namespace": "firebase", "version": 2, "etag": "e", "parameters": \#(none), "#
      + #""conditions": \#(none), \#(groups)"reordered": false, "notes": []}"#
    let made = try HostClient.Reply(json: json).decode(HostAnswer.PublishedConfig.self)
    #expect(ConfigText.changes(made) == text)
    #expect(made.changesAnything == (text != "no changes\n"))
  }

  @Test func `a fault that a repair leaves is not called repaired`() {
    let faults = [FolderFault("a", isRepaired: true), FolderFault("b")]
    #expect(FsckCommand.text(faults) == "a: repaired\nb\n" && FsckCommand.text([]) == "no problems\n")
    #expect(FsckCommand.json(faults) == "{\"problems\": [\"a\", \"b\"], \"repaired\": false}\n")
    #expect(FsckCommand.json([faults[0]]) == "{\"problems\": [\"a\"], \"repaired\": true}\n")
  }

  @Test func `a copy of a host states its content and its progress`() {
    var written = HostCopy.Written()
    #expect(written.text("new") == "0 models with 0 versions in new: 0 files, 0 bytes\n")
    (written.models, written.versions, written.files, written.bytes) = (1, 1_200, 1_201, 4_200_000)
    #expect(written.text("new") == "1 model with 1,200 versions in new: 1,201 files, 4.2 MB\n")
    written.present = 7
    #expect(
      written.text("new")
        == "1 model with 1,200 versions in new: 1,201 files, 4.2 MB, 7 of them copied before\n")
    #expect(
      written.json("new", as: "copy")
        == "{\"copy\": \"new\", \"models\": 1, \"versions\": 1200, \"files\": 1201, \"bytes\": 4200000, "
        + "\"present\": 7}\n")
    var progress = HostCopy.Progress(allFiles: 1, allBytes: 1_000)
    #expect(CopyMeter.text(progress) == "0 of 1 file, 0 bytes of 1.0 kB")
    (progress.files, progress.bytes) = (1, 1_000)
    #expect(CopyMeter.text(progress) == "1 of 1 file, 1.0 kB of 1.0 kB")
  }

  @Test func `a migration states the versions, and its statements before it is made`() {
    let due = Migration(found: 3, needed: 5, statements: ["A", "B"])
    #expect(due.text(isDry: true) == "version 3 to 5\nA;\nB;\n")
    #expect(due.text(isDry: false) == "version 3 to 5\n")
    #expect(
      due.json(isDry: false)
        == "{\"found\": 3, \"needed\": 5, \"statements\": [\"A\", \"B\"], \"changed\": true}\n")
    let none = Migration(found: 5, needed: 5, statements: [])
    #expect(none.text(isDry: true) == "version 5: nothing to do\n")
    #expect(none.json(isDry: false).contains("\"changed\": false"))
  }

  @Test(arguments: [
    (0, "The copy has the same damage. Restore an older backup"),
    (1, "The copy lacks 1 file. Publish it again or restore a backup"),
    (1_200, "The copy lacks 1,200 files. Publish them again or restore a backup"),
  ])
  func `a copy with faults prints a remedy`(_ files: Int, _ text: String) {
    // The command checks a host while it serves.
    let check = "To list all problems, run fovea host fsck '/my models'."
    #expect(CommandEnd.copyRemedy(files, from: "/my models") == "\(text). \(check)")
  }

  @Test func `an invalid response is an error`() {
    #expect(throws: HostError.self) { try HostClient.Reply(json: "<html>").decode(HostAnswer.Model.self) }
  }

  @Test func `a server that listens prints its address, its certificate and where others reach it`() {
    let plain = ListeningNote(url: "http://127.0.0.1:8080", fingerprint: nil, others: [])
    #expect(plain.text("  models: default") == "listening http://127.0.0.1:8080  models: default\n")
    #expect(plain.json == #"{"listening": "http://127.0.0.1:8080"}"# + "\n")
    let all = ListeningNote(
      url: "https://0.0.0.0:8443", fingerprint: "AB:CD",
      others: ["https://192.0.2.7:8443", "https://[fd00::7]:8443"])
    #expect(
      all.text() == """
        listening https://0.0.0.0:8443
        certificate SHA-256 AB:CD
        reachable https://192.0.2.7:8443
        reachable https://[fd00::7]:8443

        """)
    #expect(
      all.json == #"{"listening": "https://0.0.0.0:8443", "certificateSHA256": "AB:CD", "#
        + #""reachable": ["https://192.0.2.7:8443", "https://[fd00::7]:8443"]}"# + "\n")
  }

  @Test(arguments: ["a", "a\n", "a\r\n", "a\n\n"]) func `a line ends once`(_ text: String) {
    #expect(text.trimmedLine == "a\n")
  }

  @Test(arguments: [("models", "models"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("ü", "'ü'")])
  func `the suggested lines can be typed`(_ folder: String, _ quoted: String) throws {
    let settings = try HostSettings(project: "my-project", url: "http://127.0.0.1:8080/")
    let made = HostSetup(folder: folder, settings: settings, app: try AppKey("test-api-key"))
    let key = quoted.hasSuffix("'") ? quoted.dropLast() + "/keys/admin.json'" : quoted + "/keys/admin.json"
    #expect(
      made.text == """
        fovea host serve \(quoted)
        fovea host publish model.tflite --name my_model --key \(key)
        export FOVEA_MODEL_HOST='http://127.0.0.1:8080/v1beta2/projects/my-project/models/{name}:download?key=test-api-key'
        fovea model pull my_model

        """)
  }
}
#endif
