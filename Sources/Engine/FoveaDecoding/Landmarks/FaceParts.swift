// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// The outputs of MediaPipe's face mesh with attention: the mesh, and the parts that it refines.
///
/// The points of each part replace those of the mesh, in this order: lips, both eyes, both irises.
///
/// **Source:** MediaPipe, `tensors_to_face_landmarks_with_attention.pbtxt` (the numbers of the points) and
/// `landmarks_refinement_calculator.cc`.
struct FaceParts: Sendable, Hashable {
  private let mesh: LandmarkRows
  /// The rows of each part, in the order of `parts`.
  private let refinements: [LandmarkRows]

  private static let meshCount = 468

  var outputs: [Int] { ([mesh] + refinements).map(\.output) }

  /// Finds the outputs; nil without all of them.
  ///
  /// The outputs of both eyes have the same shape, and so have those of both irises: they are in the order of
  /// the file, as MediaPipe reads them.
  init?(among outputs: [TensorDescription]) {
    guard let mesh = LandmarkRows(rows: Self.meshCount, columns: 3, among: outputs) else { return nil }
    var taken: Set<Int> = []
    var refinements: [LandmarkRows] = []
    for part in Self.parts {
      let found = LandmarkRows.indices(ofWidth: 2 * part.count, among: outputs)
      guard let index = found.first(where: { !taken.contains($0) }) else { return nil }
      taken.insert(index)
      refinements.append(LandmarkRows(output: index, rows: part.count, columns: 2))
    }
    self.mesh = mesh
    self.refinements = refinements
  }

  /// Returns the places of the 478 points in fractions of the input, and z of each in fractions of its width.
  ///
  /// The parts have no z: that of an iris is the mean of the contour of its eye.
  func found(
    _ outputs: [[Float]], of input: PixelSize, _ modelName: String
  ) throws(DetectionError) -> (places: [NormalizedPoint], depths: [Double]) {
    let numbers = try mesh.numbers(outputs, modelName)
    var (places, depths) = (mesh.places(numbers, of: input), mesh.depths(numbers, of: input))
    places += [NormalizedPoint](repeating: NormalizedPoint(x: 0, y: 0), count: 10)
    for eye in Self.parts[1...2] {
      let contour = eye.prefix(Self.contourCount).map { depths[$0] }
      depths += [Double](repeating: contour.reduce(0, +) / Double(contour.count), count: 5)
    }
    for (part, rows) in zip(Self.parts, refinements) {
      for (number, place) in zip(part, rows.places(try rows.numbers(outputs, modelName), of: input)) {
        places[number] = place
      }
    }
    return (places, depths)
  }

  /// The numbers of the points of the lips, of the eyes and of the irises.
  private static let parts: [[Int]] = [
    [
      61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409, 78, 95, 88,
      178, 87, 14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415, 76, 77, 90, 180, 85, 16,
      315, 404, 320, 307, 306, 184, 74, 73, 72, 11, 302, 303, 304, 408, 62, 96, 89, 179, 86, 15, 316, 403,
      319,
      325, 292, 183, 42, 41, 38, 12, 268, 271, 272, 407,
    ],
    eye, eye.map { KeypointSet.faceMesh.mirrored[$0] }, Array(468..<473), Array(473..<478),
  ]

  /// The number of points of an eye that are its contour.
  private static let contourCount = 16

  /// The person's right eye, at the left of the image, with its surroundings, its contour first.
  ///
  /// The other eye has its counterparts.
  private static let eye = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110, 24, 23, 22, 26,
    112, 243, 247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232, 233, 244, 113, 225, 224, 223,
    222,
    221, 189, 35, 124, 46, 53, 52, 65, 143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107,
    55, 193,
  ]
}
