// SPDX-License-Identifier: Apache-2.0

extension ModelDownloader {
  /// The host, timeouts and limits of downloads.
  public struct Options: Sendable, Hashable {
    /// A mirror: the URL of a folder that has the model files under their published names.
    ///
    /// `https://`, `http://` (allowed because you name it; the checksum still decides) or `file:///`.
    ///
    /// Default: nil, each model's own address.
    public var host: String?
    /// The timeout for connecting, 1 ms to 1 hour.
    ///
    /// Default: 20 s.
    public var connectTimeout: Duration = .seconds(20)
    /// The timeout without a received byte, in whole seconds, 1 s to 1 hour.
    ///
    /// A slow download is never stopped while bytes arrive. Default: 30 s.
    public var stallTimeout: Duration = .seconds(30)
    /// The number of attempts if connections break or the server fails, 1 to 100; each one resumes the
    /// previous one.
    ///
    /// The pause between two attempts is random, with a bound of 1 s that is twice as large each time, or as
    /// long as the server asks for (`Retry-After`), up to a minute.
    ///
    /// Default: 3.
    public var attempts = 3
    /// The maximum size in bytes of a model whose size the catalogue does not have, 1 or more.
    ///
    /// Default: 2³¹.
    public var sizeLimit = 1 << 31

    /// The timeout for a whole download including retries and pauses, 1 ms or more; nil for none.
    ///
    /// The partial file is kept, and the next download resumes it. Default: nil.
    public var deadline: Duration?

    /// The app's id of its user, which assigns the device to a variant of an experiment by user; a download
    /// never sends it.
    ///
    /// Default: nil, for the stable version in such an experiment.
    public var user: String?

    /// Creates options with the defaults.
    public init() {}

    func check() throws(ModelStoreError) {
      if let host { try DownloadAddress.check(host: host) }
      for (name, value, lowest) in [
        ("connectTimeout", connectTimeout, Duration.milliseconds(1)),
        ("stallTimeout", stallTimeout, .seconds(1)),
      ] {
        guard (lowest...Duration.seconds(3_600)).contains(value) else {
          throw ModelStoreError(
            .invalidOption, "\(name) is \(value); expected \(lowest) to an hour",
            remedy: "Choose a value in this range")
        }
      }
      if let deadline, deadline < .milliseconds(1) {
        throw ModelStoreError(
          .invalidOption, "deadline is \(deadline); expected 1 ms or more",
          remedy: "Choose a longer time, or none")
      }
      guard (1...100).contains(attempts), sizeLimit >= 1 else {
        throw ModelStoreError(
          .invalidOption,
          "attempts is \(attempts) and sizeLimit \(sizeLimit); expected 1 to 100, and 1 or more",
          remedy: "Choose values in these ranges")
      }
    }
  }
}
