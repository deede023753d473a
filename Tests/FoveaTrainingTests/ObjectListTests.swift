// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct ObjectListTests {
  /// The set of a text; the images a.png, b.png and c/d.png exist.
  static func set(
    _ text: String, images: String? = nil, prefixes: [String: String] = [:]
  ) throws -> ObjectSet {
    let folder = try TemporaryFolder()
    for name in ["a.png", "b.png", "c/d.png"] { try folder.write(name, "") }
    try folder.write("boxes.csv", text)
    return try ObjectSet(
      csv: folder["boxes.csv"], images: images.map { folder[$0] },
      prefixes: prefixes.mapValues { folder[$0] })
  }

  /// Lines, and the boxes they define.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    /// Image, class and edges of each box.
    var boxes: [String] = []
    var tests: [Bool] = [false]
    var problem = ""
    var testDescription: String { name }
  }

  static let good = [
    Row(
      name: "two corners", text: "TRAIN,a.png,cup,0.1,0.2,,,0.3,0.4,,\n", boxes: ["a.png cup 0.1 0.2 0.3 0.4"]
    ),
    Row(
      name: "four corners", text: "TRAIN,a.png,cup,0.1,0.2,0.3,0.2,0.3,0.4,0.1,0.4\n",
      boxes: ["a.png cup 0.1 0.2 0.3 0.4"]),
    Row(name: "no end", text: "TRAIN,a.png,cup,.1,.2,,,.3,.4", boxes: ["a.png cup 0.1 0.2 0.3 0.4"]),
    Row(name: "no set", text: "a.png,cup,0,0,,,1,1,,\n", boxes: ["a.png cup 0.0 0.0 1.0 1.0"]),
    Row(name: "an empty set", text: ",a.png,cup,0,0,,,1,1,,\n", boxes: ["a.png cup 0.0 0.0 1.0 1.0"]),
    Row(
      name: "sets", text: "TEST,a.png,cup,0,0,,,1,1,,\nVALIDATION,b.png,cup,0,0,,,1,1,,",
      boxes: ["a.png cup 0.0 0.0 1.0 1.0", "b.png cup 0.0 0.0 1.0 1.0"], tests: [true, false]),
    Row(
      name: "sets that learn alike", text: "UNASSIGNED,a.png,cup,0,0,,,1,1,,\nTRAINING,a.png,pan,0,0,,,1,1,,",
      boxes: ["a.png cup 0.0 0.0 1.0 1.0", "a.png pan 0.0 0.0 1.0 1.0"]),
    Row(
      name: "an image without objects", text: "TRAIN,a.png,cup,0,0,,,1,1,,\nTEST,b.png,,,,,,,,,\n",
      boxes: ["a.png cup 0.0 0.0 1.0 1.0"], tests: [false, true]),
    Row(
      name: "boxes of nothing", text: "TRAIN,a.png,cup,0,0,,,1,1,,\nTRAIN,b.png,Other,0,0,,,1,1,,\n",
      boxes: ["a.png cup 0.0 0.0 1.0 1.0"], tests: [false, false]),
    Row(
      name: "a label with a comma, spaces, CR LF and a byte order mark",
      text: "\u{FEFF}TRAIN, a.png ,\"cup, big\",0,0,,,1,1,,\r\n\r\n",
      boxes: ["a.png cup, big 0.0 0.0 1.0 1.0"]),
  ]

  @Test(arguments: good) func `a line is a box in fractions of its image`(_ row: Row) throws {
    let set = try Self.set(row.text)
    let boxes = set.images.flatMap { image in
      image.objects.map { object in
        "\(image.name) \(set.classes[object.label]) \(object.box.minX) \(object.box.minY) "
          + "\(object.box.maxX) \(object.box.maxY)"
      }
    }
    #expect(boxes == row.boxes)
    #expect(set.images.map(\.isTest) == row.tests)
    #expect(set.images.allSatisfy { $0.isInFractions && $0.crowds.isEmpty } && set.notes.isEmpty)
  }

  static let bad = [
    Row(name: "nothing", text: "", problem: "it has no boxes"),
    Row(name: "images alone", text: "TRAIN,a.png,,,,,,,,,", problem: "it has no boxes"),
    Row(name: "a label alone", text: "TRAIN,a.png,cup", problem: "line 1: a label without a box"),
    Row(name: "a box alone", text: "TRAIN,a.png,,0,0,,,1,1,,", problem: "line 1: a box without a label"),
    Row(name: "no path", text: "TRAIN,,cup,0,0,,,1,1,,", problem: "line 1: no path"),
    Row(
      name: "an unknown set", text: "LEARN,a.png,cup,0,0,,,1,1,,",
      problem: "line 1: 'LEARN' is not a set: TRAIN, VALIDATION, TEST or UNASSIGNED"),
    Row(
      name: "pixels", text: "TRAIN,a.png,cup,0,0,,,1,1,,\nTRAIN,a.png,cup,12,0,,,90,1,,",
      problem: "line 2: '12' is not a fraction of the image's side from 0 to 1"),
    Row(
      name: "a negative number", text: "a.png,cup,-0.1,0,,,1,1,,", problem: "line 1: '-0.1' is not a fraction"
    ),
    Row(name: "no number", text: "a.png,cup,nan,0,,,1,1,,", problem: "line 1: 'nan' is not a fraction"),
    Row(name: "a word", text: "a.png,cup,left,0,,,1,1,,", problem: "line 1: 'left' is not a fraction"),
    Row(
      name: "half a corner", text: "a.png,cup,0.1,0,,,1,,,", problem: "line 1: a corner with only x or only y"
    ),
    Row(name: "one corner", text: "a.png,cup,0.1,0,,,,,,", problem: "line 1: a box with 1 corners"),
    Row(name: "three corners", text: "a.png,cup,0,0,1,0,1,1,,", problem: "line 1: a box with 3 corners"),
    Row(
      name: "corners exchanged", text: "a.png,cup,0.5,0,,,0.25,1,,",
      problem: "line 1: x_max 0.25 is less than x_min 0.5"),
    Row(
      name: "upside down", text: "a.png,cup,0,0.5,,,1,0.25,,",
      problem: "line 1: y_max 0.25 is less than y_min 0.5"),
    Row(
      name: "a column more", text: "TRAIN,a.png,cup,0,0,,,1,1,,,",
      problem: "line 1: 12 columns instead of at most 11"),
    Row(name: "no file", text: "TRAIN,x.png,cup,0,0,,,1,1,,", problem: "line 1: there is no file"),
    Row(
      name: "an address", text: "TRAIN,gs://bucket/a.png,cup,0,0,,,1,1,,",
      problem: "set a prefix gs://bucket/=folder/"),
    Row(
      name: "an image in two sets", text: "TRAIN,a.png,cup,0,0,,,1,1,,\nTEST,a.png,cup,0,0,,,1,1,,",
      problem: "line 2: 'a.png' is a test image here but not in line 1"),
    Row(
      name: "labels that differ in case", text: "a.png,cup,0,0,,,1,1,,\nb.png,Cup,0,0,,,1,1,,",
      problem: "differ only in case"),
    Row(
      name: "many wrong lines", text: (1...12).map { "x\($0).png,cup,0,0,,,1,1,,\n" }.joined(),
      problem: "; and 2 more lines"),
  ]

  @Test(arguments: bad) func `a wrong line is an error with its number`(_ row: Row) {
    let error = #expect(throws: FoveaError.self) { try Self.set(row.text) }
    #expect(error?.code.rawValue == "training-set-invalid")
    #expect(error?.message.contains(row.problem) == true, "\(error?.message ?? "")")
    let isOfPath = ["no file", "an address", "many wrong lines"].contains(row.name)
    if isOfPath {
      let prefixes = row.name == "an address" ? "; or set the prefixes of addresses with 'prefixes'" : ""
      #expect(
        error?.remedy.description
          == "Name the folder with the images, at any depth, with 'images'" + prefixes)
      #expect(error?.remedy.text(\.program).contains("with --path-prefix") == !prefixes.isEmpty)
    } else {
      #expect(error?.remedy.description.contains("TRAIN,path,label") == true || row.name.hasPrefix("labels"))
    }
  }

  @Test(arguments: [
    "/home/o/c/d.png", #"C:\data\c\d.png"#, "gs://bucket/x/d.png", "../x/d.png", "x/d.png",
  ])
  func `another machine's path is found by its name below the given folder, with a note`(
    _ path: String
  ) throws {
    let set = try Self.set(
      "TRAIN,\(path),cup,0,0,,,1,1,,\nTRAIN,\(path),cup,0,0,,,.5,.5,,\nTRAIN,a.png,cup,0,0,,,1,1,,",
      images: "")
    #expect(set.images.count { $0.path.hasSuffix("/c/d.png") } == 1 && set.objectCount == 3)
    #expect(set.notes == ["1 image is not at the listed path, but found by name"])
  }

  @Test func `another machine's paths that match one file, several or none are named`() throws {
    let folder = try TemporaryFolder()
    for name in ["x/a.png", "y/a.png", "b.png"] { try folder.write("photos/" + name, "") }
    let photos = folder["photos"]
    let wrong =
      "Write a line TRAIN,path,label,x_min,y_min,,,x_max,y_max,, for each box, in fractions of the image"
    let none = "Put the images into the folder of 'images', or name another folder that has them at any depth"
    let own = "Give each image its own path, relative to the folder of 'images'"
    let line = ",cup,0,0,,,1,1,,\n"
    for (text, problem, remedy) in [
      (
        "/d/a.png" + line, "line 1: '/d/a.png' may be any of 'x/a.png', 'y/a.png' in '\(photos)'",
        "Give each image a path that is relative to the folder of 'images'"
      ),
      (
        "gs://d/c.png" + line,
        "line 1: 'gs://d/c.png' is an address, but nothing is downloaded: set a prefix gs://d/=folder/, "
          + "as no file below '\(photos)' has its name",
        none + "; or set the prefixes of addresses with 'prefixes'"
      ),
      ("/d/a.png" + line + "/d/c.png" + line, "line 2: there is no file '/d/c.png'", own),
      (
        "/d/c.png" + line,
        "line 1: there is no file '/d/c.png', and no other file below '\(photos)' has its name",
        none
      ),
      (
        "b.png" + line + "/d/b.png" + line,
        "line 2: '/d/b.png' and 'b.png' in line 1 are the same file, '\(photos)/b.png'", own
      ),
      (
        "/e/b.png" + line + "/d/b.png" + line,
        "line 2: '/d/b.png' and '/e/b.png' in line 1 are the same file, '\(photos)/b.png'", own
      ),
      ("/d/c.png,cup,0,0,,,9,1,,\n", "line 1: '9' is not a fraction", wrong),
    ] as [(String, String, String)] {
      try folder.write("boxes.csv", text)
      let error = #expect(throws: FoveaError.self) {
        try ObjectSet(csv: folder["boxes.csv"], images: photos)
      }
      #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
      #expect(error?.remedy.description == remedy)
    }
  }

  @Test func `a path without its own file is named once, and not for each of its boxes`() throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/b.png", "")
    let paths = ["/d/b.png"] + Array(repeating: "/e/b.png", count: 12) + ["/d/c.png", "/d/c.png"]
    try folder.write("boxes.csv", paths.map { $0 + ",cup,0,0,,,1,1,,\n" }.joined())
    let error = #expect(throws: FoveaError.self) {
      try ObjectSet(csv: folder["boxes.csv"], images: folder["photos"])
    }
    let message = error?.message ?? ""
    #expect(message.contains("line 2: ") && message.contains("line 14: "), "\(message)")
    #expect(!message.contains("line 3: ") && !message.contains("line 15: "), "\(message)")
  }

  @Test func `paths are below the given folder, or the folder of a prefix`() throws {
    let line = "TRAIN,d.png,cup,0,0,,,1,1,,"
    #expect(try Self.set(line, images: "c").images[0].path.hasSuffix("c/d.png"))
    let address = "TRAIN,gs://bucket/d.png,cup,0,0,,,1,1,,"
    #expect(try Self.set(address, prefixes: ["gs://bucket/": "c/"]).images[0].path.hasSuffix("c/d.png"))
    #expect(throws: FoveaError.self) { try Self.set(line) }
  }

  @Test func `boxes without an area are left out, with a note`() throws {
    let set = try Self.set("a.png,cup,0,0,,,1,1,,\na.png,cup,0.5,0,,,0.5,1,,\n")
    #expect(set.objectCount == 1)
    #expect(set.notes == ["1 box has no area and is left out"])
  }

  @Test func `fractions become pixels of the image, and the number of an object is its line`() throws {
    let set = try Self.set("\na.png,cup,0.1,0.25,,,0.5,0.75,,\n")
    let boxed = BoxedImage(
      set.images[0], FoundBoxes(size: PixelSize(width: 200, height: 100), boxes: []))
    #expect(boxed.objects.map(\.box) == [BoundingBox(minX: 20, minY: 25, maxX: 100, maxY: 75)])
    #expect(boxed.objects.map(\.id) == [2])
  }
}
