// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage
import FoveaInference
import FoveaTesting
import Testing

@Suite struct LiveFormatTests {
  /// A GIF of one black pixel.
  private static let gif =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

  @Test(arguments: [Set<ImageFormat>([.jpeg, .png, .webp]), [.jpeg, .gif]])
  func `frames of a live connection have the formats of the server`(formats: Set<ImageFormat>) async throws {
    try await RunningInference.run([.embedded], { $0.formats = formats }) { server in
      let client = try WebSocketClient(port: server.port, path: "/v1/live")
      client.send(.text(#"{"type": "start"}"#))
      _ = try client.text(with: "ready")
      client.send(WebSocketClient.Frame(2, [1, 0, 0, 0, 0, 0, 0, 0] + Self.gif))
      let answer = try client.text(with: "\"sequence\"") ?? ""
      #expect(answer.contains("image-format-off") == !formats.contains(.gif), "\(answer)")
      let photo = try RunningInference.bytes()
      client.send(WebSocketClient.Frame(2, [2, 0, 0, 0, 0, 0, 0, 0] + photo))
      #expect(try client.text(with: "\"sequence\": 2")?.contains("\"type\": \"result\"") == true)
    }
  }
}
#endif
