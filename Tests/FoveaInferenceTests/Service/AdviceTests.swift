// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaFormats
import FoveaHTTP
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
    Row(term: .layer, words: "--layer of 'fovea embed'"),
    Row(term: .raisedLimit("ImageLimits.maxDimension"), words: ""),
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

  @Test(arguments: rows) func `the error of one of several images has the words of that of a single one`(
    _ row: Row
  ) {
    let error = FoveaError(.optionInvalid, "the image is odd", remedy: "Give \(term: row.term)")
    let piece = InferenceCaller.Piece(image: "a", result: .failure(error))
    let line = JSONText.line { json in
      json.member("image", "a")
      json.member("error", error.refusal)
    }
    #expect(piece.json(masks: .rle) == line)
    #expect(line.contains(#""message": "The image is odd", "remedy": "Give \#(row.words)""#), "\(line)")
  }
}
#endif
