// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation
import FoveaFormats
import FoveaGeometry
import FoveaTesting
import Testing

@Suite struct MOTWriterTests {
  struct LineCase: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var box: BoundingBox
    var score: Double
    var places = 3
    var line: String
  }

  @Test(arguments: [
    LineCase(
      testDescription: "plain numbers", box: BoundingBox(x: 1, y: 2.5, width: 30, height: 40.25), score: 0.9,
      line: "7,2,1.000,2.500,30.000,40.250,0.900000,-1,-1,-1\n"),
    LineCase(
      testDescription: "below zero, rounded", box: BoundingBox(x: -0.0006, y: -12.3456, width: 1, height: 1),
      score: 1, line: "7,2,-0.001,-12.346,1.000,1.000,1.000000,-1,-1,-1\n"),
    LineCase(
      testDescription: "no minus before zero", box: BoundingBox(x: -0.0004, y: 0, width: 1, height: 1),
      score: 0, line: "7,2,0.000,0.000,1.000,1.000,0.000000,-1,-1,-1\n"),
    LineCase(
      testDescription: "whole pixels", box: BoundingBox(x: 1.5, y: 2.4, width: 30, height: 40), score: 0.6,
      places: 0, line: "7,2,2,2,30,40,1,-1,-1,-1\n"),
    LineCase(
      testDescription: "huge numbers", box: BoundingBox(minX: 1e13, minY: 0, maxX: 2e13, maxY: 1), score: 1,
      places: 1, line: "7,2,10000000000000.0,0.0,10000000000000.0,1.0,1.00,-1,-1,-1\n"),
  ])
  func `a line of results has ten columns`(_ test: LineCase) {
    let line = MOTWriter.line(
      frame: 7, identity: 2, box: test.box, score: test.score, places: test.places)
    #expect(line == test.line)
  }

  @Test func `written lines read back`() throws {
    var random = SeededGenerator(seed: 5)
    let frames = (0..<50).map { _ in
      (0..<random.below(5)).map { identity in
        TrackAnnotation(
          identity: identity,
          box: BoundingBox(
            x: Double(random.below(200_000)) / 8 - 1000, y: Double(random.below(8000)) / 8,
            width: Double(1 + random.below(800)) / 8, height: Double(1 + random.below(800)) / 8),
          score: Double(random.below(2)), classID: 1 + random.below(13),
          visibility: Double(random.below(65)) / 64)
      }
    }
    let tracks = TrackFrames(frames)
    let results = try MOTReader(.results).read(text: Array(MOTWriter.results(tracks).utf8), name: "r")
    #expect(results.frames == tracks.frames)
    #expect(results.annotations.map(\.box) == tracks.annotations.map(\.box))
    #expect(results.annotations.map(\.identity) == tracks.annotations.map(\.identity))
    let truth = try MOTReader(.groundTruth, minimumColumns: 9).read(
      text: Array(MOTWriter.groundTruth(tracks).utf8), name: "t")
    #expect(truth.annotations == tracks.annotations)
  }
}
