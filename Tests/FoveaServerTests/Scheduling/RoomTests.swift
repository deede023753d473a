// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaServer
  import FoveaTesting
  import Testing

  @Suite struct RoomTests {
    @Test func `where no call may wait, a request is refused before its body is read`() async throws {
      let photo = try RunningInference.bytes()
      try await RunningInference.run([.embedded]) { server in
        let scheduler = server.service.scheduler
        let count = scheduler.slots + scheduler.places
        // They hold slots and places until they are cancelled.
        let calls = (0..<count).map { _ in
          Task {
            try await scheduler.run(for: "other", within: .seconds(3_600)) {
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
        // What needs no slot is answered all the same.
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
