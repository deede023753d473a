// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
public import FoveaImage
import Synchronization

/// Reads the images of a folder as the frames of a video, in natural order.
///
/// Files that are not images by their extension or, without a known extension, by their first bytes, are
/// skipped and noted; hidden files and folders are skipped silently. An image that cannot be decoded is
/// skipped and counted. Frames are upright, in the channel order blue, green, red.
public final class FrameFolder: Sendable {
  /// The folder, as passed to `init`.
  public let name: String
  /// The number of frames per second.
  package let frameRate: Double
  /// The paths of the images, in order.
  public let paths: [String]
  private let state = Mutex((next: 0, isCancelled: false, progress: VideoProgress()))

  /// Lists a folder.
  /// - Parameters:
  ///   - path: The folder.
  ///   - frameRate: The number of frames per second, above 0 and at most 10,000; 30 by default.
  /// - Throws: `VideoError` if the folder is missing, unreadable or has no images, or the rate is out of
  ///   range.
  public init(path: String, frameRate: Double = 30) throws(VideoError) {
    guard frameRate > 0, frameRate <= 10_000 else {
      throw VideoError(
        .optionInvalid, "frameRate is \(frameRate), above 0 and at most 10000 expected",
        remedy: "Give the rate at which the images were taken", subject: path)
    }
    var search = ImageSearch()
    let names = try Self.names(in: path)
      .filter { name in
        let file = FilePath(FilePath.joined(path, name))
        guard FileStatus(file)?.kind != .folder else { return false }
        return search.takes(Array(name.utf8), at: file)
      }
      .sorted { NaturalOrder.precedes(Array($0.utf8)[...], Array($1.utf8)[...], ignoringCase: false) }
    guard !names.isEmpty else {
      throw VideoError(
        .empty, "the folder has no images" + (search.unreadImages.map { ", but \($0)" } ?? ""),
        remedy: "Give a folder with files such as 000001.jpg", subject: path)
    }
    name = path
    self.frameRate = frameRate
    paths = names.map { FilePath.joined(path, $0) }
    if let note = search.note { state.withLock { $0.progress.warnings.append(note) } }
  }

  /// The progress so far; may be read at any time from any thread.
  public var progress: VideoProgress { state.withLock { $0.progress } }

  /// Makes all later calls of `next` return nil.
  ///
  /// May be called from any thread.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if state.progress.end == nil { state.progress.end = .cancelled }
    }
  }

  /// Decodes the next image.
  /// - Returns: The frame, whose number is the file's position in the folder, from 1; nil after the last one.
  public func next() -> VideoFrame? {
    while let index = take() {
      do {
        let canvas = try EncodedImage(path: paths[index]).canvas()
        let pixels = try PixelBuffer(copying: canvas, name: paths[index])
        state.withLock { $0.progress.frames += 1 }
        return VideoFrame(pixels: pixels, number: index + 1, seconds: Double(index) / frameRate)
      } catch {
        state.withLock { state in
          state.progress.skipped += 1
          if state.progress.skipped <= 10 {
            state.progress.warnings.append(
              "frame \(index + 1) was skipped: \(error.message) (\(error.subject ?? ""))")
          }
        }
      }
    }
    return nil
  }

  /// Returns the index of the next image; nil after the last one.
  private func take() -> Int? {
    state.withLock { state in
      guard !state.isCancelled, state.next < paths.count else {
        if state.progress.end == nil { state.progress.end = .complete }
        return nil
      }
      defer { state.next += 1 }
      return state.next
    }
  }

  private static func names(in path: String) throws(VideoError) -> [String] {
    do throws(SystemError) { return try Folder.names(in: path) } catch {
      let isMissing = error.number == ENOENT
      throw VideoError(
        isMissing ? .notFound : .unreadable,
        isMissing ? "there is no such folder" : "the folder cannot be read: \(error.message)",
        remedy: "Check the path and its permissions", subject: path)
    }
  }
}
