// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct ModelComparerTests {
  /// A replacement for `fovea`, and the result of a comparison with it.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var figures = ""
    /// The error's message; nil for none.
    var message: String?
    var code = HostCode.precondition
  }

  static let rows = [
    Row(
      testDescription: "models that agree",
      text: "echo \"$1 $2 $3 $4: $5 -> $6\"",
      figures: "model compare --json --: bird version 1 -> new.tflite\n"),
    Row(
      testDescription: "models that disagree",
      text: "echo '2 photos'; echo \"fovea: '$6' agrees with '$5' in 71 %. Use another.\" >&2; exit 1",
      figures: "2 photos\n",
      message: "Nothing was published: 'new.tflite' agrees with 'bird version 1' in 71 %. Use another"),
    Row(
      testDescription: "a photo that cannot be read",
      text: "echo 'fovea: a.jpg: It is missing. Look.' >&2; exit 1",
      message: "Nothing was published: a.jpg: It is missing. Look"),
    Row(
      testDescription: "a file that is not a model", text: "echo \"fovea: $6: No model.\" >&2; exit 2",
      message: "Nothing was published: new.tflite: No model"),
    Row(
      testDescription: "an older program", text: "echo 'Error: Unexpected' >&2; exit 64",
      message: "The program 'fovea' next to this one does not support this comparison", code: .unavailable),
    Row(
      testDescription: "a crash", text: "kill -SEGV $$",
      message: "Nothing was published: the comparison did not end by itself"),
    // Ctrl-C at a terminal may end the program before this process receives the signal.
    Row(
      testDescription: "an interrupted program", text: "exit 130",
      message: "Cancelled: nothing was published", code: .cancelled),
    Row(
      testDescription: "a program ended by a signal", text: "kill -TERM $$",
      message: "Cancelled: nothing was published", code: .cancelled),
  ]

  private static func compare(
    _ program: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async -> (figures: String, error: HostError?) {
    do throws(HostError) {
      let outcome = try await ModelComparer.run(
        program, options: ["--json"], ("/tmp/f/published.tflite", "bird version 1"),
        ("/tmp/g/model.tflite", "new.tflite"), isCancelled: isCancelled)
      return (outcome.figures, outcome.refusal)
    } catch {
      return ("", error)
    }
  }

  /// Writes a replacement for `fovea`.
  private static func program(_ text: String, in folder: TemporaryFolder) throws -> String {
    let path = try folder.write("fovea", "#!/bin/sh\n" + text + "\n")
    guard unsafe chmod(path, 0o700) == 0 else { throw TestFailure("no program") }
    return path
  }

  @Test(arguments: rows) func `a comparison has figures, and the reason of a refusal`(_ row: Row) async throws
  {
    let folder = try TemporaryFolder()
    let found = await Self.compare(try Self.program(row.text, in: folder))
    #expect(found.figures == row.figures)
    #expect(found.error?.message == row.message)
    #expect(found.error.map { $0.code == row.code } != false)
  }

  @Test func `a cancelled comparison ends, and a missing program is reported`() async throws {
    let folder = try TemporaryFolder()
    let mark = folder["mark"]
    let program = try Self.program(": > '\(mark)'; exec sleep 600", in: folder)
    let cancelled = await Self.compare(program, isCancelled: { FileStatus(FilePath(mark)) != nil })
    #expect(cancelled.error?.code == .cancelled)
    let missing = await Self.compare(folder["none"])
    #expect(missing.error?.code == .unavailable && missing.error?.message.contains("'fovea'") == true)
  }
}
#endif
