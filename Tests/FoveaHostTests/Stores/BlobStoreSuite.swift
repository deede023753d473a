// SPDX-License-Identifier: Apache-2.0
#if Server
import Crypto
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

extension BlobUpload {
  func append(_ bytes: [UInt8]) throws(HostError) {
    // SAFETY: the memory outlives the call, which only reads it.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe memory.deallocate() }
    unsafe memory.copyBytes(from: bytes)
    try unsafe append(UnsafeRawBufferPointer(memory))
  }
}

extension BlobStore {
  @discardableResult
  func add(_ bytes: [UInt8]) throws(HostError) -> FinishedBlob {
    let upload = try upload(resuming: nil)
    try upload.append(bytes)
    return try upload.finish()
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

  static let cases = whole + resumed + removed

  static let whole: [Case] = [
    Case("an empty store") { store async throws in
      #expect(try store.all() == [])
      #expect(!store.contains(HostSamples.hash(1)))
      #expect(throws: HostError.self) { try store.open(HostSamples.hash(1)) }
      #expect(throws: HostError.self) { try store.isIntact(HostSamples.hash(1)) }
      #expect(throws: HostError.self) { try store.upload(resuming: String(repeating: "a", count: 32)) }
      try store.remove(HostSamples.hash(1))
      #expect(try store.collect(keeping: [], before: future) == 0)
    },
    Case("bytes are read back, whole and in parts") { store async throws in
      for count in [0, 1, 7, 8, 9, 63, 64, 65, 4096, 100_003] {
        let bytes = random(count)
        let blob = try store.add(bytes)
        #expect(blob.sha256 == sha256(bytes) && blob.size == Int64(count))
        #expect(store.contains(blob.sha256))
        #expect(try store.isIntact(blob.sha256))
        let open = try store.open(blob.sha256)
        #expect(open.size == Int64(count))
        #expect(try open.bytes() == bytes)
        #expect(try open.bytes(from: Int64(count)) == [])
        #expect(try open.bytes(from: Int64(count) + 9, count: 5) == [])
        if count > 5 { #expect(try open.bytes(from: 3, count: 2) == Array(bytes[3..<5])) }
        #expect(throws: HostError.self) { try open.bytes(from: -1) }
      }
      #expect(try store.all().count == 10)
    },
    Case("nothing is visible before the end") { store async throws in
      let upload = try store.upload(resuming: nil)
      try upload.append(random(1_000))
      #expect(upload.size == 1_000)
      #expect(try store.all() == [])
      let blob = try upload.finish()
      #expect(try store.all().map(\.sha256) == [blob.sha256])
    },
    Case("the same bytes are one blob") { store async throws in
      let first = try store.add([1, 2, 3])
      let second = try store.add([1, 2, 3])
      #expect(first == second)
      #expect(try store.all().map(\.size) == [3])
    },
    Case("a finished upload accepts nothing more") { store async throws in
      for end in [
        { _ = try $0.finish() }, { try $0.suspend() }, { $0.cancel() },
      ] as [(any BlobUpload) throws -> Void] {
        let upload = try store.upload(resuming: nil)
        try upload.append([1])
        try end(upload)
        #expect(throws: HostError.self) { try upload.append([2]) }
        #expect(throws: HostError.self) { try upload.finish() }
        #expect(throws: HostError.self) { try upload.suspend() }
        upload.cancel()
      }
      #expect(try store.all().count == 1)
    },
    Case("invalid names are not found") { store async throws in
      for name in [
        "", ".", "..", "../../etc/passwd", "A" + HostSamples.hash(1).dropFirst(), HostSamples.hash(1) + "0",
      ] {
        #expect(!store.contains(name))
        #expect(throws: HostError.self) { try store.open(name) }
        #expect(throws: HostError.self) { try store.upload(resuming: name) }
        try store.remove(name)
      }
    },
  ]

  static let resumed: [Case] = [
    Case("an upload continues at its end") { store async throws in
      let bytes = random(10_000)
      var name: String?
      for part in stride(from: 0, to: 10_000, by: 2_500) {
        let upload = try store.upload(resuming: name)
        #expect(upload.size == Int64(part))
        try upload.append(Array(bytes[part..<part + 2_500]))
        name = upload.name
        if part < 7_500 {
          try upload.suspend()
        } else {
          #expect(try upload.finish().sha256 == sha256(bytes))
        }
      }
      #expect(throws: HostError.self) { try store.upload(resuming: name) }
    },
    Case("an upload continues without its owner") { store async throws in
      let name = try { () throws(HostError) in
        let upload = try store.upload(resuming: nil)
        try upload.append([1, 2, 3])
        return upload.name
      }()
      let upload = try store.upload(resuming: name)
      #expect(upload.size == 3)
      try upload.append([4])
      #expect(try upload.finish().sha256 == sha256([1, 2, 3, 4]))
    },
    Case("an upload has one writer") { store async throws in
      let upload = try store.upload(resuming: nil)
      let error = #expect(throws: HostError.self) { try store.upload(resuming: upload.name) }
      #expect(error?.code == .conflict)
      try upload.suspend()
      try store.upload(resuming: upload.name).cancel()
      #expect(throws: HostError.self) { try store.upload(resuming: upload.name) }
    },
  ]

  static let removed: [Case] = [
    Case("a blob that is open outlives its name") { store async throws in
      let bytes = random(50_000)
      let blob = try store.add(bytes)
      let open = try store.open(blob.sha256)
      try store.remove(blob.sha256)
      #expect(!store.contains(blob.sha256))
      #expect(try open.bytes() == bytes)
      #expect(throws: HostError.self) { try store.open(blob.sha256) }
      try store.add(bytes)
      #expect(store.contains(blob.sha256))
    },
    Case("collection keeps used, young and unfinished blobs") { store async throws in
      let used = try store.add([1])
      let other = try store.add([2, 3])
      let writing = try store.upload(resuming: nil)
      try writing.append([4])
      let left = try store.upload(resuming: nil)
      try left.append([5, 6, 7])
      try left.suspend()
      #expect(try store.collect(keeping: [used.sha256], before: past) == 0)
      #expect(try store.upload(resuming: left.name).size == 3)
      #expect(try store.collect(keeping: [used.sha256], before: future) == 5)
      #expect(store.contains(used.sha256) && !store.contains(other.sha256))
      #expect(throws: HostError.self) { try store.upload(resuming: left.name) }
      #expect(store.contains(try writing.finish().sha256))
    },
    Case("twenty readers continue while all is removed") { store async throws in
      let bytes = random(200_000)
      let blob = try store.add(bytes)
      let isRight = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          let open = try store.open(blob.sha256)
          group.addTask {
            var read: [UInt8] = []
            while read.count < bytes.count {
              read += try open.bytes(from: Int64(read.count), count: 1_000)
              await Task.yield()
            }
            return read == bytes
          }
        }
        try store.remove(blob.sha256)
        _ = try store.collect(keeping: [], before: future)
        return try await group.reduce(true) { $0 && $1 }
      }
      #expect(isRight)
    },
    Case("a blob published again while it is collected stays") { store async throws in
      let bytes = random(100)
      let sha256 = sha256(bytes)
      let isThere = try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          for _ in 0..<200 { try store.collect(keeping: [], before: past.advanced(seconds: 1)) }
          return true
        }
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              try store.add(bytes)
              guard store.contains(sha256) else { return false }
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
