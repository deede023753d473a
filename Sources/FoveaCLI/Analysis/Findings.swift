// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaGeometry
import FoveaLabeling
import FoveaRender

/// What was found in one image, as every writer needs it.
struct Findings: Sendable, Equatable {
  /// The answer of the command: boxes or labels.
  enum Content: Sendable, Equatable {
    case objects([DetectedObject])
    case labels([Label])
  }

  /// The pixels that boxes refer to.
  enum Space: String, Sendable {
    case stored, upright
  }

  /// The size of the image in `space`.
  var size: PixelSize
  /// How the stored image must be turned to be upright.
  var orientation: Orientation
  var space = Space.stored
  var content: Content
  var timings = StageTimings()

  /// How many objects (or labels) there are.
  var count: Int {
    switch content {
    case .objects(let objects): objects.count
    case .labels(let labels): labels.count
    }
  }

  /// The same with boxes and size in pixels of the upright image.
  func upright() -> Findings {
    guard space == .stored else { return self }
    var turned = self
    turned.space = .upright
    turned.size = orientation.uprightSize(ofStored: size)
    if case .objects(let objects) = content {
      turned.content = .objects(
        objects.map { $0.upright(orientation, stored: size) })
    }
    return turned
  }

  /// Refuses numbers that no output format can carry.
  func checkNumbers() throws(FoveaError) {
    let isFinite =
      switch content {
      case .objects(let objects): objects.allSatisfy(Findings.isFinite)
      case .labels(let labels): labels.allSatisfy { $0.confidence.isFinite }
      }
    guard isFinite else {
      throw FoveaError(
        .resultNotFinite,
        "the model answered a box or score that is not a finite number",
        remedy: "Check the model's normalisation (--normalize) or use another model")
    }
  }

  private static func isFinite(_ object: DetectedObject) -> Bool {
    object.box.minX.isFinite && object.box.minY.isFinite && object.box.maxX.isFinite
      && object.box.maxY.isFinite && object.score.isFinite
      && object.labels.allSatisfy { $0.confidence.isFinite } && object.keypoints.allSatisfy(\.isFinite)
  }
}

/// The outcome for one input, under the name that results and messages give it.
struct Record: Sendable {
  var name: ImageName
  var result: Result<Findings, FoveaError>
  /// The image, small, where a report wants it.
  var thumbnail: Thumbnail?

  /// The name as text.
  var image: String { name.text }
}

extension Record {
  /// A record of an image whose name is text.
  init(image: String, result: Result<Findings, FoveaError>) {
    self.init(name: ImageName(image), result: result)
  }
}
