// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

extension InferenceService {
  /// Returns the metrics' name for the protocol of a route.
  static let protocolName: @Sendable (_ method: String, _ route: String) -> String = { method, route in
    names["\(method == "HEAD" ? "GET" : method) \(route)"] ?? "none"
  }

  private static let names = Dictionary(
    APIRoute.all.map { route in ("\(route.method) \(route.path)", route.family.name) }
  ) { first, _ in first }

  /// Describes the counters, and adds the values that are read on demand.
  func describe() {
    ProcessMetrics().add(to: metrics)
    metrics.describe("fovea_requests_total", "Requests by route, protocol and status.")
    metrics.describe("fovea_request_seconds", "Time until the head of an answer, by route.")
    metrics.describe("fovea_refused_total", "Requests refused before they were read, by reason.")
    metrics.describe(
      "fovea_model_swaps_total", "Model versions loaded at run time, by result.")
    metrics.describe(
      "fovea_model_evictions_total", "Models evicted because others needed their memory.")
    metrics.describe("fovea_queue_seconds", "Time that an image waited for a slot.")
    metrics.describe("fovea_stage_seconds", "Time of an image's stages.")
    metrics.describe("fovea_live_frames_total", "Frames of live connections, by outcome.")
    metrics.describe("fovea_stream_frames_total", "Frames of sources, by outcome.")
    metrics.describe("fovea_events_refused_total", "Objects without an event, because 64 were open.")
    metrics.describe(
      "fovea_events_unkept_total", "Messages and images that could not be written to the folder.")
    metrics.gauge("fovea_live_connections", help: "Live connections.") { [live] in Double(live.count) }
    metrics.gauge("fovea_body_bytes", help: "Memory of the bodies being received and processed.") {
      [bodies] in Double(bodies.reserved)
    }
    streams.streams.describeCounts(in: metrics, from: events.journal)
    describeEvents()
    describeModels()
    describeSlots()
  }

  /// Describes the receivers of events, and starts the counters of what is lost at 0.
  private func describeEvents() {
    guard let journal = events.journal else { return }
    journal.describeOutputs()
    let sources = streams.streams.sources.map(\.entry)
    metrics.counter("fovea_events_total", help: "Messages about objects of sources, by type.") {
      [weak journal] in journal?.totals.messages(of: sources) ?? []
    }
    metrics.add("fovea_events_unkept_total", by: 0)
    for source in streams.streams.sources {
      metrics.add("fovea_events_refused_total", ["stream", source.entry.name], by: 0)
    }
  }

  private func describeModels() {
    metrics.gauge("fovea_model_bytes", help: "The approximate memory of a model.") { [registry] in
      registry.loaded.map { .init(Double($0.memory), ["model", $0.name]) }
    }
    metrics.gauge("fovea_model_info", help: "The current versions.") { [registry] in
      registry.loaded.map { facts in
        .init(1, ["model", facts.name, "version", String(facts.version), "sha256", facts.sha256])
      }
    }
  }

  private func describeSlots() {
    let scheduler = scheduler
    metrics.gauge("fovea_slots", help: "Images processed at a time.") { Double(scheduler.slots) }
    metrics.gauge("fovea_queue_depth", help: "Images waiting for a slot.") {
      Double(scheduler.counts.waiting)
    }
    metrics.counter("fovea_slots_busy_seconds_total", help: "Seconds that slots have been busy.") {
      [.init(scheduler.counts.busySeconds)]
    }
    metrics.counter(
      "fovea_cancelled_total",
      help: "Images cancelled because their client disconnected or their time expired."
    ) {
      Scheduler.Cut.all.map { cut in
        .init(Double(scheduler.count(of: cut)), ["phase", cut.phase.rawValue, "reason", cut.reason.rawValue])
      }
    }
  }
}
#endif
