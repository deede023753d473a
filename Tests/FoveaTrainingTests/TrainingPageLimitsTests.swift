// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@testable import FoveaTraining

/// The limits of a page about labelled photos, for any number of photos and labels.
@Suite struct TrainingPageLimitsTests {
  private static func photo(_ number: Int, _ label: Int = 0, isTest: Bool = false) -> TrainingSet.Photo {
    TrainingSet.Photo(path: "/p/\(number).jpg", name: "\(number).jpg", labels: [label], isTest: isTest)
  }

  private static func suspects(_ count: Int) -> [(photo: TrainingSet.Photo, issue: LabelIssue)] {
    (0..<count).map { number in
      let issue = LabelIssue(row: number, given: 0, likelier: 1, ratio: 11, probability: 0.5)
      return (photo: photo(number), issue: issue)
    }
  }

  /// Two photos of each group, alternately in one class, in training and test, and in two classes.
  private static func groups(_ count: Int) -> [[TrainingSet.Photo]] {
    (0..<count).map { number in
      [photo(number), photo(number, number % 3 == 2 ? 1 : 0, isTest: number % 3 == 1)]
    }
  }

  private static func thumbnail(_ byteCount: Int) -> Thumbnail {
    Thumbnail(jpeg: [UInt8](repeating: 7, count: byteCount), size: PixelSize(width: 1, height: 1))
  }

  private static func texts(_ list: JSONValue?, _ name: String) -> [String] {
    (list?.elements ?? []).map { $0[name]?.text ?? "no text" }
  }

  private static func data(_ members: (inout JSONText) -> Void) throws -> JSONValue {
    try JSONValue(Array(JSONText.text(members).utf8), name: "the data")
  }

  @Test(arguments: [0, 1, 120, 121, 1_000, 1_001, 2_000])
  func `1,000 suspects are listed, the first 120 with a thumbnail, and the others counted`(
    _ count: Int
  ) throws {
    let data = try Self.data { json in
      json.member(suspects: Self.suspects(count), ["a", "b"]) { _ in Self.thumbnail(3) }
    }
    let listed = try #require(data["suspects"]?.elements)
    #expect(Self.texts(data["suspects"], "photo") == (0..<min(count, 1_000)).map { "\($0).jpg" })
    #expect(listed.count { $0["image"] != .null } == min(count, 120))
    #expect(data["suspectsLeftOut"]?.digits == "\(max(0, count - 1_000))")
    #expect(data["suspectsExpected"]?.digits == "\((count + 1) / 2)")
  }

  @Test(arguments: [
    (0, [0, 0, 0]), (3, [0, 0, 0]), (500, [0, 0, 0]), (501, [0, 0, 1]), (900, [0, 100, 300]),
    (1_800, [100, 600, 600]),
  ])
  func `500 groups of the same photo are listed, the most harmful first, and the others counted`(
    _ count: Int, _ leftOut: [Int]
  ) throws {
    let data = try Self.data { json in
      json.member(samePhotos: Self.groups(count), ["a", "b"]) { _ in nil }
    }
    let listed = try #require(data["samePhotos"]?.elements)
    let ranked = [2, 1, 0].flatMap { kind in (0..<count).filter { $0 % 3 == kind } }
    #expect(
      listed.map { $0.elements?.first?["photo"]?.text ?? "no text" } == ranked.prefix(500).map { "\($0).jpg" }
    )
    #expect(data["samePhotosLeftOut"]?.elements?.compactMap(\.digits) == leftOut.map { "\($0)" })
  }

  @Test(arguments: [0, 1, 60, 61, 100])
  func `the first 60 mistakes are listed, and only these get a thumbnail`(
    _ count: Int
  ) throws {
    let mistakes: [(photo: TrainingSet.Photo, given: Int, answered: Int?, score: Double)] = (0..<count).map {
      (photo: Self.photo($0), given: 0, answered: nil, score: 0.5)
    }
    var asked = 0
    let data = try Self.data { json in
      json.member(mistakes: mistakes, ["a"]) { _ in
        asked += 1
        return nil
      }
    }
    #expect(Self.texts(data["mistakes"], "photo") == (0..<min(count, 60)).map { "\($0).jpg" })
    #expect(asked == min(count, 60))
  }

  @Test func `12 photos of a group have a thumbnail, and all have their names`() throws {
    let data = try Self.data { json in
      json.member(samePhotos: [(0..<20).map { Self.photo($0) }], ["a"]) { _ in Self.thumbnail(3) }
    }
    let group = try #require(data["samePhotos"]?.elements?.first?.elements)
    #expect(group.map { $0["image"] == .null } == (0..<20).map { $0 >= 12 })
  }

  @Test func `a long label is cut, and differs from each other one`() {
    let whole = ["", "cat", String(repeating: "\u{E9}", count: 200)]
    #expect(JSONText.pageLabels(whole) == whole)
    let start = String(repeating: "a", count: 200)
    #expect(
      JSONText.pageLabels([start + "a", start, start + start]) == [start + "… 0", start, start + "… 2"])
    // One character to people, and 201 of Unicode.
    let marked = "e" + String(repeating: "\u{301}", count: 199)
    #expect(JSONText.pageLabels([marked + "\u{301}"]) == [marked + "… 0"])
  }

  @Test func `a page shortens a long label in the same way everywhere, and the printed JSON has it whole`()
    throws
  {
    let labels = ["a", "b"].map { String(repeating: "\u{202E}<", count: 5_000) + $0 }
    let photos = try PredictedPhotos(["1.jpg", "2.jpg"])
    try photos.folder.write("set.csv", "set/1.jpg,\(labels[0])\nset/2.jpg,\(labels[1])\n")
    let lines = ["set/1.jpg", "set/2.jpg"].map {
      PredictedPhotos.line($0, [(labels[0], 0.9), (labels[1], 0.1)])
    }
    let evaluated = try photos.evaluated(lines, set: TrainingSet(csv: photos.folder["set.csv"]))
    let parts = try TrainingPageTests.page(of: evaluated)
    let cut = JSONText.pageLabels(labels)
    #expect(Self.texts(parts.data["classes"], "label") == cut)
    #expect(Self.texts(parts.data["confusion"], "label") == cut)
    #expect(Self.texts(parts.data["confusion"], "answer") == [cut[0], cut[0]])
    #expect(Self.texts(parts.data["mistakes"], "label") == [cut[1]])
    #expect(Self.texts(parts.data["mistakes"], "answer") == [cut[0]])
    let printed = try JSONValue(Array(evaluated.jsonLine.utf8), name: "JSON")
    #expect(Self.texts(printed["classes"], "label") == labels)
    let short = try TrainingPageTests.page(
      of: PredictedPhotos().evaluated(LabelEvaluationTests.right))
    #expect(parts.page.utf8.count < short.page.utf8.count + 20_000)
  }

  @Test func `a page of 1,000 labels of 10,000 characters and many photos stays below 20 MB`() {
    let long = String(repeating: "\u{202E}<", count: 5_000)
    let labels = JSONText.pageLabels((0..<1_000).map { "\($0)\(long)" })
    let mistakes: [(photo: TrainingSet.Photo, given: Int, answered: Int?, score: Double)] = (0..<100).map {
      (photo: Self.photo($0), given: $0, answered: $0 + 1, score: 0.5)
    }
    let groups = Self.groups(1_000).map { $0 + $0 + $0 + $0 + $0 + $0 }
    // As many as the program returns.
    var left = 300
    func thumbnail(_ photo: TrainingSet.Photo) -> Thumbnail? {
      left -= 1
      return left < 0 ? nil : Self.thumbnail(12_000)
    }
    let page = TrainingPage(title: "t", settings: [], command: "fovea train labels set").bytes { json in
      json.member("labels", labels)
      json.member(mistakes: mistakes, labels, thumbnail)
      json.member(suspects: Self.suspects(2_000), labels, thumbnail)
      json.member(samePhotos: groups, labels, thumbnail)
    }
    #expect(left < 0)
    #expect(page.count < 20_000_000)
  }
}
