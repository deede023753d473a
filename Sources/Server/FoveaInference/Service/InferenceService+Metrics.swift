// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

extension InferenceService {
  /// What the metrics call the protocol that a route belongs to.
  static let protocolName: @Sendable (_ method: String, _ route: String) -> String = { method, route in
    names["\(method == "HEAD" ? "GET" : method) \(route)"] ?? "none"
  }

  private static let names = Dictionary(
    APIRoute.all.map { route in ("\(route.method) \(route.path)", route.family.name) }
  ) { first, _ in first }

  /// Explains what is counted, and adds what is read when somebody asks.
  func describe() {
    ProcessMetrics().add(to: metrics)
    metrics.describe("fovea_requests_total", "Requests by route, protocol and status.")
    metrics.describe("fovea_request_seconds", "Time until the head of an answer, by route.")
    metrics.describe("fovea_refused_total", "Requests that were refused before they were read, by reason.")
    metrics.describe(
      "fovea_model_swaps_total", "Versions of models that were loaded while it runs, or could not be.")
    metrics.describe(
      "fovea_model_evictions_total", "Models that were taken out of memory because others needed it.")
    metrics.describe("fovea_queue_seconds", "Time that an image waited for a slot.")
    metrics.describe("fovea_stage_seconds", "Time of an image's stages.")
    metrics.describe("fovea_live_frames_total", "Frames of live connections by what became of them.")
    metrics.describe("fovea_stream_frames_total", "Frames of sources by what became of them.")
    metrics.gauge("fovea_live_connections", help: "Live connections.") { [live] in Double(live.count) }
    metrics.gauge("fovea_body_bytes", help: "Memory of the bodies that are being received and worked on.") {
      [bodies] in Double(bodies.reserved)
    }
    describeModels()
    describeSlots()
  }

  private func describeModels() {
    metrics.gauge("fovea_model_bytes", help: "About what a model takes of the memory.") { [registry] in
      registry.loaded.map { .init(Double($0.memory), ["model", $0.name]) }
    }
    metrics.gauge("fovea_model_info", help: "The versions that answer.") { [registry] in
      registry.loaded.map { facts in
        .init(1, ["model", facts.name, "version", String(facts.version), "sha256", facts.sha256])
      }
    }
  }

  private func describeSlots() {
    let scheduler = scheduler
    metrics.gauge("fovea_slots", help: "Images that are worked on at a time.") { Double(scheduler.slots) }
    metrics.gauge("fovea_queue_depth", help: "Images that wait for a slot.") {
      Double(scheduler.counts.waiting)
    }
    metrics.counter("fovea_slots_busy_seconds_total", help: "Seconds that slots have been busy.") {
      [.init(scheduler.counts.busySeconds)]
    }
    metrics.counter(
      "fovea_cancelled_total",
      help: "Images that were given up because their client left or their time was up."
    ) {
      Scheduler.Cut.all.map { cut in
        .init(Double(scheduler.count(of: cut)), ["phase", cut.phase.rawValue, "reason", cut.reason.rawValue])
      }
    }
  }
}
#endif
