// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaTesting
import Testing

@Suite struct ObjectDetectorTests {
  static let photos = PackageRoot.path + "/Examples/photos/"

  @Test func `the embedded detector names a cup and the table under it`() async throws {
    let detector = try await ObjectDetector()
    let objects = try await detector.detect(in: .file(Self.photos + "coffee.jpg"))
    #expect(objects.map { $0.labels.first?.text } == ["cup", "dining table"])
    let cup = try #require(objects.first)
    #expect(cup.score >= 0.37)
    #expect(cup.labels == [Label(text: "cup", index: 41, confidence: cup.score)])
    #expect(cup.box.iou(with: BoundingBox(minX: 170, minY: 17, maxX: 422, maxY: 244)) > 0.8)
    #expect(cup.trackingID == nil)
  }

  @Test func `the localizer finds a cup, and the classifier calls it a home good`() async throws {
    let detector = try await ObjectDetector(model: .embedded(.localizer))
    let objects = try await detector.detect(in: .file(Self.photos + "coffee.jpg"))
    #expect((1...5).contains(objects.count))
    let cup = try #require(objects.first)
    #expect(cup.labels.first?.text == "Home good")
    #expect(cup.score >= 0.3)
    // Cup and saucer fill the centre of the image.
    #expect(cup.box.iou(with: BoundingBox(minX: 80, minY: 15, maxX: 480, maxY: 385)) > 0.6)
  }

  @Test func `the localizer's boxes overlap by half at most`() async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.1
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options)
    let boxes = try await detector.detect(in: .file(Self.photos + "astronaut.jpg")).map(\.box)
    #expect(boxes.count > 1)
    for (index, box) in boxes.enumerated() {
      #expect(boxes[..<index].allSatisfy { $0.iou(with: box) <= 0.5 })
    }
  }

  @Test func `the names of classes equal the labels`() async throws {
    let names = try await ObjectDetector().classNames()
    #expect(names.count == 80)
    #expect(names.first == "person" && names.last == "toothbrush")
    let localizer = try await ObjectDetector(model: .embedded(.localizer)).classNames()
    #expect(localizer == ["Fashion good", "Food", "Home good", "Place", "Plant"])
    var options = ObjectDetector.Options()
    options.classifier = .none
    #expect(try await ObjectDetector(model: .embedded(.localizer), options: options).classNames() == [])
  }

  @Test func `the caller's classifier labels what the localizer finds`() async throws {
    var options = ObjectDetector.Options()
    options.classifier = .model(.embedded(.classifier))
    let objects = try await ObjectDetector(options: options).detect(in: .file(Self.photos + "coffee.jpg"))
    let expected = try await ObjectDetector(model: .embedded(.localizer)).detect(
      in: .file(Self.photos + "coffee.jpg"))
    #expect(objects == expected)
    #expect(!objects.isEmpty)
  }

  @Test func `a letterboxed image gives other scores than a stretched one`() async throws {
    var options = ObjectDetector.Options()
    let stretched = try await ObjectDetector().detect(in: .file(Self.photos + "cat.jpg"))
    options.fit = .stretch
    #expect(
      try await ObjectDetector(options: options).detect(in: .file(Self.photos + "cat.jpg")) == stretched)
    options.fit = .letterbox
    let letterboxed = try await ObjectDetector(options: options).detect(in: .file(Self.photos + "cat.jpg"))
    #expect(letterboxed.first?.labels.first?.text == "cat")
    #expect(letterboxed != stretched)
    let file = PackageRoot.path + "/Sources/C/CEmbeddedModels/models/detector80_int8.tflite"
    options.fit = .stretch
    options.suppression.iouThreshold = 0.6
    let same = try await ObjectDetector(model: .file(file), options: options)
    #expect(try await same.detect(in: .file(Self.photos + "cat.jpg")) == stretched)
  }

  @Test func `an object in none of the categories has no label`() async throws {
    let detector = try await ObjectDetector(model: .embedded(.localizer))
    let objects = try await detector.detect(in: .file(Self.photos + "cat.jpg"))
    #expect(!objects.isEmpty)
    #expect(objects.allSatisfy { $0.labels.isEmpty })
  }

  @Test func `results are sorted by score, inside the image, and limited`() async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0
    options.maxObjects = 3
    options.classifier = .none
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options)
    let result = try await detector.analyze(.file(Self.photos + "astronaut.jpg"))
    #expect(result.objects.count == 3)
    #expect(result.objects.map(\.score) == result.objects.map(\.score).sorted(by: >))
    for object in result.objects {
      #expect(object.box == object.box.clamped(to: result.size))
      #expect(!object.box.isEmpty)
      #expect(object.labels.isEmpty)
    }
    #expect(result.timings.total >= result.timings.decode + result.timings.detect)
  }

  @Test func `the single object is the most prominent one of all`() async throws {
    var options = ObjectDetector.Options()
    options.maxObjects = 100
    let all = try await ObjectDetector(model: .embedded(.localizer), options: options).analyze(
      .file(Self.photos + "astronaut.jpg"))
    options.singleObject = true
    let single = try await ObjectDetector(model: .embedded(.localizer), options: options).detect(
      in: .file(Self.photos + "astronaut.jpg"))
    #expect(single.count == 1)
    let best = try #require(all.objects.max { $0.prominence(in: all.size) < $1.prominence(in: all.size) })
    #expect(single.first?.box == best.box)
  }

  @Test func `many tasks share one detector and get the same result`() async throws {
    var options = ObjectDetector.Options()
    options.sessions = 2
    let detector = try await ObjectDetector(options: options)
    let expected = try await detector.detect(in: .file(Self.photos + "coffee.jpg"))
    let answers = try await withThrowingTaskGroup(of: [DetectedObject].self) { group in
      for _ in 0..<8 { group.addTask { try await detector.detect(in: .file(Self.photos + "coffee.jpg")) } }
      return try await group.reduce(into: [[DetectedObject]]()) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0 == expected })
  }

  @Test func `a region limits the result, and boxes stay in pixels of the whole image`() async throws {
    var options = ObjectDetector.Options()
    options.threshold = 0.2
    let detector = try await ObjectDetector(model: .embedded(.localizer), options: options)
    let region = BoundingBox(x: 300, y: 0, width: 212, height: 300)
    let objects = try await detector.detect(in: .file(Self.photos + "astronaut.jpg"), region: region)
    #expect(!objects.isEmpty)
    for object in objects {
      #expect(object.box.midX > 290 && object.box.midY < 310, "\(object.box)")
    }
  }

  @Test(arguments: [
    BoundingBox(x: 600, y: 0, width: 10, height: 10), BoundingBox(x: 10, y: 10, width: 0, height: 5),
    BoundingBox(minX: .nan, minY: 0, maxX: 9, maxY: 9), BoundingBox(x: -50, y: -50, width: 50.5, height: 500),
  ])
  func `a region without a pixel of the image is an error`(_ region: BoundingBox) async throws {
    let detector = try await ObjectDetector()
    let error = await #expect(throws: FoveaError.self) {
      try await detector.detect(in: .file(Self.photos + "astronaut.jpg"), region: region)
    }
    #expect(error?.code == .optionInvalid)
  }

  @Test func `a prepared image gives the same result`() async throws {
    let detector = try await ObjectDetector()
    let image = ImageInput.file(Self.photos + "coffee.jpg")
    let prepared = try await detector.prepare(image)
    #expect(prepared.size == PixelSize(width: 600, height: 400))
    #expect(try await detector.detect(in: .prepared(prepared)) == detector.detect(in: image))
  }

  @Test func `a cancelled task gets the error for it`() async throws {
    let detector = try await ObjectDetector()
    let task = Task {
      try? await Task.sleep(for: .seconds(60))
      return try await detector.detect(in: .file(Self.photos + "coffee.jpg"))
    }
    task.cancel()
    let error = await #expect(throws: FoveaError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  struct OptionCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout ObjectDetector.Options) -> Void
    var message: String
  }

  static let badOptions = [
    OptionCase(
      testDescription: "threshold above 1", change: { $0.threshold = 1.5 },
      message: "'threshold' is 1.5; it must be 0…1"),
    OptionCase(
      testDescription: "threshold NaN", change: { $0.threshold = .nan },
      message: "'threshold' is nan; it must be 0…1"),
    OptionCase(
      testDescription: "no objects", change: { $0.maxObjects = 0 },
      message: "'maxObjects' is 0; it must be 1 or more"),
    OptionCase(
      testDescription: "no sessions", change: { $0.sessions = 0 },
      message: "'sessions' is 0; it must be 1…1024"),
    OptionCase(
      testDescription: "no threads", change: { $0.threads = 0 }, message: "'threads' is 0; it must be 1…256"),
    OptionCase(
      testDescription: "both lists",
      change: {
        $0.allowedLabels = ["Food"]
        $0.deniedLabels = ["Plant"]
      }, message: "Labels to allow and labels to deny were both given"),
    OptionCase(
      testDescription: "an unknown label", change: { $0.allowedLabels = ["food"] },
      message: "'food' is not a label of 'embedded coarse classifier' (the nearest is 'Food')"),
    OptionCase(
      testDescription: "a comma at the end that no label has", change: { $0.allowedLabels = ["Food,"] },
      message:
        "A list of labels has an empty entry, and no label of 'embedded coarse classifier' has a comma at"
        + " its place"),
    OptionCase(
      testDescription: "two commas that no label has", change: { $0.deniedLabels = ["Food,,Plant"] },
      message:
        "A list of labels has an empty entry, and no label of 'embedded coarse classifier' has a comma at"
        + " its place"),
    OptionCase(
      testDescription: "a locale that the model lacks", change: { $0.locale = "fr" },
      message: "The model has no labels in the locale 'fr'; it has none"),
    OptionCase(
      testDescription: "labels for no classifier",
      change: {
        $0.classifier = .none
        $0.allowedLabels = ["Food"]
      },
      message:
        "Labels to allow can only be used with a classifier, and 'embedded localizer' is used without one"
    ),
    OptionCase(
      testDescription: "a label file for no classifier",
      change: {
        $0.classifier = .none
        $0.labelFile = "labels.txt"
      }, message: "A label file can only be used with a classifier"),
    OptionCase(
      testDescription: "a number of labels for no classifier",
      change: {
        $0.classifier = .none
        $0.needsMaxLabels = true
      }, message: "A maximum number of labels can only be used with a classifier"),
    OptionCase(
      testDescription: "a threshold of labels for no classifier",
      change: {
        $0.classifier = .none
        $0.labelThreshold = 0.5
      }, message: "A label threshold can only be used with a classifier"),
    OptionCase(
      testDescription: "an activation for a model without one", change: { $0.scoreActivation = .sigmoid },
      message: "An activation has no effect on 'embedded localizer': it already outputs probabilities"),
    OptionCase(
      testDescription: "a background for a model without one", change: { $0.hasBackgroundClass = true },
      message: "A background has no effect on 'embedded localizer': its classes are known"),
    OptionCase(
      testDescription: "a family that does not fit", change: { $0.family = .ssdPostProcess },
      message: "'embedded localizer' is not of the family 'ssd-postprocess'"),
  ]

  @Test(arguments: badOptions)
  func `options out of range are errors that name them`(_ bad: OptionCase) async {
    var options = ObjectDetector.Options()
    bad.change(&options)
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: .embedded(.localizer), options: options)
    }
    #expect(error?.message.hasPrefix(bad.message) == true, "\(error?.message ?? "no error")")
    #expect(error?.remedy.description.isEmpty == false)
  }

  @Test func `an unreadable image is an error that names it, and the detector continues`()
    async throws
  {
    let detector = try await ObjectDetector()
    let missing = await #expect(throws: FoveaError.self) {
      try await detector.detect(in: .file("no/such.jpg"))
    }
    #expect(missing?.description == "no/such.jpg: there is no such file. Check the path.")
    #expect(missing?.code.rawValue == "image-not-found")
    let text = await #expect(throws: FoveaError.self) {
      try await detector.detect(in: .data(Array("hello".utf8), name: "upload 7"))
    }
    #expect(
      text?.description == "upload 7: the file is text, not an image. "
        + "Give a JPEG, PNG, WebP, HEIC, AVIF, GIF, BMP or TIFF image.")
    #expect(try await !detector.detect(in: .file(Self.photos + "coffee.jpg")).isEmpty)
  }

  @Test func `an unreadable model is an error that names it`() async {
    let error = await #expect(throws: FoveaError.self) {
      _ = try await ObjectDetector(model: .file(Self.photos + "coffee.jpg"))
    }
    #expect(error?.message.contains("coffee.jpg' is not a TFLite model") == true)
  }

  @Test func `denied labels of the classifier are not reported`() async throws {
    var options = ObjectDetector.Options()
    options.deniedLabels = ["Home good"]
    let objects = try await ObjectDetector(model: .embedded(.localizer), options: options).detect(
      in: .file(Self.photos + "coffee.jpg"))
    #expect(!objects.isEmpty)
    #expect(objects.flatMap(\.labels).allSatisfy { $0.text != "Home good" })
  }
}

@Suite struct ProminenceTests {
  struct ProminenceCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var box: BoundingBox
    var score: Float = 1
    var prominence: Double
  }

  static let cases = [
    ProminenceCase(
      testDescription: "all of the image", box: BoundingBox(x: 0, y: 0, width: 100, height: 100),
      prominence: 1),
    ProminenceCase(
      testDescription: "a quarter in the middle", box: BoundingBox(x: 25, y: 25, width: 50, height: 50),
      prominence: 0.5),
    ProminenceCase(
      testDescription: "half the score", box: BoundingBox(x: 25, y: 25, width: 50, height: 50), score: 0.5,
      prominence: 0.25),
    ProminenceCase(
      testDescription: "a quarter in the corner: its centre is half a half diagonal away",
      box: BoundingBox(x: 0, y: 0, width: 50, height: 50), prominence: 0.5 * 0.75),
    ProminenceCase(
      testDescription: "a point in the corner", box: BoundingBox(x: 0, y: 0, width: 0, height: 0),
      prominence: 0),
  ]

  @Test(arguments: cases)
  func `score, area and distance from the centre determine prominence`(_ item: ProminenceCase) {
    let object = DetectedObject(box: item.box, score: item.score)
    #expect(abs(object.prominence(in: PixelSize(width: 100, height: 100)) - item.prominence) < 1e-9)
  }

  @Test func `an image without pixels has nothing prominent`() {
    let object = DetectedObject(box: BoundingBox(x: 0, y: 0, width: 1, height: 1), score: 1)
    #expect(object.prominence(in: PixelSize(width: 0, height: 0)) == 0)
  }
}
