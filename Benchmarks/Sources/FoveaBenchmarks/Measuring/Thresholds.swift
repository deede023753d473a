// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The stored allocations and peaks that a change must not exceed.
///
/// One line for each benchmark: name, allocations, peak in bytes, with tabs between them.
struct Thresholds {
  struct Entry {
    var allocations: Int
    var peakBytes: Int
  }

  private(set) var entries: [String: Entry] = [:]
  private(set) var order: [String] = []

  init() {}

  init(contentsOf path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t")
      guard fields.count == 3, let allocations = Int(fields[1]), let peak = Int(fields[2]) else {
        throw BenchmarkFailure("\(path): this is not a threshold: \(line)")
      }
      set(String(fields[0]), Entry(allocations: allocations, peakBytes: peak))
    }
  }

  mutating func set(_ name: String, _ entry: Entry) {
    if entries.updateValue(entry, forKey: name) == nil { order.append(name) }
  }

  func write(to path: String) throws {
    var text = "# benchmark, allocations and peak heap bytes of one iteration; make bench-update writes it\n"
    for name in order {
      guard let entry = entries[name] else { continue }
      text += "\(name)\t\(entry.allocations)\t\(entry.peakBytes)\n"
    }
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Returns the problem if a measurement exceeds its threshold or has none.
  ///
  /// Tolerates one allocation in fifty, because some depend on timing, and a twentieth and 4 KiB of the peak, because
  /// allocators round up differently.
  func violation(_ name: String, _ measured: Measurement) -> String? {
    guard let entry = entries[name] else { return "\(name): no threshold; make bench-update adds it" }
    if measured.allocations > entry.allocations + entry.allocations / 50 {
      return "\(name): \(measured.allocations) allocations, \(entry.allocations) are stored"
    }
    if measured.peakBytes > entry.peakBytes + entry.peakBytes / 20 + 4_096 {
      return "\(name): \(measured.peakBytes) bytes at the peak, \(entry.peakBytes) are stored"
    }
    return nil
  }
}

/// An error that stops the benchmarks.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
