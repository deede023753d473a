// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The process's use of resources, under the names common to Prometheus' client libraries.
///
/// **Source:** Prometheus, "Writing client libraries", Process metrics; proc_pid_stat(5), proc_pid_statm(5),
/// proc_stat(5).
package struct ProcessMetrics: Sendable {
  /// The root of the system's files; tests use another folder.
  private let root: String

  package init(root: String = "") { self.root = root }

  /// Adds the metrics; those the system does not provide are omitted.
  package func add(to metrics: Metrics) {
    metrics.counter("process_cpu_seconds_total", help: "Processor time of the process, in seconds.") {
      ProcessMetrics.one(ProcessMetrics.processorSeconds)
    }
    metrics.gauge("process_resident_memory_bytes", help: "Resident memory of the process, in bytes.") {
      ProcessMetrics.one(pages(1))
    }
    metrics.gauge("process_virtual_memory_bytes", help: "Virtual memory of the process, in bytes.") {
      ProcessMetrics.one(pages(0))
    }
    metrics.gauge("process_open_fds", help: "Descriptors that the process has open.") {
      ProcessMetrics.one(openDescriptors)
    }
    metrics.gauge("process_max_fds", help: "Descriptors that the process may have open.") {
      ProcessMetrics.one(Double(DescriptorLimit.present))
    }
    let start = startSeconds
    metrics.gauge("process_start_time_seconds", help: "Start time of the process, in seconds since 1970.") {
      ProcessMetrics.one(start)
    }
  }

  private static func one(_ value: Double?) -> [Metrics.Reading] { value.map { [.init($0)] } ?? [] }

  /// The processor time of all threads.
  private static var processorSeconds: Double? { ProcessorTime.ofProcess?.seconds }

  /// Returns a number of `statm` in bytes; the file counts pages.
  private func pages(_ index: Int) -> Double? {
    let numbers = words("/proc/self/statm")
    guard index < numbers.count, let count = Double(numbers[index]) else { return nil }
    return count * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  private var openDescriptors: Double? {
    // One of them is the folder's own.
    (try? Folder.names(in: root + "/proc/self/fd")).map { Double(max(0, $0.count - 1)) }
  }

  /// The start of the machine plus the ticks until the process started.
  private var startSeconds: Double? {
    let line = text("/proc/self/stat")
    // The second word is the program's name, which may contain spaces and parentheses.
    let rest = line.lastIndex(of: ")").map { line[$0...].split(whereSeparator: \.isWhitespace) } ?? []
    let boot = number("btime", in: "/proc/stat")
    guard rest.count > 20, let ticks = Double(rest[20]), let boot else { return nil }
    return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private func number(_ name: String, in path: String) -> Double? {
    let line = text(path).split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Double($0.dropFirst(name.count + 1)) }
  }

  private func words(_ path: String) -> [Substring] { text(path).split(whereSeparator: \.isWhitespace) }

  private func text(_ path: String) -> String {
    guard let bytes = try? SmallFile.bytes(of: root + path, limit: 1 << 20) else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif
