// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Testing

@testable import FoveaInference

@Suite struct AdviceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var term: Advice.Term
    var words: String
    var testDescription: String { words }
  }

  static let rows = [
    Row(term: .option("family"), words: "'family' for the model in the file of --config"),
    Row(term: .option("family", "st-ssd"), words: "'family' for the model in the file of --config: 'st-ssd'"),
    Row(term: .option("labels"), words: "'labels' for the model in the file of --config"),
    Row(term: .option("normalize", "MEAN,STD"), words: "'normalize' for the model in the file of --config"),
    Row(
      term: .option("activation", "sigmoid"),
      words: "'activation' for the model in the file of --config: 'sigmoid'"),
    Row(term: .option("activation"), words: "'activation' for the model in the file of --config"),
    Row(term: .option("max-pixels"), words: "--max-pixels on the server"),
    Row(term: .labeler, words: "/v1/label, or a detector's 'classifier',"),
    Row(
      term: .option("background", "first"),
      words: "'background' for the model in the file of --config: 'first'"),
    Row(
      term: .option("background", "none"), words: "'background' for the model in the file of --config: 'none'"
    ),
  ]

  @Test(arguments: rows) func `advice names members that a model's configuration has`(_ row: Row) {
    let advice: Advice = "Give \(term: row.term)"
    #expect(advice.served == "Give \(row.words)" && advice.asked == advice.served)
    guard row.words.contains("in the file of --config") else { return }
    let member = row.words.split(separator: "'").first.map(String.init) ?? ""
    #expect(ServeFileReader.modelNames.contains(member), "\(member)")
  }
}
#endif
