// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Fovea
import FoveaGeometry
import FoveaImage

/// An image that all tasks use: a file, the bytes of a file, or pixels that they read in the same memory.
struct SampleImage: Sendable {
  enum Content: Sendable {
    case file(String)
    case bytes([UInt8])
    case pixels(PixelBuffer)
  }
  let name: String
  let content: Content

  var input: ImageInput {
    switch content {
    case .file(let path): .file(path)
    case .bytes(let bytes): .data(bytes, name: name)
    case .pixels(let buffer): .pixels(buffer)
    }
  }

  /// The bundled photos and, if the shared data exist, photos of COCO, as files and as bytes; frames in four
  /// formats.
  static func all() throws -> [SampleImage] {
    var samples: [SampleImage] = []
    for path in try photos() {
      samples.append(SampleImage(name: path, content: .file(path)))
      samples.append(
        SampleImage(
          name: "bytes of \(path)", content: .bytes([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        ))
    }
    return try samples
      + GeneratedFrame.all().map { SampleImage(name: $0.name, content: .pixels(try $0.buffer())) }
  }

  private static func photos() throws -> [String] {
    let bundled = PackageFolder.path + "/Examples/photos"
    let shared = ProcessInfo.processInfo.environment["FOVEA_SHARED_DATA"].map { $0 + "/coco/images" }
    return try files(in: bundled) + (try shared.map(files)?.prefix(12) ?? [])
  }

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }
      .sorted().map { folder + "/" + $0 }
  }
}

/// The folder of the checked package.
enum PackageFolder {
  static let path = String(
    #filePath.dropLast("/Tests/ThreadSafety/Sources/ThreadSafety/SampleImage.swift".count))
}
