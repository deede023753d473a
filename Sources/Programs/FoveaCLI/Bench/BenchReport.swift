// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry

/// The outcome of a benchmark, with all fields of the schema `bench/1`.
struct BenchReport {
  struct Image: Equatable {
    var file: String
    var size: PixelSize
    var endToEnd: TimeSummary
    var inference: TimeSummary?
    var cpuPerImage: Double?
    var items: [BenchAnswer.Item]
  }

  struct Throughput: Equatable {
    var images: Int
    var wall: Double
    var cpu: Double
    var failed: Int
    var failures: [String]
    var peakMemory: Double?

    var imagesPerSecond: Double { wall > 0 ? Double(images) / wall : 0 }
    var cpuPerImage: Double { images > 0 ? cpu / Double(images) : 0 }
  }

  enum Measured: Equatable {
    case latency([Image])
    case throughput(Throughput)
    case video(Video)
  }

  var plan: BenchPlan
  var liteRT: String?
  /// The time from the model file to a session that can run, in milliseconds.
  var creation: Double
  var measured: Measured
  var peakMemory: Double?
  var cpu: Double

  /// Whether every input has a result.
  var isComplete: Bool {
    guard case .throughput(let throughput) = measured else { return true }
    return throughput.failed == 0
  }

  /// One line of JSON.
  var json: String {
    JSONText.text { json in
      json.member("schema", "bench/1")
      json.member("tool", "fovea")
      json.member("versions") { json in
        json.member("fovea", Version.fovea)
        if let liteRT { json.member("litert", liteRT) }
      }
      json.member("task", plan.task.rawValue)
      json.member("mode", plan.mode.rawValue)
      json.member("model", plan.model)
      json.member("threads", plan.threads)
      json.member("workers", plan.sessions)
      json.member("repetitions", plan.repetitions)
      json.key("import_ms")
      json.null()
      json.member("create_ms", creation, places: 3)
      switch measured {
      case .latency(let images): json.member("images", images)
      case .throughput(let throughput): json.member("throughput", throughput)
      case .video(let video): json.member("video", video)
      }
      json.member("peak_rss_mb", peakMemory, places: 1)
      json.member("cpu_s", cpu, places: 4)
    }
  }
}

extension BenchReport.Image: JSONObject {
  func appendMembers(to json: inout JSONText) {
    json.member("file", file)
    json.member("width", size.width)
    json.member("height", size.height)
    json.member("end_to_end_ms", endToEnd)
    json.member("inference_ms", inference)
    json.member("cpu_s_per_image", cpuPerImage, places: 6)
    json.objects("results", items) { json, item in
      json.member("label", item.label)
      json.member("index", item.index)
      json.member("score", Double(item.score), places: 6)
      guard let box = item.box else { return }
      json.member("box", box.corner) { $0.number($1, places: 2) }
    }
  }
}

extension BenchReport.Throughput: JSONObject {
  func appendMembers(to json: inout JSONText) {
    json.member("images", images)
    json.member("wall_s", wall, places: 4)
    json.member("cpu_s", cpu, places: 4)
    json.member("images_per_s", imagesPerSecond, places: 2)
    json.member("cpu_s_per_image", cpuPerImage, places: 6)
    json.member("parallel", "threads")
    json.member("peak_rss_mb", peakMemory, places: 1)
    json.member("failed", failed)
    json.member("failures", failures)
  }
}

extension TimeSummary: JSONObject {
  /// The five figures.
  func appendMembers(to json: inout JSONText) {
    json.member("first", first, places: 3)
    json.member("median", median, places: 3)
    json.member("p95", p95, places: 3)
    json.member("min", min, places: 3)
    json.member("n", n)
  }
}
