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
}

/// The outputs of a landmark model: points, the probability that the object is there, and for bodies a map of
/// each point.
package struct LandmarkHead: Sendable, Hashable {
  package let family: LandmarkFamily
  let input: PixelSize
  private let points: Int
  private let flag: Int
  private let heat: HeatMaps?

  /// The probability from which an object is there, as in MediaPipe's graphs.
  static let leastFlag: Float = 0.5

  /// Recognises a landmark model by its tensors; nil for other models.
  /// - Parameter signature: The tensors with their shapes at run time.
  package init?(of signature: ModelSignature) {
    let outputs = signature.outputs
    guard signature.inputs.count == 1, let image = ImageShape(signature.inputs[0].shape), image.isFixed,
      !image.isGrey,
      outputs.allSatisfy({ [.float32, .float16, .uint8, .int8].contains($0.elementType) }),
      let flag = outputs.firstIndex(where: { !$0.shape.isEmpty && $0.shape.allSatisfy { $0 == 1 } })
    else { return nil }
    for family in LandmarkFamily.all {
      let count = family.rows * family.columns
      guard
        let points = outputs.firstIndex(where: { output in
          output.shape.count > 1 && output.shape.last == count
            && output.shape.dropLast().allSatisfy { $0 == 1 }
        })
      else { continue }
      self.family = family
      self.points = points
      self.flag = flag
      input = PixelSize(width: image.width, height: image.height)
      heat =
        outputs.indices.lazy.compactMap {
          HeatMaps(output: $0, shape: outputs[$0].shape, points: family.rows)
        }.first
      return
    }
    return nil
  }

  /// The input that models of all families expect.
  ///
  /// **Source:** MediaPipe, `pose_landmark_by_roi_cpu.pbtxt`, `face_landmark_cpu.pbtxt`,
  /// `hand_landmark_cpu.pbtxt` (0…1).
  package var usualInput: DetectorInput { DetectorInput(normalization: .fractions, usesTwoTaps: true) }

  /// Reads the outputs of one run.
  /// - Parameters:
  ///   - outputs: All outputs as real numbers, in the order of the signature.
  ///   - modelName: The model's name in errors.
  /// - Returns: The points; nil if the object is not there.
  /// - Throws: `invalidOutput` for numbers that are not finite, and a flag that is not a probability.
  package func read(_ outputs: [[Float]], modelName: String) throws(DetectionError) -> LandmarkPoints? {
    let count = family.rows * family.columns
    guard outputs.indices.contains(points), outputs.indices.contains(flag), outputs[points].count == count,
      outputs[flag].count == 1
    else {
      throw Self.invalid(modelName, "\(outputs.map(\.count)) numbers; \(count) and 1 are expected")
    }
    let number = outputs[flag][0]
    let probability = family.flag == .logit ? sigmoid(number) : number
    // Also if it is not a number.
    guard (-0.01...1.01).contains(probability) else {
      throw Self.invalid(modelName, "\(number) as the probability of \(family.subject)")
    }
    guard probability >= Self.leastFlag else { return nil }
    let rows = outputs[points]
    guard let wrong = rows.first(where: { !$0.isFinite }) else {
      return try found(rows, heat.map { heat throws(DetectionError) in try heat.maps(outputs, modelName) })
    }
    throw Self.invalid(modelName, "\(wrong) as a coordinate of a point")
  }

  private func found(_ rows: [Float], _ maps: HeatMaps.Numbers?) -> LandmarkPoints {
    var found = LandmarkPoints(points: [], scores: [])
    for point in 0..<family.rows {
      let start = point * family.columns
      var place = NormalizedPoint(
        x: Double(rows[start]) / Double(input.width), y: Double(rows[start + 1]) / Double(input.height))
      place = maps?.refined(place, map: point) ?? place
      guard point < family.pointCount else {
        found.helpers.append(place)
        continue
      }
      found.points.append(place)
      if let visibility = family.visibility { found.scores.append(sigmoid(rows[start + visibility])) }
    }
    return found
  }

  static func invalid(_ modelName: String, _ what: String) -> DetectionError {
    DetectionError(
      .invalidOutput, "'\(modelName)' returned \(what)",
      remedy: "Check the model with the tool that exported it")
  }
}
