// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaFormats
import FoveaTesting
import Testing

/// The declared formats, their lists, and the pages that describe them.
@Suite struct FormatListTests {
  struct Declaration {
    /// `Detection` or `Frame`.
    var kind: String
    var name: String
    /// The types that write it, as named in the declaration's comment.
    var writers: [String]
  }

  static let root = URL(fileURLWithPath: PackageRoot.path)

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the text of each source file of the formats.
  static func sources() throws -> [String] {
    let folder = "Sources/Data/FoveaFormats/"
    let files = try #require(
      FileManager.default.enumerator(atPath: root.path + "/" + folder)?.allObjects as? [String])
    return try files.filter { $0.hasSuffix(".swift") }.map { try text(folder + $0) }
  }

  static func declarations() throws -> [Declaration] {
    try sources().flatMap { source in
      source
        .matches(
          of: /\/\/\/ ([^\n]*)\n  package static let \w+ = (Detection|Frame)Format\(\s*"([^"]+)"/
        ).map { match in
          Declaration(
            kind: String(match.2), name: String(match.3),
            writers: match.1.matches(of: /``(\w+)``/).map { String($0.1) })
        }
    }
  }

  /// Returns whether a writer is declared for this package only.
  static func isOfPackage(_ writer: String) throws -> Bool {
    try sources().contains { $0.contains("\npackage struct \(writer):") }
  }

  @Test func `each declared format is in its list`() throws {
    let declared = try Self.declarations()
    func names(_ kind: String) -> [String] { declared.filter { $0.kind == kind }.map(\.name).sorted() }
    #expect(names("Detection") == DetectionFormat.all.map(\.name).sorted(), "DetectionFormat.all")
    #expect(names("Frame") == FrameFormat.all.map(\.name).sorted(), "FrameFormat.all")
  }

  @Test func `each format is in the documentation`() throws {
    let list = "`--format \(DetectionFormat.all.map(\.name).joined(separator: "|"))`"
    let isListed = try Self.text("README.md").contains(list)
    #expect(isListed, "README.md does not have \(list)")
    let articles = try Self.text("Sources/Data/FoveaFormats/FoveaFormats.docc/FoveaFormats.md")
    for format in try Self.declarations() {
      #expect(
        !format.writers.isEmpty, "the comment of \(format.kind)Format '\(format.name)' names no ``Writer``")
      // Pages list public writers; the text of frames is only the programs'.
      for writer in format.writers where try !Self.isOfPackage(writer) {
        let isTopic = articles.contains("\n- ``\(writer)``\n")
        #expect(isTopic, "FoveaFormats.md has no line '- ``\(writer)``' in its topics")
      }
      let page = format.kind == "Frame" ? "docs/how-to/track-objects.md" : "docs/reference/output.md"
      let text = try Self.text(page)
      let isDescribed = ["--format \(format.name)", "`\(format.name)`"].contains { text.contains($0) }
      #expect(isDescribed, "\(page) does not describe --format \(format.name)")
    }
  }
}
