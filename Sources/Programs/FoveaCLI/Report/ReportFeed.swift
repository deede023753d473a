// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaGeometry
import FoveaRender

/// Adds a run's records to the library's report.
final class ReportFeed {
  /// The maximum number of images in a report.
  static let thumbnailLimit = HTMLReport.Options().thumbnailLimit

  private let report: HTMLReport

  /// Returns the fact shown next to the embedded models' results: the commands to try next.
  private static func next(_ kind: AnswerKind) -> HTMLReport.Fact {
    let command = kind == .objects ? "detect" : "label"
    return .init(
      name: "Try next",
      value: "your photos with 'fovea \(command) FOLDER', your model with '--model FILE',"
        + " your camera with 'fovea serve'")
  }

  /// Starts the page.
  /// - Parameters:
  ///   - path: The page's file.
  ///   - file: That file, already locked; nil if the path is not a file, which is an error.
  ///   - kind: The kind of results.
  ///   - model: The model as named by the user; nil for the embedded ones.
  ///   - keypointThreshold: The least score of a keypoint that is drawn.
  /// - Throws: `report-unwritable`.
  init(
    path: String, file: ReplacedFile?, kind: AnswerKind, model: String?, keypointThreshold: Float
  ) throws(FoveaError) {
    var options = HTMLReport.Options()
    options.keypointThreshold = keypointThreshold
    options.title =
      switch kind {
      case .objects: "Objects in photos"
      case .labels: "Labels of photos"
      case .maps: "Classes of photos"
      }
    options.facts = [
      .init(name: "Model", value: model ?? "built in"),
      .init(name: "Made by", value: "fovea \(Version.fovea)"),
      .init(name: "On", value: ReportFeed.date),
    ]
    if model == nil { options.facts.append(ReportFeed.next(kind)) }
    do throws(RenderError) {
      report =
        if let file { try HTMLReport(file, options: options) } else {
          try HTMLReport(path: path, options: options)
        }
    } catch {
      throw FoveaError(error)
    }
  }

  func add(_ image: FinishedImage) throws(FoveaError) {
    do throws(RenderError) { try report.add(HTMLReport.Image(image)) } catch { throw FoveaError(error) }
  }

  /// Writes the page, which states the number of images that an earlier run has done.
  func finish(skipped: Int) throws(FoveaError) {
    if skipped > 0 {
      report.options.facts.append(.init(name: "Skipped", value: "\(skipped) done by an earlier run"))
    }
    do throws(RenderError) { try report.finish() } catch { throw FoveaError(error) }
  }

  /// Locks the page's file for this process.
  /// - Returns: As `OutputReservation.file`.
  /// - Throws: `output-in-use`, `report-unwritable`.
  static func reserve(_ path: String) throws(FoveaError) -> ReplacedFile? {
    try OutputReservation.file(path, option: "report") {
      FoveaError(RenderError.reportUnwritable(path, $0.message))
    }
  }

  /// The current time, as "2026-01-31 12:00 UTC".
  private static var date: String {
    var seconds = time(nil)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&seconds, &parts) != nil else { return "an unknown date" }
    func padded(_ value: Int32) -> String { (value < 10 ? "0" : "") + String(value) }
    return unsafe "\(parts.tm_year + 1_900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday)) "
      + "\(padded(parts.tm_hour)):\(padded(parts.tm_min)) UTC"
  }
}

extension HTMLReport.Image {
  /// Converts a record for the report, in upright coordinates like its thumbnail.
  init(_ image: FinishedImage) {
    let record = image.record
    switch record.result {
    case .failure(let error):
      self.init(
        name: record.image, size: nil,
        answer: .failure(code: error.code.rawValue, message: error.message, remedy: error.remedy.commandLine))
    case .success(let findings):
      let upright = findings.upright()
      let answer: HTMLReport.Answer =
        switch upright.content {
        case .objects(let objects): .objects(objects.map(HTMLReport.Finding.init(object:)))
        case .labels(let labels): .labels(labels.map(HTMLReport.Finding.init(label:)))
        case .map(let map): .map(map)
        }
      self.init(name: record.image, size: upright.size, answer: answer)
      let timings = upright.timings
      stages = [
        .init(name: "decode", duration: timings.decode), .init(name: "prepare", duration: timings.prepare),
        .init(name: "detect", duration: timings.detect), .init(name: "classify", duration: timings.classify),
        .init(name: "total", duration: timings.total),
      ]
      thumbnail = image.thumbnail
    }
  }
}

extension HTMLReport.Finding {
  /// Converts an object with its shape and keypoints, its best label and the label's confidence.
  fileprivate init(object: DetectedObject) {
    let label = object.labels.first
    self.init(
      label: label == nil ? "" : object.className, score: Double(label?.confidence ?? object.score),
      box: object.box, mask: object.mask, orientedBox: object.orientedBox, keypoints: object.keypoints,
      keypointScores: object.keypointScores,
      keypointSet: KeypointSet.known(count: object.keypoints.count, className: label?.text))
  }

  fileprivate init(label: Label) {
    self.init(label: label.text ?? "class \(label.index)", score: Double(label.confidence))
  }
}
