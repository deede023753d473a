// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// The points that a landmark model finds in a crop.
package struct LandmarkPoints: Sendable, Hashable {
  /// The points in fractions of the crop, in the model's order; they may lie outside it.
  package var points: [NormalizedPoint]
  /// The probability of each point to be visible, 0…1; empty for models without it.
  package var scores: [Float]
  /// z of each point in fractions of the crop's width, smaller for points nearer to the camera; empty for
  /// models without it.
  package var depths: [Double] = []
  /// The probability of each point to be in the image, 0…1; empty for models without it.
  package var presences: [Float] = []
  /// Each point in metres from the middle of the object, in the axes of the crop; empty for models without
  /// them.
  package var world: [SIMD3<Float>] = []
  /// The probability that a hand is a right one, 0…1; nil for models without it.
  package var rightHand: Float?
  /// The points that only help to find the crop of the next frame, in the same fractions; empty for faces and
  /// hands.
  package var helpers: [NormalizedPoint] = []
  /// The probability that the object is there, 0…1; without a flag, the mean of the scores.
  package var score: Float = 0
}

/// The outputs of a landmark model: points, the probability that the object is there, and for bodies a map of
/// each point.
package struct LandmarkHead: Sendable, Hashable {
  /// The outputs with the points.
  private enum Places: Sendable, Hashable {
    case rows(LandmarkRows, HeatMaps?)
    case parts(FaceParts)
    case axes(PlaceAxes)
  }

  package let family: LandmarkFamily
  let input: PixelSize
  private let places: Places
  /// The output with the probability that the object is there; nil for families without one.
  private let flag: Int?
  private let handedness: Int?
  private let world: LandmarkRows?

  /// The probability from which an object is there, as in MediaPipe's graphs.
  static let leastFlag: Float = 0.5

  /// Recognises a landmark model by its tensors; nil for other models.
  /// - Parameter signature: The tensors with their shapes at run time.
  package init?(of signature: ModelSignature) {
    let outputs = signature.outputs
    guard signature.inputs.count == 1, let image = ImageShape(signature.inputs[0].shape), image.isFixed,
      !image.isGrey,
      outputs.allSatisfy({ [.float32, .float16, .uint8, .int8].contains($0.elementType) })
    else { return nil }
    let input = PixelSize(width: image.width, height: image.height)
    let scalars = outputs.indices.filter { index in
      !outputs[index].shape.isEmpty && outputs[index].shape.allSatisfy { $0 == 1 }
    }
    for family in LandmarkFamily.all {
      guard family.flag == .none || !scalars.isEmpty,
        let places = Self.places(of: family, input: input, among: outputs)
      else { continue }
      self.family = family
      self.places = places
      flag = family.flag == .none ? nil : scalars.first
      handedness = family.hasHandedness ? scalars.dropFirst().first : nil
      world = Self.world(of: family, places, among: outputs)
      self.input = input
      return
    }
    return nil
  }

  /// Finds the outputs with the points of a family; nil without them.
  private static func places(
    of family: LandmarkFamily, input: PixelSize, among outputs: [TensorDescription]
  ) -> Places? {
    switch family.layout {
    case .row(let columns):
      let heat = outputs.indices.lazy.compactMap {
        HeatMaps(output: $0, shape: outputs[$0].shape, points: family.rows)
      }.first
      return LandmarkRows(rows: family.rows, columns: columns, among: outputs).map { .rows($0, heat) }
    case .faceParts: return FaceParts(among: outputs).map(Places.parts)
    case .axes:
      return PlaceAxes(points: family.rows, input: input, among: outputs).map(Places.axes)
    }
  }

  /// Finds the output with the points in metres, another one than that with the points; nil without it.
  private static func world(
    of family: LandmarkFamily, _ places: Places, among outputs: [TensorDescription]
  ) -> LandmarkRows? {
    guard family.hasWorld, case .rows(let points, _) = places else { return nil }
    let found = LandmarkRows.indices(ofWidth: family.rows * 3, among: outputs).first { $0 != points.output }
    return found.map { LandmarkRows(output: $0, rows: family.rows, columns: 3) }
  }

  /// The outputs that `read` reads.
  package var outputs: Set<Int> {
    let places: [Int] =
      switch self.places {
      case .rows(let rows, let heat): [rows.output] + [heat?.output].compactMap(\.self)
      case .parts(let parts): parts.outputs
      case .axes(let axes): [axes.x, axes.y]
      }
    return Set(places + [flag, handedness, world?.output].compactMap(\.self))
  }

  /// Whether an output is the probability of a right hand.
  package var hasHandedness: Bool { handedness != nil }

  /// The input that models of the family expect.
  ///
  /// **Source:** MediaPipe, `pose_landmark_by_roi_cpu.pbtxt`, `face_landmark_cpu.pbtxt`,
  /// `hand_landmark_cpu.pbtxt` (0…1).
  package var usualInput: DetectorInput { family.input }

  /// The crop of a person's box, which has the proportions of the input.
  package var cropOfPerson: LandmarkCrop { .ofPerson(input) }

  /// Reads the outputs of one run.
  /// - Parameters:
  ///   - outputs: All outputs as real numbers, in the order of the signature.
  ///   - least: The least probability of an object that is there; nil for the usual one.
  ///   - modelName: The model's name in errors.
  /// - Returns: The points; nil if the object is not there.
  /// - Throws: `invalidOutput` for numbers that are not finite, a point far outside the input or far away in
  ///   z or metres, and a flag or side that is not a probability.
  package func read(
    _ outputs: [[Float]], least: Float? = nil, modelName: String
  ) throws(DetectionError) -> LandmarkPoints? {
    let probability = try flag.map { flag throws(DetectionError) in
      try self.probability(outputs, flag, of: family.subject, isLogit: family.flag == .logit, modelName)
    }
    if let probability, probability < least ?? Self.leastFlag { return nil }
    var found: LandmarkPoints
    switch places {
    case .rows(let rows, let heat): found = try points(outputs, rows, heat, modelName)
    case .parts(let parts):
      let (places, depths) = try parts.found(outputs, of: input, modelName)
      found = LandmarkPoints(points: places, scores: [], depths: depths)
    case .axes(let axes):
      let (places, scores) = try axes.found(outputs, modelName)
      found = LandmarkPoints(points: places, scores: scores)
    }
    found.world = try metres(outputs, modelName)
    found.rightHand = try handedness.map { handedness throws(DetectionError) in
      try self.probability(outputs, handedness, of: "a right hand", isLogit: false, modelName)
    }
    found.score = probability ?? found.scores.reduce(0, +) / Float(max(found.scores.count, 1))
    guard found.score >= least ?? 0 else { return nil }
    if let wrong = (found.points + found.helpers).first(where: { !$0.isPlausible }) {
      throw Self.invalid(modelName, wrong.problem("a point"))
    }
    try Self.check(found.depths, as: "z of a point in widths of the input", modelName)
    try Self.check(
      found.world.flatMap { [Double($0.x), Double($0.y), Double($0.z)] },
      as: "a coordinate of a point in metres",
      modelName)
    return found
  }

  /// Throws for a number that is as far away as no point is, in widths or in metres.
  private static func check(_ numbers: [Double], as what: String, _ modelName: String) throws(DetectionError)
  {
    let farthest = NormalizedPoint.farthest
    guard let wrong = numbers.first(where: { abs($0) > farthest }) else { return }
    throw invalid(modelName, "\(wrong) as \(what), expected -\(Int(farthest)) to \(Int(farthest))")
  }

  /// Returns a probability, which rounding may have moved out of 0…1 by a hundredth.
  private func probability(
    _ outputs: [[Float]], _ output: Int, of what: String, isLogit: Bool, _ modelName: String
  ) throws(DetectionError) -> Float {
    guard outputs.indices.contains(output), outputs[output].count == 1 else {
      throw Self.invalid(
        modelName, "\(outputs.map(\.count)) numbers; one is expected as the probability of \(what)")
    }
    let number = outputs[output][0]
    let probability = isLogit ? sigmoid(number) : number
    // Also if it is not a number.
    guard isScore(number, areLogits: isLogit), (-0.01...1.01).contains(probability) else {
      throw Self.invalid(
        modelName, "\(number.shown) as the probability of \(what), expected 0 to 1")
    }
    return min(max(probability, 0), 1)
  }

  /// Returns the reported points in metres; empty for models without them.
  private func metres(_ outputs: [[Float]], _ modelName: String) throws(DetectionError) -> [SIMD3<Float>] {
    guard let world else { return [] }
    let numbers = try world.numbers(outputs, first: family.pointCount, unit: " in metres", modelName)
    return (0..<family.pointCount).map {
      SIMD3(numbers[$0 * 3], numbers[$0 * 3 + 1], numbers[$0 * 3 + 2])
    }
  }

  private func points(
    _ outputs: [[Float]], _ rows: LandmarkRows, _ heat: HeatMaps?, _ modelName: String
  ) throws(DetectionError) -> LandmarkPoints {
    let numbers = try rows.numbers(outputs, modelName)
    let maps = try heat.map { heat throws(DetectionError) in try heat.maps(outputs, modelName) }
    var places = rows.places(numbers, of: input)
    if let maps {
      for point in places.indices { places[point] = maps.refined(places[point], map: point) }
    }
    func probabilities(_ column: Int?) -> [Float] {
      guard let column else { return [] }
      return (0..<family.pointCount).map { sigmoid(numbers[$0 * rows.columns + column]) }
    }
    return LandmarkPoints(
      points: Array(places.prefix(family.pointCount)), scores: probabilities(family.visibility),
      depths: rows.depths(numbers, of: input).prefix(family.pointCount).map { $0 * family.depthScale },
      presences: probabilities(family.presence), helpers: Array(places.dropFirst(family.pointCount)))
  }

  static func invalid(_ modelName: String, _ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' returned \(what)",
      remedy: "Check the model with the tool that exported it")
  }
}
