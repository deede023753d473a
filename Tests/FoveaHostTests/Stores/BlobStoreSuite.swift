// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

extension BlobStore {
  @discardableResult
  func add(_ bytes: [UInt8]) async throws(HostError) -> FinishedBlob {
    let upload = try await upload(resuming: nil)
    try await upload.append(bytes)
    return try await upload.finish()
  }
}

extension Blob {
  func bytes(from offset: Int64 = 0, count: Int? = nil) throws(HostError) -> [UInt8] {
    let count = count ?? Int(size)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { unsafe memory.deallocate() }
    let read = try unsafe read(at: offset, into: memory)
    return unsafe Array(memory[..<read])
  }
}

/// The requirements of each blob store.
///
/// Each case gets an empty store.
enum BlobStoreSuite {
  typealias Case = StoreCase<any BlobStore>

  static let future = Timestamp(milliseconds: 1 << 50)
  static let past = Timestamp(milliseconds: 0)

  static func random(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    Crypto.SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Resumes an upload that its owner has dropped, once the thread of its last part has released it.
  private static func released(_ name: String, of store: any BlobStore) async throws -> any BlobUpload {
    while true {
      do throws(HostError) { return try await store.upload(resuming: name) } catch {
        guard error.code == .conflict else { throw error }
        await Task.yield()
      }
    }
  }

  static let cases = whole + resumed + removed

  static let whole: [Case] = [
    Case("an empty store") { store async throws in
      #expect(try await store.all() == [])
      #expect(try await !store.contains(HostSamples.hash(1)))
      await #expect(throws: HostError.self) { try await store.localCopy(of: HostSamples.hash(1)) }
      await #expect(throws: HostError.self) { try await store.isIntact(HostSamples.hash(1)) }
      await #expect(throws: HostError.self) {
        try await store.upload(resuming: String(repeating: "a", count: 32))
      }
      try await store.remove(HostSamples.hash(1))
      #expect(try await store.collect(keeping: [], before: future) == 0)
    },
    Case("bytes are read back, whole and in parts") { store async throws in
      for count in [0, 1, 7, 8, 9, 63, 64, 65, 4096, 100_003] {
        let bytes = random(count)
        let blob = try await store.add(bytes)
        #expect(blob.sha256 == sha256(bytes) && blob.size == Int64(count))
        #expect(try await store.contains(blob.sha256))
        #expect(try await store.isIntact(blob.sha256))
        let open = try await store.localCopy(of: blob.sha256)
        #expect(open.size == Int64(count))
        #expect(try open.bytes() == bytes)
        #expect(try open.bytes(from: Int64(count)) == [])
        #expect(try open.bytes(from: Int64(count) + 9, count: 5) == [])
        if count > 5 { #expect(try open.bytes(from: 3, count: 2) == Array(bytes[3..<5])) }
        #expect(throws: HostError.self) { try open.bytes(from: -1) }
      }
      #expect(try await store.all().count == 10)
    },
    Case("nothing is visible before the end") { store async throws in
      let upload = try await store.upload(resuming: nil)
      try await upload.append(random(1_000))
      #expect(upload.size == 1_000)
      #expect(try await store.all() == [])
      let blob = try await upload.finish()
      #expect(try await store.all().map(\.sha256) == [blob.sha256])
    },
    Case("a file of this machine is stored, unless it has changed") { store async throws in
      let folder = try TemporaryFolder()
      for count in [0, 1, 300_000] {
        let bytes = random(count)
        try folder.write("file", bytes)
        let file = try FileBlob(path: folder["file"])
        let sums = try file.sums { false }
        try await store.put(file, sums)
        try await store.put(file, sums)
        #expect(try await store.localCopy(of: sha256(bytes)).bytes() == bytes)
        let other = FinishedBlob(
          sha256: HostSamples.hash(1), size: sums.size, crc32c: sums.crc32c, md5: nil)
        await #expect(throws: HostError.self) { try await store.put(file, other) }
      }
      #expect(try await store.all().map(\.size).sorted() == [0, 1, 300_000])
    },
    Case("an upload of another host begins with no bytes, under its name") { store async throws in
      let name = String(repeating: "5", count: 32)
      let upload = try await store.upload(named: name)
      #expect(upload.name == name && upload.size == 0)
      await #expect(code { () throws(HostError) in _ = try await store.upload(named: name) } == .conflict)
      try await upload.append([1, 2])
      try await upload.suspend()
      let resumed = try await store.upload(resuming: name)
      #expect(resumed.size == 2)
      #expect(try await resumed.finish().sha256 == sha256([1, 2]))
      for name in ["", "..", "../../etc/passwd", String(repeating: "5", count: 33)] {
        await #expect(throws: HostError.self) { try await store.upload(named: name) }
      }
    },
    Case("the same bytes are one blob") { store async throws in
      let first = try await store.add([1, 2, 3])
      let second = try await store.add([1, 2, 3])
      #expect(first == second)
      #expect(try await store.all().map(\.size) == [3])
    },
    Case("a finished upload accepts nothing more") { store async throws in
      for end in [
        { _ = try await $0.finish() }, { try await $0.suspend() }, { await $0.cancel() },
      ] as [@Sendable (any BlobUpload) async throws -> Void] {
        let upload = try await store.upload(resuming: nil)
        try await upload.append([1])
        try await end(upload)
        await #expect(throws: HostError.self) { try await upload.append([2]) }
        await #expect(throws: HostError.self) { try await upload.finish() }
        await #expect(throws: HostError.self) { try await upload.suspend() }
        await upload.cancel()
      }
      #expect(try await store.all().count == 1)
    },
    Case("invalid names are not found") { store async throws in
      for name in [
        "", ".", "..", "../../etc/passwd", "A" + HostSamples.hash(1).dropFirst(), HostSamples.hash(1) + "0",
      ] {
        #expect(try await !store.contains(name))
        await #expect(throws: HostError.self) { try await store.localCopy(of: name) }
        await #expect(throws: HostError.self) { try await store.upload(resuming: name) }
        try await store.remove(name)
      }
    },
  ]

  static let resumed: [Case] = [
    Case("an upload continues at its end") { store async throws in
      let bytes = random(10_000)
      var name: String?
      for part in stride(from: 0, to: 10_000, by: 2_500) {
        let upload = try await store.upload(resuming: name)
        #expect(upload.size == Int64(part))
        try await upload.append(Array(bytes[part..<part + 2_500]))
        name = upload.name
        if part < 7_500 {
          try await upload.suspend()
        } else {
          #expect(try await upload.finish().sha256 == sha256(bytes))
        }
      }
      await #expect(throws: HostError.self) { try await store.upload(resuming: name) }
    },
    Case("an upload continues without its owner") { store async throws in
      let name = try await { () async throws(HostError) in
        let upload = try await store.upload(resuming: nil)
        try await upload.append([1, 2, 3])
        return upload.name
      }()
      let upload = try await released(name, of: store)
      #expect(upload.size == 3)
      try await upload.append([4])
      #expect(try await upload.finish().sha256 == sha256([1, 2, 3, 4]))
    },
    Case("an upload has one writer") { store async throws in
      let upload = try await store.upload(resuming: nil)
      let error = await #expect(throws: HostError.self) { try await store.upload(resuming: upload.name) }
      #expect(error?.code == .conflict)
      try await upload.suspend()
      try await store.upload(resuming: upload.name).cancel()
      await #expect(throws: HostError.self) { try await store.upload(resuming: upload.name) }
    },
  ]

  static let removed: [Case] = [
    Case("a blob that is open outlives its name") { store async throws in
      let bytes = random(50_000)
      let blob = try await store.add(bytes)
      let open = try await store.localCopy(of: blob.sha256)
      try await store.remove(blob.sha256)
      #expect(try await !store.contains(blob.sha256))
      #expect(try open.bytes() == bytes)
      await #expect(throws: HostError.self) { try await store.localCopy(of: blob.sha256) }
      try await store.add(bytes)
      #expect(try await store.contains(blob.sha256))
    },
    Case("collection keeps used, young and unfinished blobs") { store async throws in
      let used = try await store.add([1])
      let other = try await store.add([2, 3])
      let writing = try await store.upload(resuming: nil)
      try await writing.append([4])
      let left = try await store.upload(resuming: nil)
      try await left.append([5, 6, 7])
      try await left.suspend()
      #expect(try await store.collect(keeping: [used.sha256], before: past) == 0)
      let again = try await store.upload(resuming: left.name)
      #expect(again.size == 3)
      try await again.suspend()
      #expect(try await store.collect(keeping: [used.sha256], before: future) == 5)
      #expect(try await store.contains(used.sha256))
      #expect(try await !store.contains(other.sha256))
      await #expect(throws: HostError.self) { try await store.upload(resuming: left.name) }
      let written = try await writing.finish()
      #expect(try await store.contains(written.sha256))
    },
    Case("twenty readers continue while all is removed") { store async throws in
      let bytes = random(200_000)
      let blob = try await store.add(bytes)
      let isRight = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          let open = try await store.localCopy(of: blob.sha256)
          group.addTask {
            var read: [UInt8] = []
            while read.count < bytes.count {
              read += try open.bytes(from: Int64(read.count), count: 1_000)
              await Task.yield()
            }
            return read == bytes
          }
        }
        try await store.remove(blob.sha256)
        _ = try await store.collect(keeping: [], before: future)
        return try await group.reduce(true) { $0 && $1 }
      }
      #expect(isRight)
    },
    Case("a blob published again while it is collected stays") { store async throws in
      let bytes = random(100)
      let sha256 = sha256(bytes)
      let isThere = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          for _ in 0..<200 { try await store.collect(keeping: [], before: past.advanced(seconds: 1)) }
          return true
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              try await store.add(bytes)
              guard try await store.contains(sha256) else { return false }
            }
            return true
          }
        }
        return try await group.reduce(true) { $0 && $1 }
      }
      #expect(isThere)
    },
  ]
}
#endif
