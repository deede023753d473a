// SPDX-License-Identifier: Apache-2.0

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
  /// What is being done; more phases may come, so compare with `==` instead of switching.
  public struct Phase: Sendable, Hashable {
    private enum Kind { case waiting, transferring, retrying, verifying }
    private let kind: Kind

    /// Another process, or another task, downloads the same model.
    public static let waiting = Phase(kind: .waiting)
    /// Bytes arrive.
    public static let transferring = Phase(kind: .transferring)
    /// The connection ended, or the server failed; it is asked again after a pause.
    public static let retrying = Phase(kind: .retrying)
    /// Everything is there; it is written out and compared with its checksum.
    public static let verifying = Phase(kind: .verifying)
  }

  /// What is being done.
  public var phase: Phase
  /// How many bytes are there, those of an earlier, interrupted download included.
  ///
  /// It falls where the server sends
  /// everything again.
  public var bytesDone: Int
  /// How many there will be; nil where no one knows.
  public var bytesTotal: Int?
}
