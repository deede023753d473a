// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import FoveaTraining

extension ImageList {
  /// Returns the images as photos to compare models on, which are used only during the call.
  /// - Throws: `argument-invalid`, `option-invalid` for an invalid struct.
  func comparedPhotos() throws(FoveaError) -> [ComparedPhoto] {
    var photos: [ComparedPhoto] = []
    for index in 0..<count {
      let image = try self[index]
      guard image.region == nil else {
        throw .argument(
          "'region' is set, whole photos expected", remedy: "Set it to 0", subject: image.name)
      }
      let name = try image.path ?? image.name
      photos.append(ComparedPhoto(name: name) { () throws(FoveaError) in try self[index].input() })
    }
    return photos
  }
}

extension ModelSource {
  /// Returns the model of a C argument that has no default.
  static func required(
    _ argument: UnsafePointer<fovea_model>?, _ name: String
  ) throws(FoveaError) -> ModelSource {
    guard let source = unsafe try named(argument) else {
      throw .argument("'\(name)' names no model", remedy: "Name a .tflite file")
    }
    return source
  }
}

extension CallArgument {
  /// Reports a part of the work, 0…1, as a number of thousandths.
  func report(part: Double) { report(Int((1_000 * part).rounded()), of: 1_000) }
}

extension JSONText {
  /// Adds a member with an object for each error, in the words of the C interface.
  mutating func member(_ name: StaticString, errors: [FoveaError]) {
    objects(name, errors) { json, error in
      json.member("subject", error.subject)
      json.member("code", error.code.rawValue)
      json.member("message", error.messageForC)
      json.member("remedy", error.remedyForC)
    }
  }
}

extension NamedOptions {
  func quantizerOptions() throws(FoveaError) -> Quantizer.Options {
    try check(for: .quantizer)
    var rules = Quantizer.Options()
    rules.model = detector
    rules.leastAgreement = leastAgreement ?? rules.leastAgreement
    rules.keptLayers = keptLayers
    rules.mostFloatLayers = mostFloatLayers ?? rules.mostFloatLayers
    rules.groundTruth = groundTruth
    return rules
  }

  func comparisonOptions() throws(FoveaError) -> ObjectDetector.Options {
    try check(for: .comparison)
    return detector
  }
}
