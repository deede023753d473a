// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaFormats
import FoveaVideo
import Testing

@testable import FoveaInference

@Suite struct SourceShapesTests {
  private static var sources: [StreamEntry] {
    ["gate", "door"].map { StreamEntry(name: $0, source: .file($0 + ".mp4")) }
  }

  @Test func `lines, zones and dwells are added to their sources`() throws {
    var sources = Self.sources
    sources[0].settings.zones = [CountedShape(name: "lawn", points: [0, 0, 9, 0, 9, 9])]
    var shapes = SourceShapes()
    shapes.lines = ["door:step=0,200,640.5,-200"]
    shapes.zones = ["gate:drive=0,0,90,0,90,90", "door:mat=1,1,2,1,2,2"]
    shapes.dwells = ["gate:lawn=2.5", "gate:drive=15"]
    try shapes.add(to: &sources)
    #expect(sources[0].settings.zones.map(\.name) == ["lawn", "drive"])
    #expect(sources[0].settings.lines.isEmpty && sources[0].settings.dwells == ["lawn": 2.5, "drive": 15])
    #expect(sources[1].settings.lines == [CountedShape(name: "step", points: [0, 200, 640.5, -200])])
    #expect(sources[1].settings.zones == [CountedShape(name: "mat", points: [1, 1, 2, 1, 2, 2])])
    var same = sources
    try SourceShapes().add(to: &same)
    #expect(same == sources)
  }

  /// The setting of a source, and how often the detector runs with and without events.
  @Test(arguments: [(nil, 1, 2), (1, 1, 1), (2, 2, 2), (3, 3, 3)] as [(Int?, Int, Int)])
  func `the detector runs on every second frame of a source with events, unless it says otherwise`(
    _ every: Int?, _ plain: Int, _ withEvents: Int
  ) {
    var source = Self.sources[0]
    source.settings.every = every
    #expect(source.settings.trackerOptions.detectEvery == plain && !source.isAlways)
    source.watchForEvents()
    #expect(source.settings.trackerOptions.detectEvery == withEvents && source.isAlways)
  }

  @Test func `a source that blurs objects runs the detector on each frame`() {
    var source = Self.sources[0]
    source.settings.blur = ["face"]
    source.watchForEvents()
    source.setDefault(motion: .auto)
    #expect(source.settings.trackerOptions.detectEvery == 1 && source.settings.motion == .off)
  }

  /// The text of a zone, and the message.
  @Test(arguments: [
    ("gate", "The zone 'gate' is not of the form source:name=x1,y1,x2,y2,x3,y3"),
    ("", "The zone '' is not of the form"), ("gate:a=", "The zone 'gate:a=' is not of the form"),
    ("gate=0,0,9,0,9,9", "The zone 'gate=0,0,9,0,9,9' is not of the form"),
    ("gate:a=0,0,nan,0,9,9", "The zone 'gate:a=0,0,nan,0,9,9' is not of the form"),
    ("gat:a=0,0,9,0,9,9", "There is no source 'gat' for the zone 'gat:a=0,0,9,0,9,9'"),
    ("gate:=0,0,9,0,9,9", "The source 'gate': The name '' of a zone is not 1 to 64 letters"),
    ("gate:a/b=0,0,9,0,9,9", "The source 'gate': The name 'a/b' of a zone is not 1 to 64 letters"),
    ("gate:a=0,0,9,0", "The source 'gate': 'zones' must each have three or more points"),
    ("gate:a=0,0,9,0,9", "The source 'gate': 'zones' must each have three or more points"),
    ("gate:a=1,2,3,4,5,6", "The source 'gate': The zone"),
  ])
  func `a zone of another form, or of no source, is an error`(_ text: String, _ part: String) {
    var sources = Self.sources
    var shapes = SourceShapes()
    shapes.zones = [text]
    let error = #expect(throws: FoveaError.self) { try shapes.add(to: &sources) }
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
    #expect(error?.code.rawValue == "option-invalid")
    guard part.contains("of the form") else { return }
    #expect(error?.remedy.description.contains("such as gate:drive=100,200,500,200,500,350") == true)
  }

  @Test(arguments: [
    ("gate:a=5", "There is a dwell for 'a', but no such zone"),
    ("gate:a=1,2", "The dwell 'gate:a=1,2' is not"), ("gate:a=x", "source:name=seconds"),
  ])
  func `a dwell needs its zone and one number`(_ text: String, _ part: String) {
    var sources = Self.sources
    var shapes = SourceShapes()
    shapes.dwells = [text]
    let error = #expect(throws: FoveaError.self) { try shapes.add(to: &sources) }
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
  }
}
#endif
