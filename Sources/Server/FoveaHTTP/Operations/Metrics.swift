// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// Counters, gauges and histograms in Prometheus' text format 0.0.4.
///
/// Labels come from routes and configuration, never from a caller, who could otherwise fill the memory with
/// names.
package final class Metrics: Sendable {
  /// A series: a family with its labels, such as `name{route="…"}`.
  private struct Series: Hashable {
    var family: String
    var labels: String
  }

  private struct Histogram {
    var counts: [Int]
    var sum = 0.0
    var count = 0
  }

  /// A family's value that is read on demand, with its labels: alternating names and values.
  package struct Reading: Sendable {
    var labels: [String]
    var value: Double

    package init(_ value: Double, _ labels: [String] = []) {
      self.labels = labels
      self.value = value
    }
  }

  /// A family whose values are read on demand.
  private struct Source {
    var kind: String
    var read: @Sendable () -> [Reading]
  }

  private struct State {
    var counters: [Series: Double] = [:]
    var sources: [String: Source] = [:]
    var histograms: [Series: Histogram] = [:]
    var help: [String: String] = [:]
  }

  /// The upper bounds of the duration buckets, in seconds.
  private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

  private let state = Mutex(State())

  package init() {}

  /// Adds to a counter; labels are alternating names and values.
  package func add(_ family: String, _ labels: [String] = [], by amount: Double = 1) {
    let series = Series(family: family, labels: Metrics.text(labels))
    state.withLock { $0.counters[series, default: 0] += amount }
  }

  /// Records a duration.
  package func observe(_ family: String, _ labels: [String] = [], seconds: Double) {
    let series = Series(family: family, labels: Metrics.text(labels))
    let index = Metrics.bounds.firstIndex { seconds <= $0 } ?? Metrics.bounds.count
    state.withLock { state in
      var histogram =
        state.histograms[series] ?? Histogram(counts: [Int](repeating: 0, count: Metrics.bounds.count + 1))
      histogram.counts[index] += 1
      histogram.sum += seconds
      histogram.count += 1
      state.histograms[series] = histogram
    }
  }

  /// Adds a gauge whose value is read on demand.
  package func gauge(_ family: String, help: String, _ value: @escaping @Sendable () -> Double) {
    gauge(family, help: help) { [Reading(value())] }
  }

  /// Adds gauges whose values are read on demand; a family without values is omitted.
  package func gauge(_ family: String, help: String, _ read: @escaping @Sendable () -> [Reading]) {
    add(Source(kind: "gauge", read: read), family, help)
  }

  /// Adds counters, whose values only increase.
  package func counter(_ family: String, help: String, _ read: @escaping @Sendable () -> [Reading]) {
    add(Source(kind: "counter", read: read), family, help)
  }

  private func add(_ source: Source, _ family: String, _ help: String) {
    state.withLock { state in
      state.sources[family] = source
      state.help[family] = help
    }
  }

  /// Sets the line that describes a family.
  package func describe(_ family: String, _ help: String) { state.withLock { $0.help[family] = help } }

  /// Returns all metrics in Prometheus' format.
  package func text() -> String {
    let state = state.withLock { $0 }
    var lines: [String] = []
    for family in Set(state.counters.keys.map(\.family)).sorted() {
      header(family, "counter", state, &lines)
      for (series, value) in state.counters.filter({ $0.key.family == family }).sorted(by: Metrics.order) {
        lines.append("\(family)\(Metrics.braces(series.labels)) \(Metrics.number(value))")
      }
    }
    for (family, source) in state.sources.sorted(by: { $0.key < $1.key }) {
      let readings = source.read()
      if !readings.isEmpty { header(family, source.kind, state, &lines) }
      for reading in readings {
        let labels = Metrics.braces(Metrics.text(reading.labels))
        lines.append("\(family)\(labels) \(Metrics.number(reading.value))")
      }
    }
    for family in Set(state.histograms.keys.map(\.family)).sorted() {
      header(family, "histogram", state, &lines)
      for (series, histogram) in state.histograms.filter({ $0.key.family == family }).sorted(
        by: Metrics.order)
      {
        append(family, series.labels, histogram, &lines)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func header(_ family: String, _ kind: String, _ state: State, _ lines: inout [String]) {
    if let help = state.help[family] { lines.append("# HELP \(family) \(help)") }
    lines.append("# TYPE \(family) \(kind)")
  }

  private func append(_ family: String, _ labels: String, _ histogram: Histogram, _ lines: inout [String]) {
    var total = 0
    let comma = labels.isEmpty ? "" : ","
    for (index, count) in histogram.counts.enumerated() {
      total += count
      let bound = index < Metrics.bounds.count ? "\(Metrics.bounds[index])" : "+Inf"
      lines.append("\(family)_bucket{\(labels)\(comma)le=\"\(bound)\"} \(total)")
    }
    lines.append("\(family)_sum\(Metrics.braces(labels)) \(histogram.sum)")
    lines.append("\(family)_count\(Metrics.braces(labels)) \(histogram.count)")
  }

  private static func order<Value>(
    _ first: (key: Series, value: Value), _ second: (key: Series, value: Value)
  ) -> Bool { first.key.labels < second.key.labels }

  private static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
  }

  private static func text(_ labels: [String]) -> String {
    stride(from: 0, to: labels.count - 1, by: 2)
      .map { index in "\(labels[index])=\"\(escaped(labels[index + 1]))\"" }
      .joined(separator: ",")
  }

  private static func escaped(_ value: String) -> String {
    // The fast path for nearly every value: route patterns and numbers.
    guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else { return value }
    var text = ""
    for character in value {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
    return text
  }
}
#endif
