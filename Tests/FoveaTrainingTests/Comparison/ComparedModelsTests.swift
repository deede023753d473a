// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import Testing

@testable import FoveaTraining

@Suite struct ComparedModelsTests {
  static func boxes(_ first: Int, _ second: Int) -> Agreement {
    .boxes(
      BoxAgreement(
        of: [(0..<first).map { BoxAgreementTests.object(Double($0) * 20) }],
        and: [(0..<second).map { BoxAgreementTests.object(Double($0) * 20) }]))
  }

  static func compared(
    _ agreement: Agreement, accuracy: ComparedModels.Accuracy? = nil, photos: Int = 100
  ) -> ComparedModels {
    ComparedModels(
      task: .detection, threshold: 0.3, answers: agreement, accuracy: accuracy,
      times: TurnTimer.Times(first: .microseconds(19_500), second: .microseconds(5_070)),
      byteCounts: (3_900_000, 950), photoCount: photos, failed: [])
  }

  static func precision(_ first: Double?, _ second: Double?, photos: Int = 150) -> ComparedModels.Accuracy {
    ComparedModels.Accuracy(kind: .averagePrecision, first: first, second: second, photoCount: photos)
  }

  @Test func `the text has the figures of both models`() {
    let compared = Self.compared(Self.boxes(11, 10), accuracy: Self.precision(0.3157, 0.3083))
    #expect(
      compared.text == """
        100 photos
        agreement    95.2 % of boxes at 0.3 (same class, overlap 0.5): 10 of 11 and 10; mean overlap 1.00
        AP           0.316 -> 0.308 (0.98; 150 photos with ground truth)
        CPU per run  19.5 -> 5.07 ms (0.26), one thread
        size         3.9 MB -> 950 bytes

        """)
    #expect(compared.notes.isEmpty)
  }

  @Test func `the JSON has all figures, and null for those that are not defined`() throws {
    let text = Self.compared(Self.boxes(0, 0), accuracy: Self.precision(0, 0.5)).jsonLine(
      first: "a", second: "b")
    #expect(
      text == #"{"schema": "compare/1", "first": "a", "second": "b", "task": "detection", "#
        + #""agreement": {"value": null, "measure": "f1", "threshold": 0.3, "overlap": 0.5, "matched": 0, "#
        + #""first": 0, "second": 0, "meanOverlap": null}, "#
        + #""accuracy": {"measure": "ap", "first": 0.0, "second": 0.5, "ratio": null, "photos": 150}, "#
        + #""cpu": {"firstMilliseconds": 19.5, "secondMilliseconds": 5.07, "ratio": 0.26}, "#
        + #""bytes": {"first": 3900000, "second": 950}, "photos": {"compared": 100, "failed": 0}}"# + "\n")
  }

  @Test(
    arguments: [
      (boxes(1, 1), 1, nil, nil, nil), (boxes(11, 10), 0.95, nil, nil, nil),
      (
        boxes(11, 10), 0.96, nil, nil,
        "'b' agrees with the first model in 95.2 % of boxes, and 96 % are wanted"
      ),
      (boxes(0, 0), 0, nil, nil, nil),
      (
        boxes(0, 0), 0.1, nil, nil,
        "'b' cannot be judged, and 10 % are wanted: neither model finds a box with a score of 0.3 or more"
      ),
      (boxes(1, 1), 0.9, precision(0.5, 0.49), 0.97, nil),
      (
        boxes(1, 1), 0.9, precision(0.5, 0.48), 0.97,
        "The AP of 'b' is 96 % of the first model's (0.500 -> 0.480), and 97 % are wanted"
      ),
      (
        boxes(1, 1), 0.9, precision(0, 0.5), 0.97,
        "The AP of 'b' is not comparable with the first model's (0.000 -> 0.500), and 97 % are wanted"
      ),
    ] as [(Agreement, Double, ComparedModels.Accuracy?, Double?, String?)])
  func `a model that disagrees is refused with both figures`(
    _ agreement: Agreement, _ least: Double, _ accuracy: ComparedModels.Accuracy?, _ ratio: Double?,
    _ message: String?
  ) {
    let refusal = Self.compared(agreement, accuracy: accuracy).refusal(of: "b", atLeast: least, ratio)
    #expect(refusal?.message == message)
    if let refusal { #expect(refusal.code == FoveaCode.agreementTooLow) }
  }

  private static func unreadable(_ names: [String], of count: Int) -> UnreadablePhotos {
    let error = FoveaError(.calibrationEmpty, "It is text", remedy: "Give a photo")
    return UnreadablePhotos(names.map { ComparedModels.Failed(name: $0, error: error) }, of: count)
  }

  @Test(
    arguments: [
      ([], 6, nil, nil),
      (["a"], 1, "The photo 'a' cannot be read: It is text", nil),
      (["a"], 6, "1 of 6 photos cannot be read, first 'a': It is text", nil),
      (
        ["a", "b"], 2, "None of the 2 photos can be read, first 'a': It is text; also 'b'",
        "None of the 2 photos can be read, first 'a': It is text; also 'b'"
      ),
      (
        ["a", "b", "c"], 4, "3 of 4 photos cannot be read, first 'a': It is text; also 'b', 'c'",
        "3 of 4 photos cannot be read, first 'a': It is text; also 'b', 'c'"
      ),
      (
        (0..<1_006).map { "\($0)" }, 1_030,
        "1,006 of 1,030 photos cannot be read, first '0': It is text; also '1', '2' and 1,003 more",
        "1,006 of 1,030 photos cannot be read, first '0': It is text; also '1', '2' and 1,003 more"
      ),
    ] as [([String], Int, String?, String?)])
  func `photos that cannot be read are counted, and the first are named`(
    _ names: [String], _ count: Int, _ message: String?, _ summary: String?
  ) {
    let photos = Self.unreadable(names, of: count)
    #expect(photos.error?.message == message)
    #expect(photos.summary?.message == summary)
  }

  @Test(arguments: [ComparedTask.detection, .labeling, .segmentation, .embedding], [0, 0.9])
  func `a comparison without a readable photo is refused for its photos, whatever is wanted`(
    _ task: ComparedTask, _ least: Double
  ) {
    let refusal = Self.compared(Agreement(task), photos: 0).refusal(
      of: "b", atLeast: least, nil, Self.unreadable(["a", "b"], of: 2))
    #expect(refusal?.code == .calibrationEmpty)
    #expect(refusal?.message.hasPrefix("None of the 2 photos can be read, first 'a'") == true)
  }

  @Test func `the refusal of a model counts the photos that could not be read`() {
    let refusal = Self.compared(Self.boxes(11, 10)).refusal(
      of: "b", atLeast: 0.96, nil, Self.unreadable(["a", "b"], of: 102))
    #expect(
      refusal?.message
        == "'b' agrees with the first model in 95.2 % of boxes, and 96 % are wanted; 2 of 102 photos cannot be read"
    )
    let nothing = Self.compared(Self.boxes(0, 0)).refusal(
      of: "b", atLeast: 0.1, nil, Self.unreadable(["a"], of: 101))
    #expect(nothing?.message.hasSuffix("score of 0.3 or more; 1 of 101 photos cannot be read") == true)
  }

  @Test(arguments: [(0, 50, 0), (1, 50, 1), (19, 49, 2), (20, 49, 1), (20, 50, 0)])
  func `figures of few photos are said to be rough`(_ photos: Int, _ withTruth: Int, _ count: Int) {
    let accuracy = Self.precision(0.5, 0.5, photos: withTruth)
    #expect(Self.compared(Self.boxes(1, 1), accuracy: accuracy, photos: photos).notes.count == count)
  }

  @Test func `classes without ground truth are counted, with the first names`() {
    var compared = Self.compared(Self.boxes(1, 1), accuracy: Self.precision(0.5, 0.5, photos: 50), photos: 50)
    #expect(compared.notes.isEmpty)
    compared.unlisted = .init(names: ["aeroplane", "diningtable", "motorbike", "sofa"], count: 80)
    #expect(
      compared.notes == [
        "the ground truth lists 76 of the 80 classes, not 'aeroplane', 'diningtable', 'motorbike' and 1 more, whose "
          + "boxes do not count; if it has other names for them, the AP is too low: give a label file with its "
          + "names"
      ])
  }

  @Test(arguments: [(0.9, "90 %"), (0.9996, "99.9 %"), (1, "100 %"), (0, "0 %"), (0.7129, "71.2 %")])
  func `a share below 1 is not shown as 100 %`(_ share: Double, _ text: String) {
    #expect(ComparedModels.percent(share) == text)
  }
}
