// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
import FoveaGeometry

/// One element of `objects` as `RecordJSON` writes it, with all digits of the file.
struct ObjectJSON {
  private(set) var box: COCOBox
  private(set) var score: Double
  private(set) var labels: [Label] = []
  private var trackingID: Int?
  private(set) var keypoints: [PixelPoint] = []
  private var keypointScores: [Float] = []
  /// The pixels of the mask; nil if the object has none, or masks are not read.
  private(set) var mask: RunLengths?
  /// True if the object has a mask, read or not.
  private(set) var hasMask = false
  private(set) var orientedBox: OrientedBox?

  private static let box = JSONKey("box")
  private static let score = JSONKey("score")
  private static let labels = JSONKey("labels")
  private static let trackingID = JSONKey("trackingID")
  private static let keypoints = JSONKey("keypoints")
  private static let mask = JSONKey("mask")
  private static let orientedBox = JSONKey("orientedBox")
  private static let degrees = JSONKey("degrees")
  private static let x = JSONKey("x")
  private static let y = JSONKey("y")
  private static let width = JSONKey("width")
  private static let height = JSONKey("height")
  private static let text = JSONKey("text")
  private static let index = JSONKey("index")
  private static let confidence = JSONKey("confidence")

  /// The object as a type of the library, without its mask.
  var object: DetectedObject {
    DetectedObject(
      box: BoundingBox(x: box.x, y: box.y, width: box.width, height: box.height), score: Float(score),
      labels: labels, trackingID: trackingID, keypoints: keypoints,
      keypointScores: keypointScores, orientedBox: orientedBox)
  }

  /// Reads an object whose opening brace is consumed already; skips its mask if `readsMasks` is false.
  init(_ reader: inout JSONReader, readsMasks: Bool = false) throws(JSONFailure) {
    var box: COCOBox?
    var score: Double?
    var labels: [Label]?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case Self.box:
        try reader.refuse(twin: box != nil, "box")
        guard try reader.take(UInt8(ascii: "{")) else { throw reader.mismatch("box is not an object") }
        box = try Self.box(&reader)
      case Self.score:
        try reader.refuse(twin: score != nil, "score")
        score = try reader.double("score")
      case Self.labels:
        try reader.refuse(twin: labels != nil, "labels")
        labels = try Self.labels(&reader, mayLackConfidence: true)
      case Self.trackingID:
        try reader.refuse(twin: trackingID != nil, "trackingID")
        trackingID = try reader.optionalNumber().flatMap(Int.init(exactly:))
      case Self.keypoints:
        try reader.refuse(twin: !keypoints.isEmpty, "keypoints")
        (keypoints, keypointScores) = try Self.points(&reader)
      case Self.mask:
        try reader.refuse(twin: hasMask, "mask")
        hasMask = try reader.peek() != UInt8(ascii: "n")
        if readsMasks { mask = try Self.mask(&reader) } else { try reader.skip() }
      case Self.orientedBox:
        try reader.refuse(twin: orientedBox != nil, "orientedBox")
        orientedBox = try Self.orientedBox(&reader)
      default: try reader.skip()
      }
    }
    guard let box, let score else {
      throw reader.mismatch("an object has no \(box == nil ? "box" : "score")")
    }
    self.box = box
    self.score = score
    self.labels = labels ?? []
    // The label of a detector with classes has the score of its object, as in formats with one number.
    for index in self.labels.indices where self.labels[index].confidence.isNaN {
      self.labels[index].confidence = Float(score)
    }
  }

  /// Reads keypoints; the scores are empty if a point has none.
  private static func points(
    _ reader: inout JSONReader
  ) throws(JSONFailure) -> (points: [PixelPoint], scores: [Float]) {
    var points: [PixelPoint] = []
    var scores: [Float] = []
    try reader.objects("keypoints") { (reader) throws(JSONFailure) in
      let (point, score) = try point(&reader)
      points.append(point)
      if let score { scores.append(Float(score)) }
    }
    return (points, scores.count == points.count ? scores : [])
  }

  private static func box(_ reader: inout JSONReader) throws(JSONFailure) -> COCOBox {
    var box = COCOBox(x: .nan, y: .nan, width: .nan, height: .nan)
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case x: box.x = try reader.double("x")
      case y: box.y = try reader.double("y")
      case width: box.width = try reader.double("width")
      case height: box.height = try reader.double("height")
      default: try reader.skip()
      }
    }
    guard !box.x.isNaN, !box.y.isNaN, !box.width.isNaN, !box.height.isNaN else {
      throw reader.mismatch("box does not have x, y, width and height")
    }
    return box
  }

  /// Returns the problem with the mask of an object in an image of a size, if the size is known.
  func maskProblem(in image: PixelSize?) -> String? {
    guard let size = mask?.size, let image, image != PixelSize(width: 0, height: 0), size != image else {
      return nil
    }
    return "mask: 'size' is [\(size.height), \(size.width)]; the image has [\(image.height), \(image.width)]"
  }

  private static func mask(_ reader: inout JSONReader) throws(JSONFailure) -> RunLengths? {
    let mask = try SegmentationJSON(&reader, of: .mask)
    guard !mask.isEmpty else { return nil }
    do throws(SegmentationJSON.Problem) { return try mask.mask(in: nil) } catch {
      throw reader.invalid(error)
    }
  }

  private static func orientedBox(_ reader: inout JSONReader) throws(JSONFailure) -> OrientedBox? {
    guard try reader.peek() != UInt8(ascii: "n") else {
      try reader.skip()
      return nil
    }
    guard try reader.take(UInt8(ascii: "{")) else { throw reader.mismatch("orientedBox is not an object") }
    var numbers: [Double?] = [nil, nil, nil, nil, nil]
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case x: numbers[0] = try reader.double("orientedBox: x")
      case y: numbers[1] = try reader.double("orientedBox: y")
      case width: numbers[2] = try reader.double("orientedBox: width")
      case height: numbers[3] = try reader.double("orientedBox: height")
      case degrees: numbers[4] = try reader.double("orientedBox: degrees")
      default: try reader.skip()
      }
    }
    let found = numbers.compactMap(\.self)
    guard found.count == 5 else {
      throw reader.mismatch("orientedBox does not have x, y, width, height and degrees")
    }
    guard found[2] >= 0, found[3] >= 0 else { throw reader.mismatch("orientedBox has a negative size") }
    return OrientedBox(
      center: PixelPoint(x: found[0], y: found[1]), width: found[2], height: found[3],
      angle: found[4] * .pi / 180)
  }

  private static func point(
    _ reader: inout JSONReader
  ) throws(JSONFailure) -> (point: PixelPoint, score: Double?) {
    var point = PixelPoint(x: 0, y: 0)
    var score: Double?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case x: point.x = try reader.double("x")
      case y: point.y = try reader.double("y")
      case Self.score: score = try reader.double("keypoints: score")
      default: try reader.skip()
      }
    }
    return (point, score)
  }

  /// Reads the labels of an entire image, whose scores are the answer.
  static func scoredLabels(_ reader: inout JSONReader) throws(JSONFailure) -> [Label] {
    try labels(&reader, mayLackConfidence: false)
  }

  /// Reads labels; the confidence of one without is not a number.
  private static func labels(
    _ reader: inout JSONReader, mayLackConfidence: Bool
  ) throws(JSONFailure) -> [Label] {
    var labels: [Label] = []
    try reader.objects("labels") { (reader) throws(JSONFailure) in
      var name: String?
      var number: Int?
      var score: Double?
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        switch key {
        case text: name = try reader.optionalString()
        case index: number = try reader.optionalNumber().flatMap(Int.init(exactly:))
        case confidence:
          try reader.refuse(twin: score != nil, "confidence")
          score = try reader.double("confidence")
        default: try reader.skip()
        }
      }
      guard score != nil || mayLackConfidence else { throw reader.mismatch("a label has no confidence") }
      guard name != nil || number != nil else { throw reader.mismatch("a label has no text") }
      if let score, let problem = ScoreRule.optional.problem(score, name: "confidence") {
        throw reader.mismatch(problem)
      }
      labels.append(Label(text: name, index: number ?? 0, confidence: score.map { Float($0) } ?? .nan))
    }
    return labels
  }
}
