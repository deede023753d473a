// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaRender
import FoveaTracking
import Logging
import Synchronization

/// The image of each event, in the file `snapshots/ID.jpg` of a journal's folder.
///
/// A killed server leaves whole images; a power failure may lose the newest. If an image cannot be written,
/// its event goes on without it.
///
/// Its methods may wait for the disk; call them on a thread of their own.
final class EventSnapshots: Sendable {
  private struct State {
    /// The size of all files, in bytes.
    var size = 0
    /// The bytes by which images have grown the folder since the start.
    var growth = 0
    /// True after an image could not be written.
    var isFailing = false
  }

  /// JPEG quality 80: persons can be recognized, in 20 to 55 KB for 640 × 360 pixels.
  private static let quality = 80
  /// The largest file that is read; an image is smaller unless another program has changed it.
  private static let largest = 64 << 20
  private static let ending = ".jpg"

  /// Nil if messages are only in memory, and there are no images.
  private let folder: String?
  private let metrics: Metrics
  private let logger: Logger
  private let state = Mutex(State())

  /// Creates the images of a journal's folder, if any, without reading them.
  init(in folder: EventFolder?, metrics: Metrics, logger: Logger) {
    self.folder = folder.map { FilePath.joined($0.path, "snapshots") }
    self.metrics = metrics
    self.logger = logger
  }

  /// The size of all images, in bytes.
  var size: Int { state.withLock(\.size) }

  /// The bytes by which images have grown the folder since the start; removals do not reduce it.
  var growth: Int { state.withLock(\.growth) }

  /// Counts the files, and removes those that a killed server or a power failure left incomplete.
  /// - Returns: The ids of the events that have an image.
  /// - Throws: `events-unusable` if the folder cannot be read.
  func load() throws(FoveaError) -> Set<String> {
    guard let folder else { return [] }
    let names: [String]
    do throws(SystemError) { names = try Folder.names(in: folder) } catch {
      guard error.number == ENOENT else { throw EventFolder.failure(folder, error) }
      return []
    }
    var ids: Set<String> = []
    for name in names {
      let path = FilePath.joined(folder, name)
      let isPartial = name.hasSuffix(EventSnapshots.ending + PartialPath.ending)
      guard isPartial || name.hasSuffix(EventSnapshots.ending),
        let status = FileStatus(withoutFollowing: FilePath(path)), status.kind == .file
      else { continue }
      guard !isPartial, status.size > 0 else {
        unsafe unlink(path)
        continue
      }
      state.withLock { $0.size += status.size }
      ids.insert(String(name.dropLast(EventSnapshots.ending.count)))
    }
    return ids
  }

  // MARK: Writing

  /// Writes a frame as the image of events, replacing older ones; failures are counted and logged.
  /// - Parameters:
  ///   - pixels: The frame.
  ///   - blurred: The parts to blur, in pixels of the upright frame.
  ///   - ids: The ids of the events.
  func keep(_ pixels: PixelBuffer, blurring blurred: [BoundingBox] = [], of ids: [String]) {
    guard folder != nil else { return }
    let jpeg: [UInt8]
    do throws(ImageError) {
      let canvas = try FrameCanvas().canvas(of: pixels)
      for box in blurred { canvas.pixelate(box) }
      jpeg = try canvas.encoded(as: .jpeg, quality: EventSnapshots.quality)
    } catch {
      return failed(ids.count, error.message)
    }
    for id in ids {
      do throws(SystemError) { try write(jpeg, of: id) } catch { failed(1, error.message) }
    }
  }

  private func write(_ jpeg: [UInt8], of id: String) throws(SystemError) {
    guard let folder, let path = path(of: id) else { throw SystemError(EINVAL) }
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno) }
    let old = FileStatus(FilePath(path))?.size ?? 0
    try ReplacedFile.write(jpeg, to: path, isPrivate: true, isSynced: false)
    let hasFailed = state.withLock { state in
      state.size += jpeg.count - old
      state.growth += jpeg.count - old
      defer { state.isFailing = false }
      return state.isFailing
    }
    if hasFailed { logger.notice("images of events are kept again") }
  }

  private func failed(_ count: Int, _ reason: String) {
    metrics.add("fovea_events_unkept_total", by: Double(count))
    let isNew = state.withLock { state in
      defer { state.isFailing = true }
      return !state.isFailing
    }
    // Once until an image is written: a full disk stays full for many frames.
    if isNew { warn("images of events are not kept", reason) }
  }

  private func warn(_ event: String, _ reason: String) {
    logger.warning("\(event)", metadata: ["folder": "\(folder ?? "")", "error": "\(reason)"])
  }

  // MARK: Removing

  /// Removes the image of an event, if it has one.
  func remove(_ id: String) {
    guard let path = path(of: id), let status = FileStatus(FilePath(path)) else { return }
    guard unsafe unlink(path) == 0 else {
      return warn("an old image of an event is kept", SystemError(errno).message)
    }
    state.withLock { $0.size -= status.size }
  }

  /// Removes the images of the events that end in lines; events that go on in later lines keep theirs.
  func remove(endedIn lines: [ArraySlice<UInt8>]) {
    for line in lines {
      guard let head = EventLine.Head(line), head.isEnd else { continue }
      remove(String(decoding: head.id, as: UTF8.self))
    }
  }

  // MARK: Reading

  /// Returns whether an event has an image.
  func has(_ id: String) -> Bool { path(of: id).map { FileStatus(FilePath($0)) != nil } ?? false }

  /// Returns the JPEG of an event; nil if it has none.
  /// - Throws: The system's reason if the file cannot be read.
  func jpeg(of id: String) throws(SystemError) -> [UInt8]? {
    guard let path = path(of: id) else { return nil }
    do throws(SystemError) { return try SmallFile.bytes(of: path, limit: EventSnapshots.largest) } catch {
      guard error.number == ENOENT else { throw error }
      return nil
    }
  }

  /// Returns the path of an event's file; nil for text that is not an id, such as a path.
  private func path(of id: String) -> String? {
    guard let folder else { return nil }
    let isID =
      (1...200).contains(id.utf8.count) && !id.hasPrefix(".")
      && id.unicodeScalars.allSatisfy { ShapeName.isAllowed($0) || $0 == "." }
    return isID ? FilePath.joined(folder, id + EventSnapshots.ending) : nil
  }
}
#endif
