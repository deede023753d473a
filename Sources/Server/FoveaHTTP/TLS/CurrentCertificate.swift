// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import NIOSSL
import Synchronization

/// The certificate for new connections; its files are read again after they have changed.
///
/// Renewing a certificate writes two files, one after the other; until they match, the old ones are used.
final class CurrentCertificate: Sendable {
  private struct State {
    var files: CertificateFiles
    /// The state of the files when they were last read, successfully or not.
    var seen: [FileStamp?]
  }

  /// Identifies a file's content, to detect changes.
  private struct FileStamp: Equatable {
    let identity: FileStatus.Identity
    let size: Int
    let modified: Int
  }

  private let state: Mutex<State>
  private let logger: Logger

  init(_ files: CertificateFiles, logger: Logger) {
    state = Mutex(State(files: files, seen: CurrentCertificate.stamps(of: files)))
    self.logger = logger
  }

  /// The certificate for the next handshake.
  var override: NIOSSLContextConfigurationOverride {
    state.withLock { state in
      let stamps = CurrentCertificate.stamps(of: state.files)
      if stamps != state.seen {
        state.seen = stamps
        read(into: &state)
      }
      return state.files.override
    }
  }

  private func read(into state: inout State) {
    do throws(ServerError) {
      state.files = try state.files.again()
      logger.info("certificate read again")
      for warning in state.files.warnings { logger.warning("\(warning)") }
    } catch {
      logger.warning(
        "certificate not read again: keeping the previous one", metadata: ["error": "\(error.message)"])
    }
  }

  private static func stamps(of files: CertificateFiles) -> [FileStamp?] {
    [files.certificate, files.privateKey].map { path in
      FileStatus(FilePath(path)).map {
        FileStamp(identity: $0.identity, size: $0.size, modified: $0.modified)
      }
    }
  }
}
#endif
