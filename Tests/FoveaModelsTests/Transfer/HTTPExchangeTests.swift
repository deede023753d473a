// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaModels

@Suite struct HTTPExchangeTests {
  /// The status and body of a response; nil if there was none.
  private func reply(_ exchange: HTTPExchange) async throws -> (status: Int, body: String)? {
    switch try await exchange.run() {
    case .reply(let status, let body): (status, String(decoding: body, as: UTF8.self))
    case .failed: nil
    }
  }

  @Test(arguments: ["GET", "POST", "PUT", "DELETE", "PATCH"])
  func `method, headers and body arrive as sent`(_ method: String) async throws {
    let server = try LoopbackServer { request, _ in
      LoopbackServer.Reply(status: 201, body: Array("ok \(request.method)".utf8))
    }
    defer { server.stop() }
    var exchange = HTTPExchange(method, server.url + "/v1/a%20b?c=d")
    exchange.headers = ["Authorization: Bearer x", "Content-Type: application/json"]
    if method != "GET", method != "DELETE" { exchange.body = .bytes(Array("{}".utf8)) }
    let reply = try #require(try await reply(exchange))
    #expect(reply.status == 201)
    #expect(reply.body == "ok \(method)")
    let request = try #require(server.requests.first)
    #expect(request.method == method)
    #expect(request.target == "/v1/a%20b?c=d")
    #expect(request.headers["authorization"] == "Bearer x")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["expect"] == nil)
    #expect(request.body == (method == "GET" || method == "DELETE" ? [] : Array("{}".utf8)))
  }

  @Test(arguments: [0, 1, 200_000]) func `a file is sent whole`(_ count: Int) async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try folder.write("a.bin", bytes)
    var exchange = HTTPExchange("POST", server.url)
    exchange.body = .file(folder["a.bin"])
    #expect(try await reply(exchange)?.status == 200)
    #expect(server.requests.first?.headers["content-length"] == String(count))
    #expect(server.requests.first?.body == bytes)
  }

  @Test(arguments: [400, 404, 409, 500, 503]) func `an error status is a response`(_ status: Int) async throws
  {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(status: status, body: Array("why".utf8)) }
    defer { server.stop() }
    let reply = try #require(try await reply(HTTPExchange("POST", server.url)))
    #expect(reply.status == status)
    #expect(reply.body == "why")
  }

  @Test(arguments: ["PUT", "DELETE", "POST"]) func `a request that changes data is not redirected`(
    _ method: String
  ) async throws {
    let server = try LoopbackServer { _, _ in
      LoopbackServer.Reply(status: 307, headers: ["Location": "/other"])
    }
    defer { server.stop() }
    #expect(try await reply(HTTPExchange(method, server.url))?.status == 307)
    #expect(server.requests.count == 1)
  }

  @Test func `a truncated, too long or missing response is an error`() async throws {
    let server = try LoopbackServer { request, _ in
      var reply = LoopbackServer.Reply(body: [UInt8](repeating: 1, count: 1_000))
      if request.target == "/cut" { reply.cutAfter = 10 }
      return reply
    }
    var exchange = HTTPExchange("GET", server.url + "/long")
    exchange.limit = 999
    #expect(try await reply(exchange) == nil)
    exchange.limit = 1_000
    #expect(try await reply(exchange)?.body.utf8.count == 1_000)
    #expect(try await reply(HTTPExchange("GET", server.url + "/cut")) == nil)
    server.stop()
    #expect(try await reply(HTTPExchange("GET", server.url)) == nil)
  }

  /// Whether the whole request may have reached a server that sent no response; nil if there was one.
  private func isSent(_ exchange: HTTPExchange) async throws -> Bool? {
    switch try await exchange.run() {
    case .reply: nil
    case .failed(_, let isSent): isSent
    }
  }

  @Test func `a request without a response may have arrived, unless there was no connection`() async throws {
    let server = try LoopbackServer { _, _ in
      var reply = LoopbackServer.Reply()
      reply.isSilent = true
      return reply
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    var exchange = HTTPExchange("POST", server.url)
    try folder.write("a.bin", "bytes")
    exchange.body = .file(folder["a.bin"])
    #expect(try await isSent(exchange) == true)
    #expect(try await isSent(HTTPExchange("GET", server.url)) == true)
    server.stop()
    #expect(try await isSent(exchange) == false)
  }

  /// A file of 5 bytes, more than which are to be sent, and the resulting error.
  struct FaultCase: Sendable, CustomTestStringConvertible {
    /// How the file is opened.
    let flags: Int32
    let size: Int
    let error: TransferError

    var testDescription: String { error.message }
  }

  static let faults = [
    FaultCase(
      flags: O_RDONLY, size: 100_000,
      error: TransferError(
        .invalidOption,
        "'a.bin' cannot be sent: it was shortened during the upload, and ended after 5 of 100,000 bytes",
        remedy: "Send it again when no program writes to it")),
    FaultCase(
      flags: O_WRONLY, size: 5,
      error: TransferError(
        .invalidOption, "'a.bin' cannot be sent: Bad file descriptor", remedy: "Choose a readable file")
    ),
  ]

  @Test(arguments: faults)
  func `a file that ends early, or that the system cannot read, ends the transfer`(_ test: FaultCase)
    async throws
  {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let path = try folder.write("a.bin", "bytes")
    let descriptor = unsafe open(path, test.flags)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var transfer = HTTPTransfer(
      address: DownloadAddress(url: server.url, allowsHTTP: true, allowsFile: false),
      connectTimeout: .seconds(30), stallTimeout: .seconds(120))
    transfer.headers = ["Expect:"]
    transfer.bodyFile = (descriptor, test.size)
    let outcome = try await FoveaModels.HTTPAnswer.of(transfer, limit: 100).outcome
    #expect(outcome.bodyFault?.error("a.bin") == test.error)
    #expect(!outcome.isSent)
    #expect(server.requests.allSatisfy { $0.body.count < test.size })
  }

  @Test func `a grown file is sent at its old length`() async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let path = try folder.write("a.bin", "bytes and more")
    let descriptor = unsafe open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var transfer = HTTPTransfer(
      address: DownloadAddress(url: server.url, allowsHTTP: true, allowsFile: false),
      connectTimeout: .seconds(30), stallTimeout: .seconds(120))
    transfer.headers = ["Expect:"]
    transfer.bodyFile = (descriptor, 5)
    let outcome = try await FoveaModels.HTTPAnswer.of(transfer, limit: 100).outcome
    #expect(outcome.head.status == 200 && outcome.bodyFault == nil)
    #expect(server.requests.map(\.body) == [Array("bytes".utf8)])
  }

  @Test func `an unreadable file is an error`() async throws {
    let folder = try TemporaryFolder()
    for path in [folder["missing"], folder.path] {
      var exchange = HTTPExchange("POST", "http://127.0.0.1:9")
      exchange.body = .file(path)
      await #expect(throws: TransferError.self) { _ = try await exchange.run() }
    }
  }
}
