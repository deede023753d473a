// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

/// A `.task` bundle of MediaPipe: a ZIP archive with a detector and the landmark model that follows it.
///
/// **Source:** MediaPipe, `tasks/cc/vision/pose_landmarker/pose_landmarker_graph.cc`,
/// `face_landmarker_graph.cc` and `hand_landmarker_graph.cc`, which name the files.
struct TaskBundle {
  let detector: ModelSource
  let landmarks: ModelSource

  private static let ending = ".task"
  private static let landmarksEnding = "landmarks_detector.tflite"
  private static let detectorEnding = "detector.tflite"

  /// Opens a bundle; nil for other sources, other file names, and bytes that do not begin like an archive.
  /// - Throws: The errors of reading the archive; `model-unsupported` without the two models.
  init?(_ source: ModelSource?) throws {
    guard let bytes = try Self.bytes(of: source) else { return nil }
    let archive = try LoadedModel.parts(of: bytes) { bytes throws(MetadataError) in
      let archive = try ModelArchive.read(bytes)
      if archive == nil, Self.beginsAsArchive(bytes) {
        throw .archive("The archive is damaged: its end is missing")
      }
      return archive
    }
    let names = archive?.entries.map(\.name) ?? []
    let path = bytes.name
    guard let archive, let landmarks = names.first(where: { $0.hasSuffix(Self.landmarksEnding) }),
      let detector = names.first(where: {
        $0.hasSuffix(Self.detectorEnding) && !$0.hasSuffix(Self.landmarksEnding)
      })
    else {
      let contents =
        switch archive?.entries.isEmpty {
        case nil: "it is not a ZIP archive"
        case true?: "it is an empty archive"
        case false?: "its files are \(names.joined(separator: ", "))"
        }
      throw FoveaError(
        FoveaCode(RuntimeCode.modelUnsupported),
        "'\(path)' has no detector with a landmark model; \(contents)",
        remedy:
          "Use MediaPipe's pose_landmarker, face_landmarker or hand_landmarker, or unpack it and use a "
          + ".tflite file"
      )
    }
    func model(_ name: String) throws -> ModelSource {
      let contents = try LoadedModel.parts(of: bytes) { bytes throws(MetadataError) in
        try archive.contents(of: name, in: bytes)
      }
      return .memory(ModelBytes(contents, name: "\(path)/\(name)"))
    }
    self.detector = try model(detector)
    self.landmarks = try model(landmarks)
  }

  private static func bytes(of source: ModelSource?) throws -> ModelBytes? {
    switch source?.storage {
    case .path(let path)? where path.lowercased().hasSuffix(ending):
      return try ModelBytes(path: ModelBundle.open(path).modelPath)
    case .memory(let memory)?:
      return memory.bytes.withSpan(beginsAsArchive) ? memory.bytes : nil
    default: return nil
    }
  }

  /// Whether bytes begin with "PK", 3, 4, the first entry of a ZIP archive; a model begins with a number and
  /// "TFL3".
  private static func beginsAsArchive(_ bytes: Span<UInt8>) -> Bool {
    bytes.count > 4 && bytes[0] == 0x50 && bytes[1] == 0x4b && bytes[2] == 3 && bytes[3] == 4
  }
}
