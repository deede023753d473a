// SPDX-License-Identifier: Apache-2.0

import CLiteRT
import FoveaCore

/// The search for `libLiteRt.so`.
struct LibraryLocator {
  #if os(macOS) || os(iOS)
  static let fileName = "libLiteRt.dylib"
  #else
  static let fileName = "libLiteRt.so"
  #endif

  /// The environment variable that names the library or its folder.
  static let variable = "FOVEA_LITERT_LIBRARY"

  /// The library or folder set in the program, which overrides the variable.
  var chosen: String?
  var environment: (String) -> String? = Environment.value
  /// The file that contains this code: the program, or a shared library that it has loaded.
  var ownPath: String? = LibraryLocator.currentOwnPath()
  var executablePath: String? = LibraryLocator.currentExecutablePath()
  var workingFolder: String? = LibraryLocator.currentWorkingFolder()
  var packageFolder: String? = LibraryLocator.developmentFolder
  var exists: (String) -> Bool = { unsafe access($0, F_OK) == 0 }

  /// Returns the paths to try, in order.
  ///
  /// If the program or the variable sets a path, only that. Otherwise: next to the file that contains this
  /// code and in `fovea` there; next to the executable and in `../lib/fovea` from there; in a `.fovea/lib`
  /// folder (filled by `make setup`) of the ancestors of the executable or the working folder, in debug
  /// builds also of the package; in the user's data folder; and last the bare name, for the system's loader.
  func candidates() -> [String] {
    if let named = chosen ?? environment(Self.variable), !named.isEmpty {
      return [named.hasSuffix("/") ? named + Self.fileName : named, named + "/" + Self.fileName]
    }
    var places: [String] = []
    if let ownPath {
      places += ["/", "/fovea/"].map { Self.parent(of: ownPath) + $0 + Self.fileName }
    }
    if let executablePath {
      let folder = Self.parent(of: executablePath)
      places.append(folder + "/" + Self.fileName)
      places.append(Self.parent(of: folder) + "/lib/fovea/" + Self.fileName)
      places += Self.ancestors(of: folder).map { $0 + "/.fovea/lib/" + Self.fileName }
    }
    if let workingFolder {
      places += Self.ancestors(of: workingFolder).map { $0 + "/.fovea/lib/" + Self.fileName }
    }
    if let packageFolder { places.append(packageFolder + "/.fovea/lib/" + Self.fileName) }
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      places.append(data + "/fovea/lib/" + Self.fileName)
    } else if let home = environment("HOME"), !home.isEmpty {
      places.append(home + "/.local/share/fovea/lib/" + Self.fileName)
    }
    var seen: Set<String> = []
    return places.filter { seen.insert($0).inserted && exists($0) } + [Self.fileName]
  }

  #if DEBUG
  /// The package's folder on the machine that built it.
  ///
  /// Programs under development that depend on the package find the library of its set-up. Release builds
  /// contain no such path.
  private static let developmentFolder: String? = String(
    #filePath.dropLast("/Sources/Engine/FoveaRuntime/Library/LibraryLocator.swift".count))
  #else
  private static let developmentFolder: String? = nil
  #endif

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "" }
    return String(path[..<slash])
  }

  /// Returns the folder and its ancestors, nearest first, without the root.
  private static func ancestors(of folder: String) -> [String] {
    var found: [String] = []
    var current = folder
    while !current.isEmpty, current != "/" {
      found.append(current)
      current = parent(of: current)
    }
    return found
  }

  private static func currentWorkingFolder() -> String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  private static func currentOwnPath() -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe fovea_own_file(&path, path.count)
    guard length > 0 else { return nil }
    return String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func currentExecutablePath() -> String? {
    #if os(Linux)
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
    #else
    return CommandLine.arguments.first
    #endif
  }
}
