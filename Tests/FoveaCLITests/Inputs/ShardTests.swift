// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaTesting
import Testing

@testable import FoveaCLI

@Suite struct ShardTests {
  @Test(arguments: [("0/1", nil), ("15/16", nil), ("0/9223372036854775807", nil)] as [(String, String?)])
  func `a valid part is accepted`(argument: String, problem: String?) {
    #expect(Shard(argument: argument)?.problem == problem)
  }

  @Test(arguments: [
    ("3/3", "the parts of 3 are 0 to 2, got 3"), ("-1/4", "the parts of 4 are 0 to 3, got -1"),
    ("0/0", "there must be one part or more, got 0"), ("0/-2", "there must be one part or more, got -2"),
  ])
  func `a missing part is rejected with a list of the valid ones`(argument: String, problem: String) {
    #expect(Shard(argument: argument)?.problem == problem)
    #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["detect", "p", "--shard", argument]) }
  }

  @Test(arguments: ["", "/", "3", "1/2/3", "a/b", "1/", "/2", "1.5/3", "0/99999999999999999999"])
  func `a text that is not a part is rejected`(argument: String) {
    #expect(Shard(argument: argument) == nil)
  }

  @Test func `standard input cannot be split into parts`() {
    #expect(throws: (any Error).self) { try FoveaCommand.parseAsRoot(["detect", "-", "--shard", "0/2"]) }
  }

  /// The values of `pmod(xxhash64(path), n)` in xxhash 4.1.0 with the seed 42.
  @Test(arguments: [
    (path: "street.jpg", count: 16, index: 14), (path: "a/\u{E9} #%.jpg", count: 16, index: 7),
    (path: "", count: 7, index: 3), (path: "abc", count: 3, index: 2),
    (path: "a/\u{E9} #%.jpg", count: 1_000, index: 255),
  ])
  func `parts use Spark's hash`(path: String, count: Int, index: Int) {
    let parts = (0..<count).filter { Shard(argument: "\($0)/\(count)")?.contains(path) == true }
    #expect(parts == [index])
  }

  @Test func `the parts together hold all images in order, and each reports unreadable files`() throws {
    let folder = try InputExpanderTests.album()
    let all = Self.expand(nil, folder)
    let parts = (0..<3).map { Self.expand("\($0)/3", folder) }
    #expect(all.count == 8 && all.last == "input-missing")
    #expect(parts.allSatisfy { $0.last == "input-missing" && $0 == all.filter($0.contains) })
    #expect(parts.flatMap { $0.dropLast() }.sorted() == all.dropLast().sorted())
    #expect(parts.filter { $0.count > 1 }.count > 1)
  }

  @Test func `a new image leaves the others in their parts`() throws {
    let folder = try InputExpanderTests.album()
    let before = Self.expand("1/3", folder)
    try folder.write("p/0.jpg", "")
    #expect(Self.expand("1/3", folder).filter { $0 != "p/0.jpg" } == before)
  }

  private static func expand(_ shard: String?, _ folder: TemporaryFolder) -> [String] {
    var expander = InputExpander(
      [folder["p"], folder["missing"]], recursive: true, shard: shard.flatMap { Shard(argument: $0) })
    var found: [String] = []
    while let item = expander.next() {
      switch item {
      case .image(let image): found.append(image.name.replacing(folder.path + "/", with: ""))
      case .failure(_, let error): found.append(error.code.rawValue)
      }
    }
    return found
  }
}
