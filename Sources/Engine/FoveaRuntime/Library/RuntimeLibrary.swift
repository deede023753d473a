// SPDX-License-Identifier: Apache-2.0

import CLiteRT
import FoveaCore
import Synchronization

/// The loaded LiteRT library and its environment: one of each per process, created at the first use.
@safe
public final class RuntimeLibrary: Sendable {
  /// The version of LiteRT that this package is written for and tested with.
  public static let supportedVersion = "2.3.0"

  /// The file that was loaded.
  public let path: String

  // SAFETY: set once before `init` returns and never changed; LiteRT's functions may be called from any
  // thread as long as each handle has one user at a time, which `Session` ensures.
  nonisolated(unsafe) let functions: UnsafePointer<fovea_litert>
  // SAFETY: as above; the environment lives as long as the process.
  nonisolated(unsafe) let environment: fovea_environment

  private static let loaded = Result<RuntimeLibrary, RuntimeError> { () throws(RuntimeError) in
    var locator = LibraryLocator()
    locator.chosen = choice.withLock { choice in
      choice.isTaken = true
      return choice.path
    }
    return try RuntimeLibrary(locator: locator)
  }

  /// The library to load instead of searching, and whether the choice was used already.
  private static let choice = Mutex<(path: String?, isTaken: Bool)>((nil, false))

  /// Sets the library, or its folder, before it is loaded.
  /// - Parameter path: The library or its folder.
  /// - Returns: Whether `shared()` returns the library at that path; false if another library was loaded or
  ///   searched for before.
  package static func choose(_ path: String) -> Bool {
    let isTaken = choice.withLock { choice in
      if !choice.isTaken { choice.path = path }
      return choice.isTaken
    }
    guard isTaken else { return true }
    guard case .success(let library) = loaded else { return false }
    return [path, path + "/" + LibraryLocator.fileName].contains(library.path)
  }

  /// Returns the library, loading it at the first call.
  ///
  /// If `FOVEA_LITERT_LIBRARY` is set, only that path is tried. Otherwise the library is searched for next to
  /// the shared library that contains Fovea, next to the executable, in `../lib/fovea`, in the `.fovea/lib`
  /// folder that `make setup` fills, in the user's data folder (`~/.local/share/fovea/lib`), and last by the
  /// system's loader.
  /// - Returns: The library, which is always the same object.
  /// - Throws: `libraryMissing` or `libraryUnusable`, at every call once loading has failed.
  public static func shared() throws(RuntimeError) -> RuntimeLibrary { try loaded.get() }

  init(locator: LibraryLocator) throws(RuntimeError) {
    var reasons: [String] = []
    for candidate in locator.candidates() {
      var detail = [CChar](repeating: 0, count: 512)
      var result = FOVEA_LOAD_OK
      if let functions = unsafe fovea_litert_open(candidate, &result, &detail, detail.count) {
        unsafe self.functions = functions
        path = candidate
        unsafe environment = try Self.makeEnvironment(functions)
        return
      }
      if result == FOVEA_LOAD_NO_SYMBOL {
        throw RuntimeError(
          .libraryUnusable,
          "The LiteRT library '\(candidate)' has no function '\(Self.text(detail))';"
            + " Fovea is written for LiteRT \(Self.supportedVersion)",
          remedy: "\(term: .runtimeSetup), or point \(LibraryLocator.variable) at libLiteRt.so"
            + " \(Self.supportedVersion)")
      }
      reasons.append(Self.text(detail))
    }
    throw RuntimeError(
      .libraryMissing,
      "The LiteRT library \(LibraryLocator.fileName) could not be loaded"
        + " (\(reasons.joined(separator: "; ")))",
      remedy: "\(term: .runtimeSetup), or set \(LibraryLocator.variable) to the library's path")
  }

  private static func makeEnvironment(_ functions: UnsafePointer<fovea_litert>) throws(RuntimeError)
    -> fovea_environment
  {
    // Tag 25: the lowest severity to log, 4 = silent. Tag 24: accelerators to register, 1 = CPU only, which
    // skips a search for GPU libraries. Value type 2 is an integer.
    let options = [
      fovea_environment_option(tag: 25, reserved: 0, value_type: 2, padding: 0, value: 4),
      fovea_environment_option(tag: 24, reserved: 0, value_type: 2, padding: 0, value: 1),
    ]
    var environment: fovea_environment?
    let status = unsafe functions.pointee.CreateEnvironment(Int32(options.count), options, &environment)
    guard status == 0, let environment = unsafe environment else {
      throw RuntimeError(
        .libraryUnusable, "LiteRT failed to start (\(RuntimeError.statusText(status)))",
        remedy: "\(term: .runtimeSetup), to have LiteRT \(supportedVersion)")
    }
    return unsafe environment
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  // MARK: Chatter

  /// Whether LiteRT has printed its once-per-process line.
  private let chatterSeen = Mutex(false)
  private static let chatter = "Created TensorFlow Lite XNNPACK delegate for CPU"

  /// Runs `body`, in which LiteRT may create its first CPU delegate, and hides the line that it then prints
  /// to standard error.
  ///
  /// All other output passes through unchanged.
  func withoutChatter(_ body: () -> Void) {
    let done = chatterSeen.withLock { seen in
      // After that line, output need not be held back, and compilations can run concurrently.
      guard !seen, fovea_stderr_hold_begin() == 0 else { return false }
      body()
      seen = unsafe fovea_stderr_hold_end(Self.chatter)
      return true
    }
    if !done { body() }
  }
}
