// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import HTTPTypes
import Testing

@testable import FoveaHTTP

@Suite struct MetricsTests {
  @Test func `counters, gauges and histograms are written as Prometheus reads them`() {
    let metrics = Metrics()
    metrics.describe("a_total", "What is counted.")
    metrics.add("a_total", ["name", "q\"\\\n"], by: 2)
    metrics.add("a_total", ["name", "b"])
    metrics.gauge("c", help: "One value.") { 0.5 }
    metrics.gauge("d", help: "None.") { [Metrics.Reading]() }
    metrics.counter("e_total", help: "Several.") {
      [.init(1, ["x", "1", "y", "2"]), .init(3, ["x", "2"])]
    }
    metrics.observe("f", seconds: 0.3)
    metrics.observe("f", seconds: 100)
    let lines = metrics.text().split(separator: "\n").map(String.init)
    #expect(
      lines.filter { !$0.hasPrefix("f_bucket") } == [
        "# HELP a_total What is counted.", "# TYPE a_total counter", #"a_total{name="b"} 1"#,
        #"a_total{name="q\"\\\n"} 2"#, "# HELP c One value.", "# TYPE c gauge", "c 0.5",
        "# HELP e_total Several.", "# TYPE e_total counter", #"e_total{x="1",y="2"} 1"#,
        #"e_total{x="2"} 3"#, "# TYPE f histogram", "f_sum 100.3", "f_count 2",
      ])
    let buckets = lines.filter { $0.hasPrefix("f_bucket") }
    #expect(buckets.contains(#"f_bucket{le="0.25"} 0"#) && buckets.contains(#"f_bucket{le="0.5"} 1"#))
    #expect(buckets.last == #"f_bucket{le="+Inf"} 2"#)
  }

  private static func values(root: String) -> [String: Double] {
    let metrics = Metrics()
    ProcessMetrics(root: root).add(to: metrics)
    let rows = metrics.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(
      rows.compactMap { row in
        let words = row.split(separator: " ")
        return words.count == 2 ? (String(words[0]), Double(words[1]) ?? -1) : nil
      }
    ) { first, _ in first }
  }

  @Test func `the process's usage is read from the system's files`() throws {
    let folder = try TemporaryFolder()
    let rest = (4...52).map { $0 == 22 ? "4200" : "0" }.joined(separator: " ")
    try folder.write("proc/self/stat", "7 (a (b) c) S \(rest)\n")
    try folder.write("proc/self/statm", "300 200 100 1 0 50 0\n")
    try folder.write("proc/stat", "cpu 1 2 3\nbtime 1700000000\nprocesses 5\n")
    for number in 0..<4 { try folder.write("proc/self/fd/\(number)", "") }
    let values = Self.values(root: folder.path)
    let (page, tick) = (values["process_virtual_memory_bytes"] ?? 0, values["process_start_time_seconds"])
    #expect(page > 0 && page.remainder(dividingBy: 300) == 0)
    #expect(values["process_resident_memory_bytes"] == page / 300 * 200)
    #expect(tick.map { $0 > 1_700_000_000 && $0 <= 1_700_004_200 } == true)
    // The folder does not exist.
    #expect(values["process_open_fds"] == 3)
  }

  @Test func `values the system does not report are left out`() throws {
    let folder = try TemporaryFolder()
    let values = Self.values(root: folder.path)
    #expect(Set(values.keys) == ["process_cpu_seconds_total", "process_max_fds"])
    #expect(values["process_cpu_seconds_total"] ?? 0 > 0 && values["process_max_fds"] ?? 0 > 0)
  }

  @Test(arguments: [
    (64, 32), (256, 128), (512, 256), (1_024, 768), (65_536, 20_000), (0, 0), (.max, 20_000),
  ])
  func `connections leave descriptors for everything else`(limit: Int, connections: Int) {
    #expect(DescriptorLimit.connections(within: limit) == connections)
  }

  @Test(
    arguments: [
      (.all, 200, 0.1, true), (.all, 404, 0.1, true), (.slow, 200, 0.1, false), (.slow, 200, 1.1, true),
      (.slow, 400, 0.1, true), (.none, 500, 9, false),
    ] as [(AccessLog, Int, Double, Bool)])
  func `a request is logged as configured`(
    log: AccessLog, status: Int, seconds: Double, isTaken: Bool
  ) {
    #expect(log.takes(status: status, seconds: seconds) == isTaken)
  }

  private static let proxies: [(TrustedProxies, String, [String], String?)] = [
    (.none, "10.0.0.1", ["192.0.2.1"], nil), (.any, "10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    (.only(["10.0.0.1"]), "10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    (.only(["10.0.0.1"]), "::ffff:10.0.0.1", ["192.0.2.1"], "192.0.2.1"),
    (.only(["10.0.0.1"]), "10.0.0.2", ["192.0.2.1"], nil),
    (.only(["::1"]), "::1", ["2001:db8::7"], "2001:db8::7"),
    // A caller may have written the part before.
    (.any, "10.0.0.1", ["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
    (.any, "10.0.0.1", ["203.0.113.9", "192.0.2.1"], "192.0.2.1"), (.any, "10.0.0.1", [], nil),
    (.any, "10.0.0.1", ["unknown"], nil), (.any, "10.0.0.1", ["192.0.2.1, "], nil),
    (.any, "10.0.0.1", [String(repeating: "1", count: 46)], nil),
    // Gateways append the port of the connection.
    (.any, "10.0.0.1", ["192.0.2.1:40000"], "192.0.2.1"), (.any, "10.0.0.1", ["192.0.2.1:1"], "192.0.2.1"),
    (.any, "10.0.0.1", ["[2001:db8::7]:40000"], "2001:db8::7"),
    (.any, "10.0.0.1", ["[2001:db8::7]"], "2001:db8::7"),
    (.any, "10.0.0.1", ["\"[2001:db8::7]:40000\""], "2001:db8::7"),
    (.any, "10.0.0.1", ["\"192.0.2.1\""], "192.0.2.1"),
    (.any, "10.0.0.1", ["::ffff:192.0.2.1"], "::ffff:192.0.2.1"),
    (.any, "10.0.0.1", ["192.0.2.1:"], nil), (.any, "10.0.0.1", ["192.0.2.1:400000"], nil),
    (.any, "10.0.0.1", ["192.0.2.1:a"], nil), (.any, "10.0.0.1", ["192.0.2.1:1:2"], nil),
    (.any, "10.0.0.1", ["[192.0.2.1]:1"], nil), (.any, "10.0.0.1", ["[2001:db8::7]1"], nil),
    (.any, "10.0.0.1", ["[2001:db8::7"], nil), (.any, "10.0.0.1", ["2001:db8:1:2:3:4:5:6:40000"], nil),
    // Text of the digits and marks of an address.
    (.any, "10.0.0.1", ["192.0.2"], nil), (.any, "10.0.0.1", ["192.0.2.256"], nil),
    (.any, "10.0.0.1", ["face"], nil), (.any, "10.0.0.1", ["\""], nil), (.any, "10.0.0.1", ["\"\""], nil),
    (.any, "10.0.0.1", [""], nil),
  ]

  @Test(arguments: proxies)
  func `a trusted proxy names the caller, and no one else does`(
    proxies: TrustedProxies, peer: String, headers: [String], caller: String?
  ) {
    var fields = HTTPFields()
    for header in headers { fields.append(HTTPField(name: .xForwardedFor, value: header)) }
    #expect(proxies.caller(fields, peer: peer) == caller)
  }
}
#endif
