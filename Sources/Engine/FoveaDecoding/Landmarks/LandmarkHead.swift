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
    let flag = outputs.firstIndex { !$0.shape.isEmpty && $0.shape.allSatisfy { $0 == 1 } }
    for family in LandmarkFamily.all {
      guard family.flag == .none || flag != nil,
        let places = Self.places(of: family, input: input, among: outputs)
      else { continue }
      self.family = family
      self.places = places
      self.flag = family.flag == .none ? nil : flag
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
  /// - Throws: `invalidOutput` for numbers that are not finite, and a flag that is not a probability.
  package func read(
    _ outputs: [[Float]], least: Float? = nil, modelName: String
  ) throws(DetectionError) -> LandmarkPoints? {
    let probability = try flag.map { flag throws(DetectionError) in
      try self.probability(outputs, flag, modelName)
    }
    if let probability, probability < least ?? Self.leastFlag { return nil }
    var found: LandmarkPoints
    switch places {
    case .rows(let rows, let heat): found = try points(outputs, rows, heat, modelName)
    case .parts(let parts):
      found = LandmarkPoints(points: try parts.places(outputs, of: input, modelName), scores: [])
    case .axes(let axes):
      let (places, scores) = try axes.found(outputs, modelName)
      found = LandmarkPoints(points: places, scores: scores)
    }
    found.score = probability ?? found.scores.reduce(0, +) / Float(max(found.scores.count, 1))
    return found.score >= least ?? 0 ? found : nil
  }

  private func probability(
    _ outputs: [[Float]], _ flag: Int, _ modelName: String
  ) throws(DetectionError) -> Float {
    guard outputs.indices.contains(flag), outputs[flag].count == 1 else {
      throw Self.invalid(modelName, "\(outputs.map(\.count)) numbers; one is expected as the probability")
    }
    let number = outputs[flag][0]
    let probability = family.flag == .logit ? sigmoid(number) : number
    // Also if it is not a number.
    guard (-0.01...1.01).contains(probability) else {
      throw Self.invalid(modelName, "\(number) as the probability of \(family.subject)")
    }
    return min(max(probability, 0), 1)
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
    let scores = family.visibility.map { column in
      (0..<family.pointCount).map { sigmoid(numbers[$0 * rows.columns + column]) }
    }
    return LandmarkPoints(
      points: Array(places.prefix(family.pointCount)), scores: scores ?? [],
      helpers: Array(places.dropFirst(family.pointCount)))
  }

  static func invalid(_ modelName: String, _ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' returned \(what)",
      remedy: "Check the model with the tool that exported it")
  }
}
