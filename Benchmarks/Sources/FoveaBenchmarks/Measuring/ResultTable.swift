// SPDX-License-Identifier: Apache-2.0

/// A table of results: one line per benchmark, printed when it is done.
enum ResultTable {
  static let header = line([
    "stage", "boxes", "CPU least", "p50", "p90", "wall p50", "p90", "allocations", "peak heap", "runs",
  ])

  static func line(_ benchmark: Benchmark, _ measured: Measurement) -> String {
    line([
      benchmark.stage, benchmark.boxes.map { "\($0)" } ?? "–", time(measured.cpuLeast), time(measured.cpu50),
      time(measured.cpu90),
      time(measured.wall50), time(measured.wall90), "\(measured.allocations)", bytes(measured.peakBytes),
      "\(measured.iterations)",
    ])
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [34, 6, 12, 12, 12, 12, 12, 13, 11, 6]
    var text = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
      text += index == 0 ? cell + padding : padding + cell
    }
    return text
  }

  private static func time(_ nanoseconds: Int) -> String {
    DecimalText.fixed(Double(nanoseconds) / 1_000, places: 1) + " µs"
  }

  private static func bytes(_ count: Int) -> String {
    count < 10_000 ? "\(count) B" : DecimalText.fixed(Double(count) / 1_024, places: 0) + " KiB"
  }
}
