// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaInference
import FoveaTesting
import Testing

@Suite struct RoomTests {
  @Test func `a body without memory is rejected while another one arrives, and accepted afterwards`()
    async throws
  {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded], { $0.bodyMemory = photo.count + 1000 }) { server in
      let slow = try RawConnection(port: server.port)
      slow.send(
        Array("POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(photo.count)\r\n\r\n".utf8)
          + photo.prefix(1000))
      // Declared bytes take no memory; received ones do.
      blockUntil { server.service.bodies.reserved == 1000 }
      #expect(server.service.bodies.reserved == 1000)
      let fits = try server.send("POST", "/v1/detect", photo)
      #expect(fits.status == 429 && fits.errorCode == "share-used")
      slow.send(Array(photo.dropFirst(1000).prefix(1000)))
      blockUntil { server.service.bodies.reserved == 2000 }
      let refused = try server.send("POST", "/v1/detect", photo)
      #expect(refused.status == 503 && refused.errorCode == "server-busy")
      #expect(refused.headers["retry-after"] != nil)
      slow.send(Array(photo.dropFirst(2000)))
      #expect(slow.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
      blockUntil { server.service.bodies.reserved == 0 }
    }
  }

  @Test func `if no call may wait, a request is rejected before its body is read`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run([.embedded]) { server in
      let scheduler = server.service.scheduler
      let count = scheduler.slots + scheduler.places
      // They hold slots and places until they are cancelled; a single client would have to give places up.
      let calls = (0..<count).map { number in
        Task {
          try await scheduler.run(for: "client \(number % 4)", within: .seconds(3_600)) {
            try await Task.sleep(for: .seconds(3_600))
          }
        }
      }
      blockUntil { scheduler.counts.waiting == scheduler.places }
      let connection = try RawConnection(port: server.port)
      connection.send(
        "POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n"
      )
      let answer = try HTTPAnswer(connection.readToEnd())
      #expect(answer.status == 503 && answer.errorCode == "server-busy")
      #expect(answer.headers["retry-after"] != nil && answer.headers["connection"] == "close")
      // Requests that need no slot are answered anyway.
      for target in ["/livez", "/v1/models", "/detectors"] {
        #expect(try server.send("GET", target).status == 200, "\(target)")
      }
      #expect(try server.send("POST", "/v1/vision/custom/list").status == 200)
      for call in calls { call.cancel() }
      blockUntil { scheduler.counts.waiting == 0 && scheduler.counts.running == 0 }
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
    }
  }
}
#endif
