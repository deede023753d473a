// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// The report as text for people.
enum BenchTable {
  static func text(of report: BenchReport) -> String {
    let plan = report.plan
    var text = "\(plan.task.rawValue) with \(plan.model.printable), \(plan.mode.rawValue)"
    text += ", \(plan.sessions) \(plan.sessions == 1 ? "session" : "sessions")\n"
    text += "model ready after \(milliseconds(report.creation))\n\n"
    switch report.measured {
    case .latency(let images): text += table(of: images)
    case .throughput(let throughput): text += lines(of: throughput)
    case .video(let video): text += lines(of: video)
    }
    let memory = report.peakMemory.map { "\(DecimalText.fixed($0, places: 1)) MiB" } ?? "unknown"
    return text + "\npeak memory \(memory), CPU time \(DecimalText.fixed(report.cpu, places: 2)) s\n"
  }

  private static func table(of images: [BenchReport.Image]) -> String {
    var rows = [["image", "size", "first", "median", "p95", "min", "model only", "CPU"]]
    for image in images {
      rows.append([
        image.file.printable, "\(image.size.width) × \(image.size.height)",
        milliseconds(image.endToEnd.first), milliseconds(image.endToEnd.median),
        milliseconds(image.endToEnd.p95), milliseconds(image.endToEnd.min),
        image.inference.map { milliseconds($0.median) } ?? "–",
        image.cpuPerImage.map { milliseconds($0 * 1e3) } ?? "–",
      ])
    }
    return TextTable.text(rows, leftAligned: [0])
  }

  private static func lines(of throughput: BenchReport.Throughput) -> String {
    var text = "\(DecimalText.grouped(throughput.images)) image\(throughput.images == 1 ? "" : "s") in "
    text += "\(DecimalText.fixed(throughput.wall, places: 2)) s: "
    text += "\(DecimalText.fixed(throughput.imagesPerSecond, places: 1)) images/s, "
    text += "\(milliseconds(throughput.cpuPerImage * 1e3)) CPU each\n"
    if throughput.failed > 0 { text += "\(DecimalText.grouped(throughput.failed)) failed\n" }
    for failure in throughput.failures { text += "  " + failure.printable + "\n" }
    return text
  }

  private static func lines(of video: BenchReport.Video) -> String {
    var text = "\(video.file.printable), \(video.size.width) × \(video.size.height): "
    text += "\(DecimalText.grouped(video.frames)) frames in \(DecimalText.fixed(video.wall, places: 2)) s: "
    text += "\(DecimalText.fixed(video.framesPerSecond, places: 1)) frames/s, "
    text += "\(milliseconds(video.cpuPerFrame * 1e3)) CPU each\n"
    text += "decode \(milliseconds(video.decode)), detect \(milliseconds(video.detect)), "
    text += "track \(milliseconds(video.track)) a frame"
    if let frame = video.frame { text += "; p95 of a decoded frame \(milliseconds(frame.p95))" }
    return text + "\n\(DecimalText.grouped(video.tracks)) \(video.tracks == 1 ? "identity" : "identities")\n"
  }

  private static func milliseconds(_ value: Double) -> String { DecimalText.fixed(value, places: 2) + " ms" }
}
