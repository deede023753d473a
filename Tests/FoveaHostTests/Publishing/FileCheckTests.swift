// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FileCheckTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns its initial value.
  struct FakeRunner: ModelRunner {
    var verdict = ModelVerdict.facts(ModelFacts())
    func run(_ path: String) async throws(HostError) -> ModelVerdict { verdict }
  }

  /// A file whose bytes the test generates: as an argument a mebibyte takes seconds.
  struct Hostile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: @Sendable () -> [UInt8]

    init(_ name: String, _ bytes: @autoclosure @escaping @Sendable () -> [UInt8]) {
      testDescription = name
      self.bytes = bytes
    }
  }

  private static let mark = Array("\u{1C}\u{0}\u{0}\u{0}TFL3".utf8)

  static let hostile: [Hostile] = [
    Hostile("nothing", []), Hostile("one byte", [0]), Hostile("only the identifier", mark),
    Hostile("1 MiB of noise", BlobStoreSuite.random(1 << 20)),
    Hostile("noise after the identifier", mark + BlobStoreSuite.random(10_000, 2)),
    Hostile("huge offsets", mark + [UInt8](repeating: 0xFF, count: 4_096)),
    Hostile("half a model", Array(TestModel.runnable().bytes().prefix(200))),
  ]

  @Test(arguments: hostile)
  func `a file that is not a model is rejected in Firebase's words, before anything runs it`(
    file: Hostile
  ) async throws {
    let path = try folder.write("m", file.bytes())
    guard case .failure(let problem) = try await FileCheck(runner: FakeRunner()).facts(of: path) else {
      Issue.record("it passed")
      return
    }
    #expect(problem.code == 3 && problem.message == "Invalid flatbuffer format")
    #expect(problem.detail?.isEmpty == false && problem.detail?.contains(folder.path) == false)
  }

  @Test func `the result of the run counts`() async throws {
    let path = try folder.write("m", TestModel.runnable().bytes())
    var facts = ModelFacts()
    facts.kind = "detector"
    let passed = try await FileCheck(runner: FakeRunner(verdict: .facts(facts))).facts(of: path)
    #expect(try passed.get() == facts)
    let refused = try await FileCheck(runner: FakeRunner(verdict: .refused("no"))).facts(of: path)
    #expect(throws: FileProblem.invalid("no")) { try refused.get() }
  }

  @Test func `a missing file is the host's fault`() async {
    await #expect(
      code { () throws(HostError) in
        _ = try await FileCheck(runner: FakeRunner()).facts(of: folder["none"])
      } == .unavailable)
  }
}
#endif
