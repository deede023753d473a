// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaTesting
import FoveaTraining
import Testing

@Suite struct ObjectSetTests {
  static func instances(
    images: String = #"{"id":1,"file_name":"a.png"},{"id":2,"file_name":"b.png"}"#,
    annotations: String = #"{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,9,9]}"#,
    categories: String = #"{"id":1,"name":"cup"}"#
  ) -> String {
    #"{"images":[\#(images)],"annotations":[\#(annotations)],"categories":[\#(categories)]}"#
  }

  static func set(_ text: String) throws -> ObjectSet {
    let folder = try TemporaryFolder()
    try folder.write("a.png", "")
    try folder.write("b.png", "")
    try folder.write("instances.json", text)
    return try ObjectSet(instances: folder["instances.json"], images: folder.path)
  }

  /// Files without anything to learn.
  struct Bad: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var code: String
    var problem: String
    var testDescription: String { name }
  }

  static let bad = [
    Bad(name: "an empty object", text: "{}", code: "evaluation-invalid-ground-truth", problem: "0 images"),
    Bad(name: "an empty file", text: "", code: "evaluation-not-json", problem: ""),
    Bad(
      name: "no boxes", text: instances(annotations: ""), code: "training-set-invalid",
      problem: "it has no boxes"),
    Bad(
      name: "a crowd only",
      text: instances(
        annotations: #"{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,9,9],"iscrowd":1}"#),
      code: "training-set-invalid", problem: "it has no boxes"),
    Bad(
      name: "boxes without an area",
      text: instances(annotations: #"{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,0,9]}"#),
      code: "training-set-invalid", problem: "it has no boxes"),
    Bad(
      name: "boxes of nothing", text: instances(categories: #"{"id":1,"name":"Background"}"#),
      code: "training-set-invalid", problem: "it has no boxes"),
    Bad(
      name: "a negative width",
      text: instances(annotations: #"{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,-9,9]}"#),
      code: "evaluation-invalid-ground-truth", problem: "negative width"),
    Bad(
      name: "a box that is no number",
      text: instances(annotations: #"{"id":1,"image_id":1,"category_id":1,"bbox":[0,0,NaN,9]}"#),
      code: "evaluation-not-json", problem: ""),
    Bad(
      name: "an unknown category",
      text: instances(annotations: #"{"id":7,"image_id":1,"category_id":9,"bbox":[0,0,9,9]}"#),
      code: "training-set-invalid", problem: "annotation 7 has the category 9, which is not listed"),
    Bad(
      name: "an unknown image",
      text: instances(annotations: #"{"id":7,"image_id":9,"category_id":1,"bbox":[0,0,9,9]}"#),
      code: "training-set-invalid", problem: "annotation 7 is on the image 9, which is not listed"),
    Bad(
      name: "an image that is not there", text: instances(images: #"{"id":1,"file_name":"none.png"}"#),
      code: "training-set-invalid", problem: "none.png'"),
    Bad(
      name: "an image without a name", text: instances(images: #"{"id":1}"#), code: "training-set-invalid",
      problem: "image 1 has no file_name"),
    Bad(
      name: "an image that is listed twice",
      text: instances(images: #"{"id":1,"file_name":"a.png"},{"id":2,"file_name":"a.png"}"#),
      code: "training-set-invalid", problem: "'a.png' is listed twice, as image 1 and 2"),
    Bad(
      name: "two images of one file",
      text: instances(images: #"{"id":1,"file_name":"x/a.png"},{"id":2,"file_name":"y/a.png"}"#),
      code: "training-set-invalid",
      problem: "image 1, 'x/a.png', and image 2, 'y/a.png', are the same file, 'a.png'"),
    Bad(
      name: "a label of two lines", text: instances(categories: #"{"id":1,"name":"a\nb"}"#),
      code: "training-set-invalid", problem: "not a line of text"),
  ]

  @Test(arguments: bad) func `a file without anything to learn is an error`(_ test: Bad) throws {
    let error = #expect(throws: FoveaError.self) { try Self.set(test.text) }
    #expect(error?.code.rawValue == test.code)
    #expect(error?.message.contains(test.problem) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["../none.png", "/etc/passwd", "x/../../none.png", "..", "a.png\\n", "a\\u0000.png"])
  func `a name that leaves the folder is refused`(_ name: String) {
    let text = Self.instances(images: #"{"id":1,"file_name":"\#(name)"}"#)
    let error = #expect(throws: FoveaError.self) { try Self.set(text) }
    #expect(error?.message.contains("not a path below a folder") == true, "\(error?.message ?? "")")
  }

  @Test func `many missing images are counted`() {
    let images = (1...12).map { #"{"id":\#($0),"file_name":"\#($0).png"}"# }.joined(separator: ",")
    let error = #expect(throws: FoveaError.self) { try Self.set(Self.instances(images: images)) }
    #expect(error?.message.hasSuffix("; and 2 more") == true, "\(error?.message ?? "")")
  }

  /// A line of the results of an image.
  static func record(_ image: String) -> String {
    let box = #"{"x":0,"y":0,"width":9,"height":9}"#
    let label = #"{"text":"cup","index":0,"confidence":1}"#
    return #"{"image":"\#(image)","width":9,"height":9,"#
      + #""objects":[{"box":\#(box),"score":1,"labels":[\#(label)]}]}"# + "\n"
  }

  @Test(arguments: ["", "/"])
  func `results name images in subfolders of the given one`(_ end: String) throws {
    let folder = try TemporaryFolder()
    let records = try ["a/x.png", "b/x.png"].map { try Self.record(folder.write("photos/" + $0, "")) }
    try folder.write("results.jsonl", records.joined())
    let set = try ObjectSet(results: folder["results.jsonl"], images: folder["photos"] + end)
    #expect(set.imageCount == 2)
  }

  @Test func `boxes of upright photos are taken in stored pixels`() throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/a.png", "")
    let sides = #""width":16,"height":24,"orientation":"right","space":"upright","#
    let record = Self.record("a.png").replacing(
      #""width":9,"height":9,"objects""#, with: sides + #""objects""#)
    try folder.write("results.jsonl", record)
    let set = try ObjectSet(results: folder["results.jsonl"], images: folder["photos"])
    // Stored as 24 × 16 pixels: the upper left corner is the lower left one.
    #expect(set.images.flatMap(\.objects).map(\.box) == [BoundingBox(x: 0, y: 7, width: 9, height: 9)])
  }

  /// The images of results, the ones of a.png, train/a.png and val/a.png they match, and the number noted as
  /// moved.
  static let recorded: [([String], [String], Int)] = [
    (["a.png", "val/a.png"], ["a.png", "val/a.png"], 0), (["/data/val/a.png"], ["val/a.png"], 1),
    (["/data/train/a.png", "/data/val/a.png"], ["train/a.png", "val/a.png"], 2),
    (["/data/photos/a.png"], ["a.png"], 1), (["elsewhere/photos/a.png"], ["a.png"], 1),
    (["C:\\\\photos\\\\train\\\\a.png"], ["train/a.png"], 1),
  ]

  @Test(arguments: recorded)
  func `images in another machine's results are found by the longest common ending, with a note`(
    _ images: [String], _ places: [String], _ movedCount: Int
  ) throws {
    let folder = try TemporaryFolder()
    for file in ["a.png", "train/a.png", "val/a.png"] { try folder.write("photos/" + file, "") }
    try folder.write("results.jsonl", images.map { Self.record($0) }.joined())
    let set = try ObjectSet(results: folder["results.jsonl"], images: folder["photos"])
    #expect(set.images.map(\.name) == places)
    let moved = movedCount == 1 ? "1 image is" : "\(movedCount) images are"
    #expect(set.notes == (movedCount == 0 ? [] : ["\(moved) not at the listed path, but found by name"]))
  }

  @Test func `images in results that match several files are an error`() throws {
    let folder = try TemporaryFolder()
    for file in ["x/a.png", "y/a.png", "a.png"] { try folder.write("photos/" + file, "") }
    try folder.write("results.jsonl", Self.record("/data/a.png"))
    let photos = folder["photos"]
    let error = #expect(throws: FoveaError.self) {
      try ObjectSet(results: folder["results.jsonl"], images: photos)
    }
    let problem = "'/data/a.png' may be any of 'a.png', 'x/a.png', 'y/a.png' in '\(photos)'"
    #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
  }

  @Test func `another spelling of an image's path is not noted`() throws {
    let folder = try TemporaryFolder()
    try folder.write("photos/a.png", "")
    try folder.write("results.jsonl", Self.record(folder["photos/../photos/a.png"]))
    let set = try ObjectSet(results: folder["results.jsonl"], images: folder["photos"] + "/.")
    #expect(set.images.map(\.name) == ["a.png"] && set.notes == [])
  }

  /// Paths outside the folder, the files below it, and the one that each path matches.
  static let moved: [(String, [String], String)] = [
    ("/data/up/a.png", ["a.png"], "a.png"), ("/data/up/a.png", ["x/y/a.png", "b.png"], "x/y/a.png"),
    ("C:\\\\Users\\\\me\\\\a.png", ["x/a.png"], "x/a.png"), ("photos/a.png", ["a.png"], "a.png"),
    ("../other/a.png", ["x/a.png"], "x/a.png"), ("x/../../a.png", ["a.png"], "a.png"),
    ("/data/val/a.png", ["train/a.png", "val/a.png", "a.png"], "val/a.png"),
  ]

  @Test(arguments: moved)
  func `another machine's path is found by its ending below the folder, with a note`(
    _ path: String, _ files: [String], _ place: String
  ) throws {
    let folder = try TemporaryFolder()
    for file in files { try folder.write("photos/" + file, "") }
    try folder.write(
      "instances.json", Self.instances(images: #"{"id":1,"file_name":"\#(path)"}"#))
    let set = try ObjectSet(instances: folder["instances.json"], images: folder["photos"])
    #expect(set.images.map(\.name) == [place])
    #expect(set.images.map(\.path) == [folder["photos/" + place]])
    #expect(set.notes == ["1 image is not at the listed path, but found by name"])
  }

  @Test func `another machine's paths that match several files or none are named`() throws {
    let folder = try TemporaryFolder()
    for file in ["x/a.png", "y/a.png"] { try folder.write("photos/" + file, "") }
    let images = [
      #"{"id":1,"file_name":"/data/a.png"}"#, #"{"id":2,"file_name":"/data/b.png"}"#,
      #"{"id":3,"file_name":"c.png"}"#,
    ]
    try folder.write("instances.json", Self.instances(images: images.joined(separator: ",")))
    let photos = folder["photos"]
    let error = #expect(throws: FoveaError.self) {
      try ObjectSet(instances: folder["instances.json"], images: photos)
    }
    let problems = [
      "'/data/a.png' may be any of 'x/a.png', 'y/a.png' in '\(photos)'",
      "image 2 is '/data/b.png', which is not a path below a folder, and no file below '\(photos)' has its name",
      "there is no file '\(photos)/c.png', and no other file in the folder has its name",
    ]
    #expect(error?.message.contains(problems.joined(separator: "; ")) == true, "\(error?.message ?? "")")
    #expect(
      error?.remedy.description
        == "Give each image its own file_name, relative to the folder of 'images'")
  }

  @Test(
    arguments: [
      (
        ["c.png"],
        "Put the images into the folder of 'images', or name another folder that has them at any depth"
      ),
      (["/data/a.png"], "Give each image a file_name that is relative to the folder of 'images'"),
      (
        ["a.png", "a.png"],
        "Give each image its own file_name, relative to the folder of 'images'"
      ),
    ] as [([String], String)])
  func `the advice for images does not suggest the same folder again`(_ names: [String], _ remedy: String)
    throws
  {
    let folder = try TemporaryFolder()
    for file in ["x/a.png", "y/a.png", "a.png"] where file != "a.png" || names.count > 1 {
      try folder.write("photos/" + file, "")
    }
    let images = names.enumerated().map { #"{"id":\#($0 + 1),"file_name":"\#($1)"}"# }
    try folder.write("instances.json", Self.instances(images: images.joined(separator: ",")))
    let error = #expect(throws: FoveaError.self) {
      try ObjectSet(instances: folder["instances.json"], images: folder["photos"])
    }
    #expect(error?.remedy.description == remedy)
  }

  @Test func `another machine's Pascal VOC is found below the folder`() throws {
    let folder = try TemporaryFolder()
    let names = ["a.png", "b.png"]
    for name in names {
      try folder.write("photos/cups/" + name, "")
      try folder.write(
        "boxes/\(name).xml",
        """
        <annotation><folder>cups</folder><filename>\(name)</filename><path>/home/x/photos/cups/\(name)</path>
        <size><width>9</width><height>9</height></size><object><name>cup</name>
        <bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>
        """)
    }
    let set = try ObjectSet(results: folder["boxes"], images: folder["photos"])
    #expect(set.images.map(\.name) == names.map { "cups/" + $0 })
    #expect(set.notes == ["2 images are not at the listed path, but found by name"])
  }

  @Test func `crowds and categories without a box are left out, and categories with one name are merged`()
    throws
  {
    let set = try Self.set(
      Self.instances(
        annotations: """
          {"id":1,"image_id":1,"category_id":1,"bbox":[0,0,9,9]},
          {"id":2,"image_id":2,"category_id":2,"bbox":[0,0,9,9]},
          {"id":3,"image_id":2,"category_id":3,"bbox":[0,0,9,9],"iscrowd":1},
          {"id":4,"image_id":2,"category_id":4,"bbox":[0,0,9,9]}
          """,
        categories: """
          {"id":1,"name":"cup"},{"id":2,"name":"cup"},{"id":3,"name":"plate"},{"id":4,"name":"bowl"}
          """))
    #expect(set.classes == ["bowl", "cup"])
    #expect(set.imageCount == 2 && set.objectCount == 3)
    #expect(
      set.notes == [
        "1 box around a crowd is left out", "1 category has no box and is left out",
      ])
  }
}
