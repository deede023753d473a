// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHost

/// The places of a host's data outside its folder.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Files in S3: s3://bucket/prefix?endpoint=URL.", valueName: "address"),
    transform: S3Address.init(option:))
  var blobs: S3Address?

  @Option(help: ArgumentHelp("Read the key of S3 from a file, not AWS_ variables.", valueName: "file"))
  var blobsCredentials: String?

  @Option(
    help: ArgumentHelp("Metadata in PostgreSQL: postgres://user@host/db.", valueName: "address"),
    transform: PostgresAddress.init(option:))
  var metadata: PostgresAddress?

  /// Checks that credentials are given only for a bucket.
  /// - Throws: `ValidationError`.
  func checkCredentials() throws {
    guard blobsCredentials == nil || blobs != nil else {
      throw ValidationError("--blobs-credentials is for --blobs: give both.")
    }
  }

  /// Returns the client of the bucket; nil without one.
  func client() -> S3Client? { blobs.map { Self.client($0, credentials: blobsCredentials) } }

  /// Opens a host; its data are in the place that it was last served from, unless an option names a new one.
  func host(_ folder: String, isShared: Bool) throws(HostError) -> HostFolder {
    try HostFolder(folder, isShared: isShared, metadata: metadata)
  }

  /// Returns the client of the bucket that an option or the host names; nil for files in its folder.
  func client(of host: HostFolder) throws(HostError) -> S3Client? {
    let address = if let blobs { blobs } else { try host.bucket() }
    return address.map { Self.client($0, credentials: blobsCredentials) }
  }

  /// Returns a client that reads its key from a file, or from the environment.
  static func client(_ address: S3Address, credentials: String?) -> S3Client {
    let place = credentials.map { S3CredentialPlace.file($0) } ?? .environment
    return S3Client(address, credentials: place, now: SystemClock.now)
  }
}
#endif
