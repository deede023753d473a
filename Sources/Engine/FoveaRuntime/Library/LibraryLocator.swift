// SPDX-License-Identifier: Apache-2.0

import CLiteRT
import FoveaCore

/// Where `libLiteRt.so` may be.
struct LibraryLocator {
  #if os(macOS) || os(iOS)
  static let fileName = "libLiteRt.dylib"
  #else
  static let fileName = "libLiteRt.so"
  #endif

  /// The variable that names the library, or a folder that holds it.
  static let variable = "FOVEA_LITERT_LIBRARY"

  /// What was named in the program, in place of the variable.
  var chosen: String?
  var environment: (String) -> String? = Environment.value
  /// The file that holds this code: the program, or a shared library that it has loaded.
  var ownPath: String? = LibraryLocator.currentOwnPath()
  var executablePath: String? = LibraryLocator.currentExecutablePath()
  var workingFolder: String? = LibraryLocator.currentWorkingFolder()
  var packageFolder: String? = LibraryLocator.developmentFolder
  var exists: (String) -> Bool = { unsafe access($0, F_OK) == 0 }

  /// The places to try, best first: what was chosen, else the variable, alone where it is there; else next to the file that
  /// holds this code, which may be a shared library, and in `fovea` from there, then next to the executable, in `../lib/fovea`
  /// from there, in a `.fovea/lib` folder of the executable's or the working folder's ancestors (what `make setup`
  /// fills), in a debug build also in the package's own, in the user's data folder, and last by the bare name, for the
  /// system's loader to find.
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
  /// Programs under development that depend on the package find what its set-up brought. Release builds carry no
  /// such path.
  private static let developmentFolder: String? = String(
    #filePath.dropLast("/Sources/Engine/FoveaRuntime/Library/LibraryLocator.swift".count))
  #else
  private static let developmentFolder: String? = nil
  #endif

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "" }
    return String(path[..<slash])
  }

  /// The folder itself and all above it, nearest first, without the root.
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
