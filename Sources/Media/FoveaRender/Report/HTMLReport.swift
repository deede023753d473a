// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
import FoveaFormats

/// Writes the results of any number of images as one HTML page.
///
/// The page is self-contained: it includes thumbnails, style and script, and its Content-Security-Policy
/// forbids everything else. It shows totals, a histogram of scores, the time of each stage, the failures, and
/// a card for each image with its boxes, masks and keypoints, or with its map of classes, which can be
/// filtered and sorted; totals and failures are readable without script.
///
/// Cards are written to a file as they come, so memory use does not grow with the images. The page replaces
/// an older page only when it is finished. Not `Sendable`: one owner adds images, in the order of the page.
///
/// ```swift
/// let report = try HTMLReport(path: "report.html")
/// try report.add(.init(name: "cat.jpg", size: nil, answer: .labels([])))
/// try report.finish()
/// ```
public final class HTMLReport {
  /// The heading, facts and limits; may be changed until `finish()`.
  public var options: Options
  private let file: ReportFile
  private var summary = ReportSummary()
  private var thumbnails = 0
  private var cards = 0

  /// Starts a report.
  /// - Parameters:
  ///   - path: The page's file, in an existing folder; `finish()` replaces an existing file.
  ///   - options: The heading, facts and limits.
  /// - Throws: `report-unwritable` if the file cannot be written, or another process is writing it.
  public convenience init(path: String, options: Options = Options()) throws(RenderError) {
    if let status = FileStatus(FilePath(path)), status.kind != .file {
      throw .reportUnwritable(path, "it is a folder or a device")
    }
    let page: ReplacedFile
    do throws(SystemError) { page = try ReplacedFile(path) } catch {
      throw .reportUnwritable(path, error.isInUse ? "another process is writing it" : error.message)
    }
    try self.init(page, options: options)
  }

  /// Starts a report in a file that is already locked for it.
  /// - Throws: As `init(path:options:)`.
  package init(_ page: ReplacedFile, options: Options) throws(RenderError) {
    self.options = options
    file = try ReportFile(page)
  }

  deinit { file.discard() }

  /// Adds an image.
  /// - Parameter image: The image and its results.
  /// - Throws: `report-unwritable` if the disk is full, or writing fails.
  public func add(_ image: Image) throws(RenderError) {
    let number = summary.imageCount
    let found = image.answer.findings
    let classes = summary.add(image, found ?? [])
    guard number < options.imageLimit, let found else { return }
    let card = ImageCard(
      image: image, found: found, classes: classes, showsThumbnail: thumbnails < options.thumbnailLimit,
      keypointThreshold: options.keypointThreshold)
    if image.thumbnail != nil { thumbnails += 1 }
    try file.append((cards == 0 ? [] : Array(",\n".utf8)) + card.json())
    cards += 1
  }

  /// Writes the page and renames the file to its final name; no image may be added afterwards.
  /// - Throws: `report-unwritable` if the disk is full, or writing fails; an older page stays unchanged.
  public func finish() throws(RenderError) {
    let shown = min(thumbnails, options.thumbnailLimit)
    let page = ReportPage(.images, summary.values(options, thumbnails: shown))
    try file.finish(
      before: Array((page.start + "{\"images\": [").utf8),
      after: Array("],\n".utf8) + summary.members + Array(page.end.utf8))
  }
}
