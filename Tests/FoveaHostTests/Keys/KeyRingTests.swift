// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct KeyRingTests {
  static let path = "/files/modelhost-test/abc"
  let samples = KeySamples()

  /// The query of an address that the ring signed for 600 seconds.
  func query(_ ring: KeyRing, installation: String? = nil, lifetime: Double = 600) -> String {
    let target = ring.sign(
      path: Self.path, installation: installation, lifetime: lifetime, now: samples.now
    ).target
    return String(target.dropFirst(Self.path.count + 1))
  }

  func code(
    _ ring: KeyRing, method: String = "GET", path: String = Self.path, _ query: String,
    lifetime: Double = 600
  ) -> HostCode? {
    do throws(HostError) {
      try ring.verify(method: method, path: path, query: query, lifetime: lifetime, now: samples.now)
      return nil
    } catch { return error.code }
  }

  @Test(
    arguments: [
      (0, nil), (599, nil), (599.999, nil), (600, .expired), (601, .expired), (86_400, .expired), (-1, nil),
      (-300, nil), (-300.001, .forbidden), (-86_400, .forbidden),
    ] as [(Double, HostCode?)])
  func `a signed URL works until it expires`(after: Double, expected: HostCode?) {
    let query = query(samples.ring)
    samples.set(seconds: after)
    #expect(code(samples.ring, query) == expected)
  }

  @Test func `a signed URL is for one path, GET and HEAD`() {
    let query = query(samples.ring)
    #expect(code(samples.ring, method: "HEAD", query) == nil)
    for method in ["POST", "PUT", "DELETE", "get", ""] {
      #expect(code(samples.ring, method: method, query) == .forbidden)
    }
    for path in [
      "/files/modelhost-test/abd", "/files/another-project/abc", Self.path + "/",
      "/files/modelhost-test/%61bc", "",
    ] {
      #expect(code(samples.ring, path: path, query) == .forbidden)
    }
  }

  @Test func `any other spelling of the query is rejected`() throws {
    let query = query(samples.ring, installation: "f&1=ü")
    #expect(code(samples.ring, query) == nil)
    let items = query.split(separator: "&").map(String.init)
    #expect(items.count == 4)
    var changed = [
      "", "&", query + "&", "&" + query, query + "&a=b", query + "=", query.uppercased(), query + "#",
      items.reversed().joined(separator: "&"), query + "&" + items[0], items[0] + "&" + query,
      query.replacing("fid=f%261%3D%C3%BC", with: "fid=f%261%3d%c3%bc"),
      query.replacing("fid=f%261", with: "fid=%66%261"),
      query.replacing("exp=", with: "exp=0"), query.replacing("exp=", with: "exp=+"),
      query.replacing("exp=", with: "exp=-"),
    ]
    for index in items.indices {
      var fewer = items
      fewer.remove(at: index)
      changed.append(fewer.joined(separator: "&"))
    }
    for text in changed { #expect(code(samples.ring, text) == .forbidden, "\(text)") }
  }

  @Test func `every changed letter of the query is noticed`() {
    let query = Array(query(samples.ring, installation: "fid-1").utf8)
    for index in query.indices {
      var changed = query
      changed[index] = changed[index] == 0x31 ? 0x32 : 0x31
      #expect(code(samples.ring, String(decoding: changed, as: UTF8.self)) != nil, "\(index)")
    }
  }

  @Test func `the installation is part of the signature`() throws {
    let query = query(samples.ring, installation: "fid-1")
    let found = try samples.ring.verify(
      method: "GET", path: Self.path, query: query, lifetime: 600, now: samples.now)
    #expect(found == "fid-1")
    #expect(code(samples.ring, query.replacing("fid-1", with: "fid-2")) == .forbidden)
  }

  @Test func `a URL that works for longer than the host signs is rejected`() {
    #expect(code(samples.ring, query(samples.ring, lifetime: 900)) == nil)
    #expect(code(samples.ring, query(samples.ring, lifetime: 900.001)) == .forbidden)
    #expect(code(samples.ring, query(samples.ring, lifetime: 1e9)) == .forbidden)
  }

  @Test func `one rotation keeps earlier signatures, the next ends them`() throws {
    let query = query(samples.ring)
    try samples.ring.rotate()
    #expect(code(samples.ring, query) == nil)
    #expect(code(samples.ring, self.query(samples.ring)) == nil)
    try samples.ring.rotate()
    #expect(code(samples.ring, query) == .forbidden)
    #expect(code(KeyRing(), query) == .forbidden)
  }

  @Test func `only its owner can read the file, and the keys survive a restart`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ring.json"
    let ring = try KeyRing.create(at: path)
    #expect(FileStatus(FilePath(path))?.permissions == 0o600)
    let query = query(ring)
    try ring.rotate()
    #expect(FileStatus(FilePath(path))?.permissions == 0o600)
    #expect(code(try KeyRing(path: path), query) == nil)
    try ring.rotate()
    #expect(code(try KeyRing(path: path), query) == .forbidden)
  }

  @Test(arguments: [
    "", "{}", #"{"keys": []}"#, #"{"keys": [{"id": "a", "secret": "00"}]}"#,
    #"{"keys": [{"id": "", "secret": "0000000000000000000000000000000000000000000000000000000000000000"}]}"#,
    #"{"keys": [{"id": "a", "secret": "Z000000000000000000000000000000000000000000000000000000000000000"}]}"#,
  ])
  func `a damaged file is rejected`(_ text: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ring.json"
    try SecretFile.write(text, to: path)
    #expect(await FoveaHostTests.code { _ = try KeyRing(path: path) } == .folder)
  }

  @Test func `a file that others may read, or that is missing, is rejected`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ring.json"
    #expect(await FoveaHostTests.code { _ = try KeyRing(path: path) } == .unavailable)
    _ = try KeyRing.create(at: path)
    #expect(unsafe chmod(path, 0o640) == 0)
    #expect(await FoveaHostTests.code { _ = try KeyRing(path: path) } == .folder)
  }

  @Test func `tokens of installations last 7 days, their refresh tokens stay`() throws {
    let installation = Installation(project: KeySamples.project, id: "cVq.&%x")
    let token = samples.ring.token(for: installation, now: samples.now)
    let refresh = samples.ring.refreshToken(for: installation)
    samples.set(seconds: 604_799.999)
    #expect(samples.ring.installation(token: token, now: samples.now) == installation)
    samples.set(seconds: 604_800)
    #expect(samples.ring.installation(token: token, now: samples.now) == nil)
    #expect(try samples.ring.installation(refreshToken: refresh) == installation)
    #expect(throws: HostError.self) { try samples.ring.installation(refreshToken: token) }
    samples.set(seconds: 0)
    #expect(samples.ring.installation(token: refresh, now: samples.now) == nil)
    #expect(KeyRing().installation(token: token, now: samples.now) == nil)
    for wrong in ["", ".", "..", "...", token + ".", token + "x", String(token.dropLast()), "eyJ.eyJ.eyJ"] {
      #expect(samples.ring.installation(token: wrong, now: samples.now) == nil)
    }
  }

  @Test(arguments: [[], [""], ["a"], ["a", ""], ["", "", ""], ["a.b&c=d%25", "\u{0}", "日本"]])
  func `sealed data opens unchanged`(fields: [String]) {
    // No text is the same as one empty text.
    let expected = fields.isEmpty ? [""] : fields
    #expect(samples.ring.open(samples.ring.seal(fields, for: .refresh), for: .refresh) == expected)
  }
}
#endif
