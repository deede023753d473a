// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Logging
import Synchronization

/// The messages of all sources as JSON lines in files of a folder, in the order of their numbers.
///
/// A message is in a file before anyone sees it: a killed server loses none, a power failure the last second.
/// If a file cannot be written, frames and messages continue, and the newest messages are only in memory, as
/// all are without a folder.
///
/// Its methods may wait for the disk; call them on a thread of their own.
final class EventJournal: Sendable {
  /// The state of the files.
  private struct Files {
    /// The oldest first; the last one is written.
    var segments: [EventSegment]
    /// The last segment; nil before it is created.
    var descriptor: Int32?
    /// True after a line was written only in part.
    var isTorn = false
    /// True if lines may not be on the disk yet.
    var needsSync = false
    /// True after a line could not be written.
    var isFailing = false
    /// The growth of images when the last segment began; after a start, less by the size of all images, some
    /// of which belong to that segment.
    var growthBefore: Int
    /// The events without an `end`.
    var open: OpenEvents
    /// The moment before which no line of the last segment was written, in seconds since 1970.
    var began: Double
    /// The same moment on the clock that no one sets.
    var beganElapsed: Double
  }

  let options: EventOptions
  /// Nil if messages are only in memory.
  private let folder: EventFolder?
  let metrics: Metrics
  let logger: Logger
  /// The moment of the start in milliseconds since 1970.
  let opened = WallClock.milliseconds
  private let files: Mutex<Files>
  /// The images of the start that no message may name.
  private let strays: Mutex<Set<String>>
  private let newest: Mutex<EventRing>
  private let counted: Mutex<EventTotals>
  /// The images of the events.
  let snapshots: EventSnapshots
  /// The clients that wait for further messages.
  let viewers = EventViewers()
  /// The receivers that wait for further messages; unlike clients, they need no key.
  let receivers = EventViewers()
  /// The places of the receivers.
  let cursors = Mutex<[EventCursor]>([])

  /// Opens the journal of a folder, if any, and ends the events that a killed server left open.
  /// - Throws: `events-unusable`.
  init(_ options: EventOptions, metrics: Metrics, logger: Logger) throws(FoveaError) {
    self.options = options
    self.metrics = metrics
    self.logger = logger
    folder = try options.folder.map { (path) throws(FoveaError) in try EventFolder(path) }
    snapshots = EventSnapshots(in: folder, metrics: metrics, logger: logger)
    strays = Mutex(try snapshots.load())
    let found = try EventRecovery(folder)
    files = Mutex(
      Files(
        segments: found.segments, descriptor: found.descriptor, growthBefore: -snapshots.size,
        open: found.open, began: found.began,
        beganElapsed: options.elapsed() - max(0, options.now() - found.began)))
    newest = Mutex(EventRing(capacity: options.recent, next: found.open.next))
    counted = Mutex(found.totals)
    if found.isRecounted {
      logger.warning(
        "the counts of earlier events are missing or damaged, so the events in the folder are counted",
        metadata: ["folder": "\(options.folder ?? "")"])
    }
    append(
      found.open.ends.map { [opened] last, missing in
        { last.interrupted(number: $0, missing: missing, at: opened) }
      })
    prune()
  }

  deinit { if let descriptor = files.withLock(\.descriptor) { Descriptor.close(descriptor) } }

  /// The number of the next message.
  var next: Int { newest.withLock(\.next) }

  /// The lowest number that a message may have; that of the next message if there are none.
  var oldest: Int {
    let (ring, segments) = content
    return segments.first?.first ?? ring.first
  }

  /// The numbers of all messages, also of earlier servers with the same folder; does not wait for the disk.
  var totals: EventTotals { counted.withLock(\.self) }

  // MARK: Writing

  /// Adds messages of a source.
  func append(_ messages: [StreamEvent], of source: String) {
    append(
      messages.map { message in
        let hasSnapshot = snapshots.has(message.id(in: source))
        return { message.line(number: $0, source: source, hasSnapshot: hasSnapshot) }
      })
  }

  /// Adds lines, each made for its number.
  private func append(_ lines: [(_ number: Int) -> String]) {
    files.withLock { files in
      for line in lines {
        let text = line(next)
        let bytes = Array(text.utf8)
        write(bytes, &files)
        if folder != nil { files.open.add(bytes.dropLast()) }
        counted.withLock { $0.add(bytes.dropLast()) }
        newest.withLock { $0.append(String(text.dropLast())) }
      }
    }
    viewers.wake()
    receivers.wake()
  }

  private func write(_ line: [UInt8], _ files: inout Files) {
    guard let folder else { return }
    do throws(SystemError) {
      let descriptor = try openSegment(for: line.count, in: folder, &files)
      if let number = options.write(line, descriptor).error {
        files.isTorn = true
        throw SystemError(number)
      }
      files.segments[files.segments.count - 1].size += line.count
      files.needsSync = true
      if files.isFailing { logger.notice("events are kept again") }
      files.isFailing = false
    } catch {
      metrics.add("fovea_events_unkept_total")
      // Once until a line is written: a full disk stays full for many messages.
      if !files.isFailing { warn("events are not kept", error) }
      files.isFailing = true
      spend(next, in: folder, &files)
    }
  }

  /// Makes a later start go on after a number that is in no file, by the name of an empty last file.
  ///
  /// A full disk has room for a name.
  private func spend(_ number: Int, in folder: EventFolder, _ files: inout Files) {
    let after = EventSegment(first: number + 1, size: 0)
    if let last = files.segments.last, last.size == 0,
      unsafe rename(folder.path(of: last.first), folder.path(of: after.first)) == 0
    {
      files.segments[files.segments.count - 1] = after
    } else {
      // A disk that refuses this, too, was reported with the line.
      _ = try? beginSegment(after, in: folder, &files)
    }
  }

  /// Returns the descriptor at which the next line is written.
  private func openSegment(
    for count: Int, in folder: EventFolder, _ files: inout Files
  ) throws(SystemError) -> Int32 {
    // With the images of its time, so that the oldest segment is a small part of the limit.
    let images = snapshots.growth - files.growthBefore
    if let last = files.segments.last, last.size > 0, last.size + images + count > options.fileSize {
      try beginSegment(EventSegment(first: next, size: 0), in: folder, &files)
      removeOldest(in: folder, &files)
    }
    // Another program may have removed it; lines would go to a file without a name.
    guard let descriptor = files.descriptor, let last = files.segments.last,
      FileLock.isNamed(descriptor, folder.path(of: last.first))
    else { return try beginSegment(EventSegment(first: next, size: 0), in: folder, &files) }
    if files.isTorn {
      guard ftruncate(descriptor, off_t(last.size)) == 0, lseek(descriptor, off_t(last.size), SEEK_SET) >= 0
      else { throw SystemError(errno) }
      files.isTorn = false
    }
    return descriptor
  }

  /// Creates the next segment, and closes the last one.
  @discardableResult
  private func beginSegment(
    _ segment: EventSegment, in folder: EventFolder, _ files: inout Files
  ) throws(SystemError) -> Int32 {
    let descriptor = try EventRecovery.open(folder.path(of: segment.first), O_CREAT | O_EXCL)
    if let last = files.descriptor {
      if let size = files.segments.last?.size, files.isTorn { ftruncate(last, off_t(size)) }
      fsync(last)
      Descriptor.close(last)
    }
    files.segments.removeAll { $0.first == segment.first }
    files.segments.append(segment)
    (files.descriptor, files.isTorn, files.needsSync) = (descriptor, false, true)
    files.growthBefore = snapshots.growth
    fsync(folder.lock)
    (files.began, files.beganElapsed) = (options.now(), options.elapsed())
    // Without it, the next start reads more files, and counts only those that are left.
    _ = try? files.open.write(in: folder, at: files.began, totals: totals)
    return descriptor
  }

  // MARK: Keeping

  /// Syncs the lines each second and removes old files, until the task is cancelled.
  func keep() async {
    await BlockingWork.run { [self] stop in removeStrays { stop.isSet } }
    var seconds = 0
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      seconds += 1
      let isSweep = seconds.isMultiple(of: options.sweep)
      await BlockingWork.run { [self] _ in
        sync()
        if isSweep { prune() }
      }
    }
  }

  /// Waits until all lines, and the places of the receivers, are on the disk.
  func sync() {
    syncLines()
    for cursor in cursors.withLock(\.self) { cursor.save() }
  }

  private func syncLines() {
    let copy: Int32? = files.withLock { files in
      guard files.needsSync, let descriptor = files.descriptor else { return nil }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      // Without a copy, the next call syncs.
      files.needsSync = copy < 0
      return copy
    }
    // The copy is synced without the lock, so that no message waits for a slow disk.
    guard let copy, copy >= 0 else { return }
    defer { Descriptor.close(copy) }
    do throws(SystemError) { try Descriptor.sync(copy) } catch { warn("events are not synced", error) }
  }

  /// Removes the oldest segments, with the images of their events, beyond the limits of time and size.
  func prune() {
    guard let folder else { return }
    files.withLock { files in
      // A wall clock that is set back must not make the last file younger.
      let age = max(options.now() - files.began, options.elapsed() - files.beganElapsed)
      if let last = files.segments.last, last.size > 0, age >= options.longestFile {
        do throws(SystemError) {
          try beginSegment(EventSegment(first: next, size: 0), in: folder, &files)
        } catch {
          warn("old events are kept", error)
        }
      }
      removeOldest(in: folder, &files)
    }
  }

  private func removeOldest(in folder: EventFolder, _ files: inout Files) {
    func isAbove() -> Bool {
      files.segments.reduce(Int64(snapshots.size)) { $0 + Int64($1.size) } > options.limit
    }
    while files.segments.count > 1 {
      let segment = files.segments[0]
      let isOld = isFirstOld(of: files.segments, in: folder)
      guard isOld || isAbove() else { return }
      if snapshots.size > 0 {
        do throws(SystemError) { snapshots.remove(endedIn: try lines(of: segment)) } catch {
          // The next start removes them.
          warn("images of old events are kept", error)
        }
      }
      guard unsafe unlink(folder.path(of: segment.first)) == 0 || errno == ENOENT else {
        return warn("old events are kept", SystemError(errno))
      }
      files.segments.removeFirst()
      // Messages above the limit of size stay in memory for receivers that are slow.
      if isOld { newest.withLock { $0.remove(before: files.segments[0].first) } }
    }
  }

  /// Removes the images of earlier servers that no message names: they would never be removed.
  ///
  /// Reads the files from the newest on, until all images are found or `isStopped` returns true.
  func removeStrays(_ isStopped: () -> Bool = { false }) {
    var ids = strays.withLock { ids in
      defer { ids = [] }
      return ids
    }
    do throws(SystemError) {
      for segment in content.segments.reversed() where !ids.isEmpty {
        guard !isStopped() else { return }
        for line in try lines(of: segment) {
          guard let head = EventLine.Head(line) else { continue }
          ids.remove(String(decoding: head.id, as: UTF8.self))
        }
      }
    } catch {
      return warn("images without an event are kept", error)
    }
    for id in ids { snapshots.remove(id) }
  }

  /// Returns whether the oldest segment is too old.
  ///
  /// A segment with a time to come, written before the clock was set back, is at least as old as the next.
  private func isFirstOld(of segments: [EventSegment], in folder: EventFolder) -> Bool {
    let now = options.now()
    for segment in segments {
      guard let modified = FileStatus(FilePath(folder.path(of: segment.first)))?.modified else {
        return false
      }
      let age = now - Double(modified) / 1e9
      if age >= 0 { return age > options.removal }
    }
    return false
  }

  private func warn(_ event: String, _ error: SystemError) {
    let folder = options.folder ?? ""
    logger.warning("\(event)", metadata: ["folder": "\(folder)", "error": "\(error.message)"])
  }

  // MARK: Reading

  /// The newest lines; does not wait for the disk.
  var ring: EventRing { newest.withLock(\.self) }

  /// The newest lines in memory, and then the files, which have all older ones.
  var content: (ring: EventRing, segments: [EventSegment]) {
    let ring = ring
    return (ring, files.withLock(\.segments))
  }

  /// Returns the bytes of a segment; none if it was removed in the meantime.
  /// - Throws: The system's reason.
  func bytes(of segment: EventSegment) throws(SystemError) -> [UInt8] {
    guard let folder else { return [] }
    do throws(SystemError) {
      return try SmallFile.bytes(of: folder.path(of: segment.first), limit: EventRecovery.longestSegment)
    } catch {
      guard error.number == ENOENT else { throw error }
      return []
    }
  }

  /// Returns up to `count` bytes of a segment, from an offset; none at its end, and if it was removed in the
  /// meantime.
  /// - Throws: The system's reason.
  func bytes(of segment: EventSegment, from offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard let folder else { return [] }
    let file = unsafe open(folder.path(of: segment.first), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      guard errno == ENOENT else { throw SystemError(errno) }
      return []
    }
    defer { Descriptor.close(file) }
    guard lseek(file, off_t(offset), SEEK_SET) >= 0 else { throw SystemError(errno) }
    var chunk = [UInt8](repeating: 0, count: min(count, segment.size - offset))
    let read = Descriptor.read(file, into: &chunk)
    guard read >= 0 else { throw SystemError(Int32(-read)) }
    return Array(chunk[..<read])
  }
}
#endif
