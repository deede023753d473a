// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

/// Remedies are texts: only this test guards the options they name.
@Suite struct RemedyTests {
  /// The commands whose users read the texts of a folder, or of a file; each must accept an option named
  /// there.
  private struct Scope: Sendable {
    let place: String
    /// Each of these has the option, itself or in a subcommand.
    let commands: [[String]]
  }

  /// The first match counts.
  private static let scopes: [Scope] = [
    Scope(
      place: "Sources/Server/FoveaHTTP/Operations/HealthProbe",
      commands: [["healthcheck"], ["serve", "healthcheck"]]),
    // Both servers use them in responses.
    Scope(place: "Sources/Server/FoveaHTTP/", commands: [["serve"], ["host", "serve"]]),
    // They run these.
    Scope(place: "Sources/Server/FoveaHost/Publishing/ProgramModelRunner", commands: [["model", "inspect"]]),
    Scope(place: "Sources/Server/FoveaHost/Publishing/FolderPacker", commands: [["model", "add-metadata"]]),
    Scope(place: "Sources/Server/FoveaHost/", commands: [["host"]]),
    Scope(place: "Sources/Server/FoveaInference/", commands: [["serve"]]),
    Scope(place: "Sources/Data/FoveaModelRules/", commands: [["model", "add-metadata"]]),
    Scope(place: "Sources/Programs/FoveaServerCLI/Commands/Inference", commands: [["serve"]]),
    Scope(place: "Sources/Programs/FoveaServerCLI/Commands/", commands: [["host"]]),
    Scope(place: "Sources/Programs/FoveaServerCLI/Options/ConfigArguments", commands: [["serve"]]),
    Scope(
      place: "Sources/Programs/FoveaServerCLI/Options/ListenOptions",
      commands: [["serve"], ["host", "serve"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Bench/", commands: [["bench"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Commands/Bench", commands: [["bench"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Commands/Evaluate", commands: [["evaluate"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Commands/Model", commands: [["model"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Commands/Track", commands: [["track"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Commands/Train", commands: [["train"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Evaluate/", commands: [["evaluate"]]),
    Scope(place: "Sources/Programs/FoveaCLI/Track/", commands: [["track"]]),
    Scope(place: "Sources/Data/FoveaEvaluation/", commands: [["evaluate"]]),
    Scope(place: "Sources/Delivery/FoveaModels/", commands: [["model"]]),
    Scope(place: "Sources/Engine/FoveaTracking/", commands: [["track"]]),
    Scope(place: "Sources/Media/FoveaVideo/", commands: [["track"]]),
    Scope(place: "", commands: [[]]),
  ]

  /// Lines with other dashes: options of other programs, parts of a body, an entity tag, a style.
  private static let others = ["curl", "Content-Type", "--gzip", "{--c:"]

  /// The errors of a line in a file.
  private static func problems(_ line: some StringProtocol, in file: String, _ tree: CommandTree)
    -> [String]
  {
    guard !others.contains(where: line.contains) else { return [] }
    let mentions = Mentions(line)
    var found = mentions.calls.compactMap { call in
      ["has", "by"].contains(call.first) ? nil : tree.problem(of: call)
    }
    guard let scope = scopes.first(where: { file.hasPrefix($0.place) }) else { return found }
    for option in mentions.options {
      for words in scope.commands where tree.node(words)?.allOptions.contains(option) != true {
        found.append("'\((["fovea"] + words).joined(separator: " "))' has no \(option)")
      }
    }
    return found
  }

  /// The files of a folder and its subfolders with this ending.
  private static func files(_ folder: String, _ endings: [String]) throws -> [String] {
    try Folder.names(in: PackageRoot.path + "/" + folder).sorted().flatMap { name in
      let path = folder + "/" + name
      if FileStatus(FilePath(PackageRoot.path + "/" + path))?.kind == .folder {
        return try files(path, endings)
      }
      return endings.contains(where: path.hasSuffix) ? [path] : []
    }
  }

  @Test func `each option and command named in a text exists`() async throws {
    let tree = try #require(try await CommandTree.ofPrograms())
    var checked = 0
    for file in try Self.files("Sources", [".swift"]) + Self.files("python/fovea/src", [".py"]) {
      let bytes = try SmallFile.bytes(of: PackageRoot.path + "/" + file, limit: 1 << 22)
      for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        guard line.contains(0x22) || line.contains(0x60) || line.contains(0x27) else { continue }
        let text = Mentions.spelled(String(decoding: line, as: UTF8.self))
        guard text.contains("--") || text.contains("fovea ") else { continue }
        let code = text.drop { $0 == " " }
        if code.hasPrefix("//") || code.hasPrefix("#") { continue }
        checked += 1
        for problem in Self.problems(text, in: file, tree) {
          Issue.record("\(file):\(number + 1): \(problem): \(code)")
        }
      }
    }
    #expect(checked > 300, "the test reads the sources")
  }

  @Test(arguments: [
    ("Sources/Server/FoveaHTTP/Gate.swift", "can allow it with --allow-origin", true),
    ("Sources/Server/FoveaHTTP/Gate.swift", "can allow it with --keep-rollouts", false),
    ("Sources/Server/FoveaHost/A.swift", "start it with a larger --max-upload", true),
    ("Sources/Server/FoveaHost/A.swift", "start it with a larger --max-body", false),
    ("Sources/Server/FoveaHost/A.swift", "remedy: \"'fovea host fsck --repair' says more\"", true),
    ("Sources/Server/FoveaHost/A.swift", "remedy: \"'fovea host fsck --heal' says more\"", false),
    ("Sources/Server/FoveaHost/A.swift", "Make it: fovea host key add admin --folder DIR", true),
    ("Sources/Server/FoveaHost/A.swift", "Make it: fovea host key make", false),
    ("Sources/Server/FoveaHost/A.swift", "'fovea keys' lists them", false),
    (
      "Sources/Programs/FoveaCLI/A.swift",
      "Name the file with --output, as 'fovea detect --format jsonl' does", true
    ),
    ("Sources/Programs/FoveaCLI/A.swift", "Name the file with --into", false),
    ("Sources/Server/FoveaInference/A.swift", "Of curl's options, --data-binary sends it", true),
    (
      "Sources/Data/FoveaModelRules/A.swift", "\\(term: .addMetadata(\"FILE --labels FILE --output NEW\"))",
      true
    ),
    ("Sources/Data/FoveaModelRules/A.swift", "\\(term: .addMetadata(\"FILE --names FILE\"))", false),
    ("Sources/Server/FoveaHost/A.swift", "Make it: \\(call: \"host key add admin\")", true),
    ("Sources/Server/FoveaHost/A.swift", "Make it: \\(call: \"host key make\")", false),
    ("Sources/Server/FoveaHTTP/Gate.swift", "allow it with \\(program: .flag(\"allow-origin\"))", true),
    ("Sources/Server/FoveaHTTP/Gate.swift", "allow it with \\(program: .flag(\"keep-rollouts\"))", false),
    ("Sources/Data/FoveaFormats/A.swift", "again with \\(flag: \"yolo-scores\", \"scores\")", true),
    ("Sources/Data/FoveaFormats/A.swift", "another one with \\(flag: \"outputs\")", false),
    ("Sources/Engine/FoveaDecoding/A.swift", "give \\(option: \"activation\", \"sigmoid\")", true),
    ("Sources/Engine/FoveaDecoding/A.swift", "give \\(option: \"activations\")", false),
    ("Sources/Engine/FoveaCore/A.swift", "Self.command(\"model lists\", \"ModelCatalogue.entries\")", false),
  ])
  func `a text that names a missing option is found`(_ file: String, _ line: String, _ isRight: Bool)
    async throws
  {
    let tree = try #require(try await CommandTree.ofPrograms())
    #expect(Self.problems(line, in: file, tree).isEmpty == isRight)
  }
}
#endif
