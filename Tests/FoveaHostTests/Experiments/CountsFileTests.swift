// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct CountsFileTests {
  private static let counts =
    #""planned": 10000, "kind": "conversion", "weights": [50, 50], "looks": [{"units": [5, 6], "sum": [1, 2]}]"#

  @Test func `counts without a level and squares are read`() throws {
    let read = try HostAnswer.Report.Counts.read(Array("{\"name\": \"first\", \(Self.counts)}".utf8)).metric
    #expect(read.alpha == 0.05 && read.planned == 10_000 && read.weights == [50, 50])
    #expect(
      read.looks.first?.arms.map(\.units) == [5, 6] && read.looks.first?.arms.map(\.squares) == [1, 2])
  }

  @Test(arguments: [
    (#"{"alhpa": 0.01, "# + counts + "}", "it has no member 'alhpa'; did you mean 'alpha'?"),
    (
      "{" + counts + #", "note": "x"}"#,
      "it has no member 'note'; known names: alpha, planned, kind, weights, looks"
    ),
    (
      "{" + counts.replacing(#""sum": [1, 2]"#, with: #""sum": [1, 2], "wieghts": [1, 3]"#) + "}",
      "'looks[0]' has no member 'wieghts'; did you mean 'weights'?"
    ),
    ("{" + counts + #", "kind": "mean"}"#, "occurs twice"), ("{" + counts, "it is not JSON: "),
    ("{" + counts.replacing("10000", with: "true") + "}", "'planned': "), ("[]", "expected an object"),
    ("{}", "planned"), ("", "it is not JSON: "),
  ])
  func `a member that counts do not have is refused with the nearest`(text: String, message: String) {
    let error = #expect(throws: HostError.self) { try HostAnswer.Report.Counts.read(Array(text.utf8)) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
#endif
