// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The large test data next to the repository, in `../shared/data`: models, photos, goldens.
///
/// A machine without it still passes all tests: those that need it are skipped with `SharedData.missing` as
/// the reason. `FOVEA_SHARED_DATA` names another folder.
public enum SharedData {
  /// The folder, whether it exists or not.
  public static let root: String =
    ProcessInfo.processInfo.environment["FOVEA_SHARED_DATA"]
    ?? PackageRoot.path + "/../shared/data"

  /// Whether the folder exists.
  public static let isPresent = FileManager.default.fileExists(atPath: root)

  /// The reason for skipping a test that needs the data.
  public static let missing = "needs the shared test data (../shared/data or FOVEA_SHARED_DATA)"

  /// Returns the path of a file in the shared data, for example `path("models/detect/yolox_nano.tflite")`.
  public static func path(_ relative: String) -> String { root + "/" + relative }

  /// Returns the bytes of a file in the shared data.
  /// - Throws: The file system's error if the file cannot be read.
  public static func bytes(_ relative: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(relative))))
  }
}

/// The folder that holds `Package.swift`.
public enum PackageRoot {
  /// The absolute path, without a trailing slash.
  public static let path: String = String(
    #filePath.dropLast("/Tests/Support/FoveaTesting/SharedData.swift".count))
}
