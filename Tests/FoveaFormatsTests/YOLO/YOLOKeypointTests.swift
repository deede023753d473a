// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaFormats

/// Keypoints in YOLO folders, and their way back.
@Suite struct YOLOKeypointTests {
  static let size = PixelSize(width: 20, height: 10)
  /// 24 × 16 pixels as stored, with the orientation `right`.
  private static let photo = PackageRoot.path + "/Tests/Fixtures/images/turned.jpg"

  static func object(_ points: [(Double, Double)], _ scores: [Float] = []) -> DetectedObject {
    DetectedObject(
      box: BoundingBox(x: 5, y: 2, width: 10, height: 5), score: 0.75,
      labels: [Label(text: "person", index: 0, confidence: 0.75)],
      keypoints: points.map { PixelPoint(x: $0.0, y: $0.1) }, keypointScores: scores)
  }

  static let box = "0 0.500000 0.450000 0.500000 0.500000"

  // MARK: Lines

  struct LineCase: CustomTestStringConvertible {
    var points: [(Double, Double)]
    var scores: [Float] = []
    var score: Float?
    var threshold: Float?
    var expected: String
    var testDescription: String { expected }
  }

  @Test(arguments: [
    LineCase(points: [(10, 5)], expected: " 0.500000 0.500000 2"),
    LineCase(points: [(10, 5)], scores: [0.3], expected: " 0.500000 0.500000 2"),
    LineCase(points: [(10, 5)], scores: [0.29], expected: " 0.500000 0.500000 1"),
    LineCase(points: [(10, 5)], scores: [0.5], threshold: 0.5, expected: " 0.500000 0.500000 2"),
    LineCase(points: [(10, 5)], scores: [0.49], threshold: 0.5, expected: " 0.500000 0.500000 1"),
    LineCase(points: [(10, 5)], scores: [0], threshold: 0, expected: " 0.500000 0.500000 2"),
    LineCase(points: [(10, 5)], scores: [0.05], expected: " 0.500000 0.500000 1"),
    LineCase(points: [(10, 5)], scores: [0.049], expected: " 0.000000 0.000000 0"),
    LineCase(points: [(10, 5)], scores: [.nan], expected: " 0.000000 0.000000 0"),
    LineCase(
      points: [(-1, 12), (21, -1)], scores: [1, 0.1], expected: " 0.000000 1.000000 2 1.000000 0.000000 1"),
    LineCase(points: [(5, 2)], score: 0.75, expected: " 0.250000 0.200000 1.000000 0.750000"),
    LineCase(
      points: [(-1, 12), (40, -9)], scores: [0.025, .nan], score: 0.75,
      expected: " -0.050000 1.200000 0.025000 1.500000 -0.500000 0.000000 0.750000"),
    LineCase(points: [], expected: ""),
  ])
  func `a line ends with the keypoints and their visibilities or scores`(_ test: LineCase) {
    let object = Self.object(test.points, test.scores)
    let line = YOLOLines.line(
      class: 0, box: object.box, keypoints: object.keypoints, keypointScores: object.keypointScores,
      size: Self.size, score: test.score, keypointThreshold: test.threshold ?? 0.3)
    #expect(line == Self.box + test.expected + "\n")
  }

  @Test func `an object with another number of keypoints has none that is labelled`() throws {
    let shape = try #require(YOLOLines.KeypointShape(count: 2))
    for points in [[], [(1, 1)], [(1, 1), (2, 2), (3, 3)]] as [[(Double, Double)]] {
      let line = YOLOLines.line(
        of: Self.object(points), keypoints: shape, class: 0, size: Self.size, score: nil,
        keypointThreshold: 0.3)
      #expect(line == Self.box + " 0.000000 0.000000 0 0.000000 0.000000 0\n")
    }
  }

  struct ReadCase: CustomTestStringConvertible {
    var count = 2
    var dimensions = 3
    var line: String
    /// The scores; nil for those of all points 1.
    var scores: [Float]?
    var score: Float = 1
    var points: [(Double, Double)] = [(5, 2), (10, 5)]
    var testDescription: String { line }
  }

  @Test(arguments: [
    ReadCase(line: "0.25 0.2 2 0.5 0.5 1", scores: [1, 0.25]),
    ReadCase(line: "0.25 0.2 2.000000 0.5 0.5 1.000000", scores: [1, 0.25]),
    ReadCase(line: "0.25 0.2 0 0.5 0.5 0.875", scores: [0, 0.875]),
    ReadCase(line: "0.25 0.2 1 0.5 0.5 0.125 0.75", scores: [1, 0.125], score: 0.75),
    ReadCase(line: "0.25 0.2 2 0.5 0.5 0 0.75", scores: [1, 0], score: 0.75),
    ReadCase(dimensions: 2, line: "0.25 0.2 0.5 0.5", scores: []),
    ReadCase(dimensions: 2, line: "0.25 0.2 0.5 0.5 0.125", scores: [], score: 0.125),
    ReadCase(dimensions: 2, line: "-0.25 0.2 0.5 0.5", scores: [0, 1], points: [(-5, 2), (10, 5)]),
    ReadCase(count: 1, line: "1.5 -0.5 2", scores: [1], points: [(30, -5)]),
    ReadCase(count: 1, line: "0 0 0", scores: [0], points: [(0, 0)]),
  ])
  func `keypoints are read with their visibilities or scores`(_ test: ReadCase) throws {
    let shape = try #require(YOLOLines.KeypointShape(count: test.count, dimensions: test.dimensions))
    let text = Array("0 0.5 0.45 0.5 0.5 \(test.line)\n\n".utf8)
    let objects = try YOLOLines.read(
      text: text, name: "a.txt", keypoints: shape, size: Self.size, classes: ["person"])
    var expected = Self.object(test.points, test.scores ?? [])
    (expected.score, expected.labels[0].confidence) = (test.score, test.score)
    #expect(objects == [expected])
    guard test.dimensions == 3 else { return }
    #expect(
      try YOLOLines.read(text: text, name: "a.txt", as: .keypoints, size: Self.size, classes: ["person"])
        == objects)
  }

  @Test func `an empty file has no objects`() throws {
    let shape = try #require(YOLOLines.KeypointShape(count: 17))
    for text in ["", "\n", " \r\n\n"] {
      #expect(
        try YOLOLines.read(
          text: Array(text.utf8), name: "a.txt", keypoints: shape, size: Self.size, classes: []
        ).isEmpty)
    }
  }

  @Test(
    arguments: [
      (2, "0", "'0' has 1 number; a class, a box and 2 keypoints of 3 numbers are 11, or 12 with a score"),
      (
        2, "0 1 1 1 1 1",
        "'0 1 1 1 1 1' has 6 numbers; a class, a box and 2 keypoints of 3 numbers are 11, or 12 with a score"
      ),
      (
        1, "0 1 1 1 1 .1 .1 2 .5 1",
        "'0 1 1 1 1 .1 .1 2 .5…' has 10 numbers; a class, a box and 1 keypoint of 3 numbers are 8, or 9 with a"
          + " score"
      ),
      (
        nil, "0 1 1 1 1",
        "'0 1 1 1 1' has 5 numbers; a class, a box and three for each keypoint are expected"
      ),
      (
        nil, "0 1 1 1 1 .1 .1",
        "'0 1 1 1 1 .1 .1' has 7 numbers; a class, a box and three for each keypoint are expected"
      ),
      (1, "-1 1 1 1 1 .1 .1 2", "the class is '-1'; expected a whole number from 0"),
      (1, "1.5 1 1 1 1 .1 .1 2", "the class is '1.5'; expected a whole number from 0"),
      (1, "0 nan 1 1 1 .1 .1 2", "the x of the centre is 'nan'; expected a fraction, 0 to 1"),
      (1, "0 .1 -0.6 1 1 .1 .1 2", "the y of the centre is '-0.6'; expected a fraction, 0 to 1"),
      (1, "0 .1 .1 40 60 .1 .1 2", "the width is '40'; expected a fraction, 0 to 1"),
      (1, "0 1 1 -1 1 .1 .1 2", "the width is '-1'; expected a fraction, 0 to 1"),
      (1, "0 1 1 1 x .1 .1 2", "the height is 'x'; expected a fraction, 0 to 1"),
      (1, "0 1 1 1 1 nan .1 2", "the x of keypoint 1 is 'nan'; expected a fraction, 0 to 1"),
      (1, "0 1 1 1 1 .1 1.51 2", "the y of keypoint 1 is '1.51'; expected a fraction, 0 to 1"),
      (
        2, "0 1 1 1 1 .1 .1 2 -0.51 1 2", "the x of keypoint 2 is '-0.51'; expected a fraction, 0 to 1"
      ),
      (
        1, "0 1 1 1 1 .1 .1 3",
        "the visibility of keypoint 1 is '3'; expected 0, 1, 2 or a score from 0 to 1"
      ),
      (
        1, "0 1 1 1 1 .1 .1 -1",
        "the visibility of keypoint 1 is '-1'; expected 0, 1, 2 or a score from 0 to 1"
      ),
      (
        1, "0 1 1 1 1 .1 .1 1.5",
        "the visibility of keypoint 1 is '1.5'; expected 0, 1, 2 or a score from 0 to 1"
      ),
      (1, "0 1 1 1 1 .1 .1 2 nan", "the score is 'nan'; expected a number"),
    ] as [(Int?, String, String)])
  func `a line that is not a box and keypoints is an error`(
    _ count: Int?, _ line: String, _ problem: String
  ) {
    let text = Array("\n\(line)\n".utf8)
    let error = #expect(throws: EvaluationError.self) {
      guard let shape = count.flatMap({ YOLOLines.KeypointShape(count: $0) }) else {
        return try YOLOLines.read(text: text, name: "a.txt", as: .keypoints, size: Self.size, classes: [])
      }
      return try YOLOLines.read(text: text, name: "a.txt", keypoints: shape, size: Self.size, classes: [])
    }
    #expect(error?.code == .invalidLine)
    #expect(error?.message == "a.txt line 2: \(problem)")
    #expect(
      error?.remedy.description.hasPrefix("Divide x and width in pixels by")
        == problem.hasSuffix("expected a fraction, 0 to 1"))
  }

  @Test(arguments: [(0, 3), (1, 1), (1, 4), (10_001, 3), (-1, 2)])
  func `a shape has points of two or three numbers`(_ count: Int, _ dimensions: Int) {
    #expect(YOLOLines.KeypointShape(count: count, dimensions: dimensions) == nil)
  }

  // MARK: data.yaml

  @Test(arguments: [
    ("kpt_shape: [17, 3]", 17, 3), ("kpt_shape: [4,2] # x, y", 4, 2), ("kpt_shape: [ 4 , 2, ]\r", 4, 2),
    ("kpt_shape:\n- 21\n- 3\nnc: 1", 21, 3), ("kpt_shape: # two\n\n  - 21\n  # more\n  - 3", 21, 3),
    ("task: pose\nkpt_shape:\n  [17,\n  3]\nnames: [a]", 17, 3),
  ])
  func `the shape of keypoints is a list in either form of YAML`(
    _ yaml: String, _ count: Int, _ dimensions: Int
  ) {
    let declared = YOLODeclaration(Array(yaml.utf8))
    #expect(declared.problem == nil && declared.shape == .keypoints)
    #expect(declared.keypoints == YOLOLines.KeypointShape(count: count, dimensions: dimensions))
  }

  @Test(
    arguments: [
      ("kpt_shape:", 1, "kpt_shape is ''; expected the number of keypoints, up to 10000, and 2 or 3,"),
      ("nc: 1\nkpt_shape: 17", 2, "kpt_shape is '17'; expected"),
      ("kpt_shape: [17]", 1, "kpt_shape is '[17]'; expected"),
      ("kpt_shape: [17, 4]", 1, "kpt_shape is '[17, 4]'; expected"),
      ("kpt_shape: [0, 3]", 1, "kpt_shape is '[0, 3]'; expected"),
      ("kpt_shape: [17, 3", 1, "kpt_shape is '[17, 3'; expected"),
      ("kpt_shape: [nan, 3]", 1, "kpt_shape is '[nan, 3]'; expected"),
      ("kpt_shape:\n- 17\n- x", 1, "kpt_shape is '- 17 - x'; expected"),
      ("task: pose", nil, "has the task pose but no kpt_shape, the number of keypoints"),
      (
        "task: obb\nkpt_shape: [1, 3]", nil, "has the task obb and kpt_shape, which is of the task pose"
      ),
    ] as [(String, Int?, String)])
  func `a shape that cannot be used is an error with its place`(
    _ yaml: String, _ line: Int?, _ problem: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("classes.txt", "person\n")
    try folder.write("data.yaml", yaml)
    try folder.write("labels/a.txt", "0 0.5 0.5 0.2 0.2 0.4 0.4 2\n")
    let error = #expect(throws: EvaluationError.self) { try RecordFile.read(path: folder.path) { _ in } }
    let message = "'\(folder.path)/data.yaml'" + (line.map { " line \($0): " } ?? " ") + problem
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    let other = #expect(throws: FoveaError.self) {
      try YOLOFolder(path: folder.path).begin(classNames: ["person"])
    }
    #expect(other?.code == .resultUnwritable && other?.message == error?.message)
    #expect(try folder.read("data.yaml") == yaml)
    // Without labels, the file is written again.
    try folder.write("labels/a.txt", "")
    try YOLOFolder(path: folder.path).begin(classNames: ["person"])
    #expect(try folder.read("data.yaml").hasPrefix("train: images\n"))
  }

  @Test func `only a list of all points is kept as the counterparts`() {
    for (list, kept) in [
      ("[1, 0]", [1, 0]), ("[1, 1]", []), ("[1, 2]", []), ("[0]", []), ("x", []),
      ("\n  [1,\n  0]", [1, 0]), ("\n- 1\n- 0", [1, 0]),
    ] as [(String, [Int])] {
      let declared = YOLODeclaration(Array("kpt_shape: [2, 3]\nflip_idx: \(list)\nnc: 1\n".utf8))
      #expect(declared.mirrored == kept && declared.problem == nil, "\(list)")
    }
  }

  @Test func `a damaged file declares something or nothing`() {
    var random = SeededGenerator(seed: 5)
    let sound = Array("task: pose\nkpt_shape: [2, 3] # two\nflip_idx:\n- 1\n  - 0\nnames: [a]\n".utf8)
    for _ in 0..<500 {
      var damaged = sound
      for _ in 0..<(1 + random.below(3)) {
        damaged[random.below(damaged.count)] = sound[random.below(sound.count)]
      }
      damaged.removeLast(random.below(damaged.count))
      let declared = YOLODeclaration(damaged)
      let count = declared.keypoints?.count ?? 0
      #expect(declared.problem != nil || declared.form?.shape != .keypoints || count > 0)
      #expect([0, count].contains(declared.mirrored.count))
    }
  }

  // MARK: Folders

  static func write(_ name: String, _ objects: [DetectedObject], _ output: YOLOFolder) throws {
    let findings = DetectionRecord.Findings(size: Self.size, orientation: .up, content: .objects(objects))
    try output.write(findings, of: ImageFile(path: photo, relativePath: name))
  }

  static func person(_ count: Int = 17) -> DetectedObject {
    object((0..<count).map { (Double($0), 5) }, (0..<count).map { $0 == 0 ? 0.1 : 1 })
  }

  @Test func `a folder of people has the shape, the counterparts and the task`() throws {
    let folder = try TemporaryFolder()
    let output = YOLOFolder(path: folder.path)
    try output.begin(classNames: ["person"])
    try Self.write("empty.jpg", [], output)
    try Self.write("a.jpg", [Self.person(), Self.person()], output)
    try Self.write("b.jpg", [Self.object([])], output)
    #expect(
      try folder.read("data.yaml")
        == """
        task: pose
        kpt_shape: [17, 3]
        flip_idx: [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15]
        train: images
        val: images
        nc: 1
        names:
          0: "person"

        """)
    #expect(try folder.read("labels/empty.txt").isEmpty)
    #expect(
      try folder.read("labels/a.txt").hasPrefix(
        Self.box + " 0.000000 0.500000 1 0.050000 0.500000 2 0.100000 0.500000 2 "))
    #expect(
      try folder.read("labels/b.txt")
        == Self.box + String(repeating: " 0.000000 0.000000 0", count: 17) + "\n")
  }

  /// The objects of the first image by the numbers of their keypoints, whether the model has a known set, and
  /// the fields of the lines.
  @Test(
    arguments: [
      ([0], true, [56]), ([0, 17], true, [56, 56]), ([0, 17], false, [56, 56]), ([17, 0], false, [56, 56]),
      ([0], false, [5]), ([17, 3], false, [5, 5]), ([3], true, [14]), ([], true, []),
    ] as [([Int], Bool, [Int])])
  func `objects without keypoints among others have lines with keypoints`(
    _ counts: [Int], _ isKnown: Bool, _ fields: [Int]
  ) throws {
    let folder = try TemporaryFolder()
    let names = SharedNames()
    if isKnown { names.set(["person"], keypoints: .body) }
    let output = YOLOFolder(
      path: folder.path, writesScores: false, resumes: false, writesMasks: true, names: names)
    try output.begin(classNames: ["person"])
    try Self.write("a.jpg", counts.map { $0 == 0 ? Self.object([]) : Self.person($0) }, output)
    let lines = try folder.read("labels/a.txt").split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").count } == fields)
    let hasShape = try folder.read("data.yaml").contains("kpt_shape")
    #expect(hasShape == (fields.first.map { $0 > 5 } ?? false))
  }

  @Test func `points of an unknown set have no counterparts`() throws {
    for (count, name) in [(3, "person"), (17, "dog")] {
      let folder = try TemporaryFolder()
      let output = YOLOFolder(path: folder.path)
      try output.begin(classNames: [name])
      var object = Self.person(count)
      object.labels = [Label(text: name, index: 0, confidence: 1)]
      try Self.write("a.jpg", [object], output)
      #expect(
        try folder.read("data.yaml").hasPrefix("task: pose\nkpt_shape: [\(count), 3]\ntrain: images\n"))
    }
  }

  @Test(arguments: [false, true])
  func `the labels of an earlier run decide`(_ resumes: Bool) throws {
    let another = ". Name another folder with its path"
    let yaml = "kpt_shape: [2, 3]\nflip_idx: [1, 0]\n"
    let keypoints = "0 0.5 0.5 0.5 0.5 0.1 0.1 2 0.2 0.2 0\n"
    let cases: [(yaml: String, labels: String, then: Int, String?)] = [
      (yaml, keypoints, 2, nil), (yaml, keypoints, 0, nil), ("", "", 2, nil),
      (yaml, keypoints, 3, "2 keypoints of 3 numbers, those of this run 3 keypoints of 3 numbers"),
      ("", "0 0.5 0.5 0.5 0.5\n", 2, "boxes, those of this run 2 keypoints of 3 numbers"),
      ("", "0 0.5 0.5 0.5 0.5\n", 0, nil),
      ("task: obb\n", "0 0 0 1 0 1 1 0 1\n", 2, "rotated boxes, those of this run 2 keypoints of 3 numbers"),
      (
        "kpt_shape: [1, 2]\n", "0 0.5 0.5 0.5 0.5 0.1 0.1\n", 1,
        "1 keypoint of 2 numbers, those of this run 1 keypoint of 3 numbers"
      ),
      (
        "kpt_shape: [1, 2]\n", "0 0.5 0.5 0.5 0.5 0.1 0.1\n", 0,
        "1 keypoint of 2 numbers, those of this run boxes"
      ),
    ]
    for (yaml, labels, then, problem) in cases {
      let folder = try TemporaryFolder()
      try folder.write("classes.txt", "person\n")
      try folder.write("data.yaml", yaml)
      try folder.write("labels/a.txt", labels)
      let output = YOLOFolder(path: folder.path, resumes: resumes)
      var found: String?
      do {
        try output.begin(classNames: ["person"])
        try Self.write("b.jpg", [Self.person(then)], output)
      } catch let error as FoveaError {
        found = "\(error.message). \(error.remedy)"
      }
      #expect(found == problem.map { "the labels in '\(folder.path)' are \($0)\(another)" })
      #expect((try? folder.read("labels/b.txt")) == nil || found == nil)
      guard yaml.contains("flip_idx") else { continue }
      #expect(try folder.read("data.yaml").hasPrefix("task: pose\n\(yaml)train: "))
    }
  }

  @Test func `a mask is an error among keypoints`() throws {
    let folder = try TemporaryFolder()
    try folder.write("data.yaml", "kpt_shape: [2, 3]\n")
    try folder.write("labels/a.txt", "0 0.5 0.5 0.5 0.5 0.1 0.1 2 0.2 0.2 0\n")
    let output = YOLOFolder(path: folder.path)
    try output.begin(classNames: ["person"])
    var object = Self.person(0)
    object.mask = try ObjectMask(RunLengths(counts: [0, 10, 190], size: Self.size))
    let error = #expect(throws: FoveaError.self) { try Self.write("b.jpg", [object], output) }
    #expect(
      error?.message
        == "the labels in '\(folder.path)' are 2 keypoints of 3 numbers, those of this run outlines")
  }

  @Test func `a folder without scores has the visibilities, and is not a file of detections`() throws {
    let folder = try TemporaryFolder()
    let output = YOLOFolder(path: folder.path)
    try output.begin(classNames: ["person"])
    try output.write(
      DetectionRecord.Findings(
        size: PixelSize(width: 24, height: 16), orientation: .right,
        content: .objects([Self.object([(6, 4), (12, 8), (3, 3)], [1, 0.1, 0])])),
      of: ImageFile(path: Self.photo, relativePath: "a.jpg"))
    var records: [DetectionRecord] = []
    try RecordFile.read(path: folder.path) { records.append($0) }
    let object = try #require(records.first?.findings?.objects.first)
    #expect(object.keypoints == [(6, 4), (12, 8), (0, 0)].map { PixelPoint(x: $0, y: $1) })
    #expect(object.keypointScores == [1, 0.25, 0])
    let error = #expect(throws: EvaluationError.self) {
      try RecordFile.read(path: folder.path, scores: .needed) { _ in }
    }
    #expect(error?.message == "'\(folder.path)/labels/a.txt' has boxes without scores")
  }

  // MARK: Evaluation

  @Test(arguments: ["json", "coco", "yolo"])
  func `keypoints are evaluated in the pixels of the ground truth`(_ name: String) throws {
    let size = PixelSize(width: 24, height: 16)
    var object = DetectedObject(
      box: BoundingBox(x: 4, y: 2, width: 6, height: 8), score: 0.5,
      labels: [Label(text: "person", index: 0, confidence: 0.5)],
      keypoints: (0..<17).map { PixelPoint(x: 3.5 + Double($0) / 2, y: Double($0 * 3 % 8) + 2) })
    object.keypointScores = (0..<17).map { Float($0) / 16 * 0.9 + 0.1 }
    let stored = DetectionRecord.Findings(size: size, orientation: .right, content: .objects([object]))
    let format = try #require(DetectionFormat(name: name))
    for findings in [stored, stored.upright()] {
      var settings = DetectionFormat.Settings()
      settings.writesScores = true
      settings.names.set(["person"])
      let folder = try TemporaryFolder()
      let path = folder.path + "/results"
      if var writer = format.writer(settings) {
        let record = DetectionRecord(image: Self.photo, result: .success(findings))
        try folder.write("results", writer.text(of: [record]))
      } else if let output = format.folder(path, settings) {
        try output.begin(classNames: ["person"])
        try output.write(findings, of: ImageFile(path: Self.photo))
      }
      for truth in [stored, stored.upright()] {
        // A COCO file has no orientation, so it must have the pixels of its ground truth.
        if name == "coco", truth.space != findings.space { continue }
        let box = truth.objects[0].box
        let groundTruth = try COCOGroundTruth(
          images: [.init(id: 1, fileName: "turned.jpg", size: truth.size)],
          categories: [.init(id: 1, name: "person")],
          annotations: [
            .init(
              id: 1, imageID: 1, categoryID: 1,
              box: COCOBox(x: box.minX, y: box.minY, width: box.width, height: box.height),
              keypoints: truth.objects[0].keypoints.map { COCOKeypoint($0, isLabelled: true) })
          ])
        var found = COCODetections(groundTruth: groundTruth)
        try found.read(path: path)
        #expect(found.count == 1 && found.withoutKeypoints == 0)
        var options = DetectionEvaluator.Options()
        options.shape = .keypoints
        // An error of a hundredth of a pixel would lower the similarity of so small an object below it.
        options.iouThresholds = [0.9999]
        let report = try DetectionEvaluator(groundTruth: groundTruth, options: options).evaluate(found)
        #expect(abs((report.metrics.averagePrecision ?? 0) - 1) < 1e-12, "\(findings.space), \(truth.space)")
      }
    }
  }
}
