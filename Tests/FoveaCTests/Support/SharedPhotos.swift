// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTesting

/// Files of the repository.
enum PackageFile {
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

/// Photos of the shared test data.
enum SharedPhotos {
  /// The JPEG files of a folder.
  static func paths(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: SharedData.path(folder)).filter {
      $0.hasSuffix(".jpg")
    }
    .sorted().map { SharedData.path(folder + "/" + $0) }
  }
}
