// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// A `.task` bundle of MediaPipe: a ZIP archive of models, of which Fovea uses a detector with the landmark
/// model that follows it, or the only segmentation model.
///
/// **Source:** MediaPipe, `tasks/cc/vision/pose_landmarker/pose_landmarker_graph.cc`,
/// `face_landmarker_graph.cc` and `hand_landmarker_graph.cc`, which name the files.
struct TaskBundle {
  /// The models that Fovea uses together, or why it uses none.
  private enum Contents {
    case landmarker(detector: String, landmarks: String)
    case segmenter(String)
    /// A clause about the files, and the next step.
    case other(String, Advice)
  }

  /// The whole archive.
  let bytes: ModelBytes
  private let archive: ModelArchive

  private static let ending = ".task"
  private static let modelEnding = ".tflite"
  private static let landmarksEnding = "landmarks_detector.tflite"
  private static let detectorEnding = "detector.tflite"
  /// The maximum number of models that are examined, and of files that errors list; MediaPipe's largest
  /// bundle has 7.
  private static let mostFiles = 8

  /// Opens a bundle; nil for other sources, other file names, and bytes without an archive of models.
  /// - Throws: The errors of reading the file and the archive.
  init?(_ source: ModelSource?) throws {
    let bytes: ModelBytes
    let hasName: Bool
    switch source?.storage {
    case .path(let path)? where path.lowercased().hasSuffix(Self.ending):
      bytes = try ModelBytes(path: ModelBundle.open(path).modelPath)
      hasName = true
    case .memory(let memory)?: (bytes, hasName) = (memory.bytes, false)
    default: return nil
    }
    guard bytes.withSpan(Self.beginsAsArchive) else { return nil }
    let archive = try LoadedModel.parts(of: bytes) { bytes throws(MetadataError) in
      guard let archive = try ModelArchive.read(bytes) else {
        throw .archive("The archive is damaged: its end is missing")
      }
      return archive
    }
    guard hasName || archive.entries.contains(where: { Self.isModel($0.name) }) else { return nil }
    self.bytes = bytes
    self.archive = archive
  }

  /// Returns whether bytes begin with "PK", as an archive does, even an empty one; a model begins with a
  /// number and "TFL3".
  ///
  /// **Source:** PKWARE, APPNOTE.TXT, sections 4.3.7 and 4.3.16.
  private static func beginsAsArchive(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 4, bytes[0] == 0x50, bytes[1] == 0x4b else { return false }
    return bytes[2] == 3 && bytes[3] == 4 || bytes[2] == 5 && bytes[3] == 6
  }

  private static func isModel(_ name: String) -> Bool { name.lowercased().hasSuffix(modelEnding) }
}

extension TaskBundle {
  /// Returns the detector and the landmark model that follows it.
  /// - Throws: `model-unsupported` for other bundles; the errors of reading the archive.
  func landmarker() throws -> (detector: ModelSource, landmarks: ModelSource) {
    let what = "has no detector with a landmark model"
    switch try contents() {
    case .landmarker(let detector, let landmarks): return (try model(detector), try model(landmarks))
    case .segmenter(let name):
      throw error("\(what); '\(name.printable)' is a segmentation model", "Use \(term: .segmenter())")
    case .other(let files, let remedy): throw error("\(what); \(files)", remedy)
    }
  }

  /// Returns the landmark model: the one that follows a detector, or the bundle's only model.
  /// - Throws: `model-unsupported` for other bundles; the errors of reading the archive.
  func landmarks() throws -> ModelSource {
    let models = archive.entries.map(\.name).filter(Self.isModel)
    guard models.count == 1, models[0].hasSuffix(Self.landmarksEnding) else {
      return try landmarker().landmarks
    }
    return try model(models[0])
  }

  /// Returns the only segmentation model.
  /// - Throws: `model-unsupported` for other bundles; the errors of reading the archive.
  func segmenter() throws -> ModelSource {
    switch try contents() {
    case .segmenter(let name): return try model(name)
    case .landmarker(let detector, let landmarks):
      throw error(
        "has no segmentation model; \(Self.pair(detector, landmarks))", "Use \(term: .detector)")
    case .other(let files, let remedy): throw error("is not a segmentation model; \(files)", remedy)
    }
  }

  /// Returns the model that names the bundle in a report, and a note about its part in the bundle: the
  /// detector, or the only segmentation model.
  /// - Parameter options: The caller's description of the detector.
  /// - Returns: The model, and the note as a sentence without the full stop.
  /// - Throws: `model-invalid` for other bundles; the errors of reading the archive; those of
  ///   `ObjectDetector` for a detector whose objects the landmark model cannot follow.
  func first(_ options: ObjectDetector.Options) throws -> (model: ModelSource, note: String) {
    switch try contents() {
    case .landmarker(let detector, let landmarks):
      try checkPair(options)
      return (
        try model(detector),
        "'\(bytes.name)' is a bundle: \(Self.pair(detector, landmarks))"
      )
    case .segmenter(let name):
      return (
        try model(name), "'\(bytes.name)' is a bundle, and '\(name.printable)' is its segmentation model"
      )
    case .other: throw try refusal()
    }
  }

  /// Verifies that `ObjectDetector` can use the detector with the landmark model.
  private func checkPair(_ options: ObjectDetector.Options) throws {
    _ = try DetectionPlan(model: .memory(bytes), options: options)
  }

  /// Returns the error of a bundle that was given instead of one model.
  /// - Throws: The errors of reading the archive; those of `ObjectDetector` for a detector whose objects the
  ///   landmark model cannot follow.
  func refusal() throws -> FoveaError {
    let contents = try contents()
    // Otherwise the remedy would name a worker that refuses the bundle.
    if case .landmarker = contents { try checkPair(ObjectDetector.Options()) }
    let (what, remedy): (String, Advice) =
      switch contents {
      case .landmarker(let detector, let landmarks):
        (
          Self.pair(detector, landmarks),
          "Use \(term: .detector), or unpack the bundle and use one of its files"
        )
      case .segmenter(let name):
        (
          "'\(name.printable)' is a segmentation model",
          "Use \(term: .segmenter()), or unpack the bundle and use that file"
        )
      case .other(let files, let remedy): (files, remedy)
      }
    var error = error("is a bundle, not one model: \(what)", remedy)
    error.code = FoveaCode(RuntimeCode.modelInvalid)
    return error
  }

  private static func pair(_ detector: String, _ landmarks: String) -> String {
    "the landmark model '\(landmarks.printable)' follows the detector '\(detector.printable)'"
  }

  private func error(_ what: String, _ remedy: Advice) -> FoveaError {
    FoveaError(FoveaCode(RuntimeCode.modelUnsupported), "'\(bytes.name)' \(what)", remedy: remedy)
  }

  private func model(_ name: String) throws -> ModelSource {
    let contents = try LoadedModel.parts(of: bytes) { bytes throws(MetadataError) in
      try archive.contents(of: name, in: bytes)
    }
    return .memory(ModelBytes(contents, name: "\(bytes.name)/\(name.printable)"))
  }
}

extension TaskBundle {
  private static let usual: Advice =
    "Use MediaPipe's pose_landmarker, face_landmarker or hand_landmarker, or unpack it and use a .tflite file"

  /// - Throws: `model-unsupported` for several detectors with a landmark model; the errors of the only model.
  private func contents() throws -> Contents {
    let models = archive.entries.map(\.name).filter(Self.isModel)
    let pairs = Self.pairs(models)
    if pairs.count == 1 { return .landmarker(detector: pairs[0].detector, landmarks: pairs[0].landmarks) }
    guard pairs.isEmpty else {
      let names = pairs.map { "'\($0.detector.printable)' and '\($0.landmarks.printable)'" }
      throw error(
        "has \(pairs.count) detectors with a landmark model: " + names.joined(separator: ", "),
        "Unpack it, and use one detector with its landmark model as \(option: "landmarks")")
    }
    guard models.count <= Self.mostFiles else { return .other(files([:]), Self.usual) }
    var kinds: [String: ModelKind] = [:]
    for name in models {
      do { kinds[name] = ModelProfile(try LoadedModel(model(name)), ObjectDetector.Options()).kind } catch {
        // The error of the only model is more exact than the list of files.
        guard models.count > 1 else { throw error }
      }
    }
    let segmenters = kinds.filter { if case .segmenter = $0.value { true } else { false } }.keys
    if segmenters.count == 1, let name = segmenters.first { return .segmenter(name) }
    let usable = models.lazy.compactMap { name in
      kinds[name]?.use.map { use -> Advice in
        "Unpack it, and use '\(name.printable)' with \(term: use.worker)"
      }
    }
    return .other(files(kinds), usable.first ?? Self.usual)
  }

  /// Returns the detectors with the landmark model that follows each: the only one of both, or those whose
  /// names begin alike.
  private static func pairs(_ models: [String]) -> [(detector: String, landmarks: String)] {
    let landmarks = models.filter { $0.hasSuffix(landmarksEnding) }
    let detectors = models.filter { $0.hasSuffix(detectorEnding) && !$0.hasSuffix(landmarksEnding) }
    if landmarks.count == 1, detectors.count == 1 { return [(detectors[0], landmarks[0])] }
    return landmarks.compactMap { landmarks in
      let detector = landmarks.dropLast(landmarksEnding.count) + detectorEnding
      return detectors.first { $0 == detector }.map { ($0, landmarks) }
    }
  }

  private func files(_ kinds: [String: ModelKind]) -> String {
    guard !archive.entries.isEmpty else { return "it is an empty archive" }
    let names = archive.entries.prefix(Self.mostFiles).map { entry in
      entry.name.printable + (kinds[entry.name]?.use.map { " (\($0.noun))" } ?? "")
    }
    return "its files are " + names.joined(separator: ", ")
      + (archive.entries.count > Self.mostFiles ? ", …" : "")
  }
}
