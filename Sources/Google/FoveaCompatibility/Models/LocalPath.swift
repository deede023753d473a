// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The location of a file that an app names by a path, a URL or the name of a bundle resource.
enum LocalPath {
  /// Finds the file.
  /// - Parameters:
  ///   - text: A path, absolute or relative to the working directory, or a percent-encoded `file://` URL.
  ///   - bundleFolder: The folder of the app's resources; a relative path that leads to no file is tried
  ///     there.
  /// - Returns: The path of the file; if there is none, the path outside the bundle.
  static func resolve(_ text: String, bundleFolder: String? = Bundle.main.resourcePath) -> String {
    let path = filePath(url: text) ?? text
    guard !path.isEmpty, !path.hasPrefix("/"), let bundleFolder,
      !FileManager.default.fileExists(atPath: path)
    else { return path }
    let inBundle = bundleFolder + "/" + path
    return FileManager.default.fileExists(atPath: inBundle) ? inBundle : path
  }

  /// Returns the path of a `file://` URL of this machine; nil for all other strings.
  private static func filePath(url text: String) -> String? {
    let scheme = "file://"
    guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let host = rest[..<slash].lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    // A percent sign that does not start a code is part of the name.
    let path = String(rest[slash...])
    return path.removingPercentEncoding ?? path
  }
}
