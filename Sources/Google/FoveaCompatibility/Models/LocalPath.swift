// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the file lies that an app names by a path, by the text of a URL or by a name in its bundle.
enum LocalPath {
  /// Finds the file.
  /// - Parameters:
  ///   - text: A path, absolute or relative to the working directory, or the text of a `file://` URL, percent-encoded.
  ///   - bundleFolder: Where the resources of the app lie; a relative path that leads nowhere is looked for there.
  /// - Returns: The path of the file; where there is none, the one that was looked for first.
  static func resolve(_ text: String, bundleFolder: String? = Bundle.main.resourcePath) -> String {
    let path = filePath(url: text) ?? text
    guard !path.isEmpty, !path.hasPrefix("/"), let bundleFolder,
      !FileManager.default.fileExists(atPath: path)
    else { return path }
    let inBundle = bundleFolder + "/" + path
    return FileManager.default.fileExists(atPath: inBundle) ? inBundle : path
  }

  /// The path of a `file://` URL of this machine; nil for everything else.
  private static func filePath(url text: String) -> String? {
    let scheme = "file://"
    guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let host = rest[..<slash].lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    // A percent sign that begins no code is one of the name's.
    let path = String(rest[slash...])
    return path.removingPercentEncoding ?? path
  }
}
