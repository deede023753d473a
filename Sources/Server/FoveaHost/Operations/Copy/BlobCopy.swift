// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Copies files of a host from one store to another, and reads each of them in both.
struct BlobCopy {
  /// The result for a file.
  enum Outcome: Equatable {
    case copied
    /// The target has it already.
    case present
    /// The source has no intact file.
    case faulty(BlobFault)

    /// The damage in the source; nil for a file that the target has.
    var fault: BlobFault? { if case .faulty(let fault) = self { fault } else { nil } }
  }

  let source: any BlobStore
  let target: any BlobStore
  /// The folder of the target, into which a bucket reads its objects.
  let local: FolderBlobStore

  /// Copies a file that the target lacks, or has in another state.
  /// - Throws: `unavailable`, `disk-full`, `cancelled`; `corrupted` if the target does not keep the bytes.
  func copy(_ sha256: String) async throws(HostError) -> Outcome {
    if try await target.fault(of: sha256) == nil { return .present }
    let file: any Blob
    do throws(HostError) { file = try await source.localCopy(of: sha256) } catch {
      guard let fault = BlobFault(error) else { throw error }
      return .faulty(fault)
    }
    let sums: FinishedBlob
    do throws(HostError) {
      sums = try await BlockingWork.run { stop throws(HostError) in try file.sums { stop.isSet } }
    } catch {
      guard error.isOfDamagedDisk else { throw error }
      return .faulty(.damaged)
    }
    guard sums.sha256 == sha256 else { return .faulty(.damaged) }
    // A bucket whose files move to a folder has just been read into it.
    if !(source is S3BlobStore && target is FolderBlobStore) { try await target.put(file, sums) }
    guard try await target.fault(of: sha256) == nil else {
      throw HostError(
        .corrupted, "The file \(sha256.prefix(12))… differs in the copy from the bytes that were written",
        remedy: "Check the disk or the bucket of the copy, then run the command again")
    }
    if target is S3BlobStore { try await local.remove(sha256) }
    return .copied
  }
}
#endif
