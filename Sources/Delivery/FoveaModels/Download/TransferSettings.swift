// SPDX-License-Identifier: Apache-2.0

/// How a model is transferred, with or without a catalogue.
struct TransferSettings: Sendable {
  var options: ModelDownloader.Options
  /// The pauses between attempts.
  var retry = RetryPause()
  /// When the download that runs must be done; nil for never.
  var deadline: ContinuousClock.Instant?
  /// libcurl's proxy; nil for what the environment says.
  var proxy: String?
  /// How much space there is for the store.
  var freeBytes: @Sendable (String) -> Int? = { FileSystem.freeBytes(at: $0) }

  init(options: ModelDownloader.Options = ModelDownloader.Options()) { self.options = options }

  func transfer(_ address: DownloadAddress) -> HTTPTransfer {
    HTTPTransfer(
      address: address, connectTimeout: options.connectTimeout, stallTimeout: options.stallTimeout,
      proxy: proxy, deadline: deadline)
  }

  /// The settings of a download that begins now.
  func beginning() -> TransferSettings {
    var settings = self
    settings.deadline = options.deadline.map { .now + $0 }
    return settings
  }
}
