// SPDX-License-Identifier: Apache-2.0

extension ModelDownloader {
  /// Where to download from, and how long to wait.
  public struct Options: Sendable, Hashable {
    /// A mirror: the URL of a folder that has the model files under their published names.
    ///
    /// `https://`, `http://`
    /// (which is allowed because it was asked for; the checksum still decides) or `file:///`.
    ///
    /// Default: nil, each model's own address.
    public var host: String?
    /// How long making a connection may take, 1 ms to 1 hour.
    ///
    /// Default: 20 s.
    public var connectTimeout: Duration = .seconds(20)
    /// How long no byte may arrive, in whole seconds, 1 s to 1 hour.
    ///
    /// A slow download is never ended as long as bytes
    /// flow. Default: 30 s.
    public var stallTimeout: Duration = .seconds(30)
    /// How often the server is asked when connections end or it fails, 1 to 100; each time continues where the last one
    /// ended.
    ///
    /// Between two attempts is a pause of a random length, up to 1 s at first and twice as much each time, or the
    /// one that the server asks for (`Retry-After`), up to a minute.
    ///
    /// Default: 3.
    public var attempts = 3
    /// The most bytes of a model whose size the catalogue does not have, 1 or more.
    ///
    /// Default: 2³¹.
    public var sizeLimit = 1 << 31

    /// How long a whole download may take, attempts and pauses included, 1 ms or more; nil for as long as bytes flow.
    ///
    /// What has arrived by then is kept, and the next download continues it. Default: nil.
    public var deadline: Duration?

    /// The id that the app has for its user, with which the device draws its share of an experiment whose unit is the user;
    /// never sent for that.
    ///
    /// Default: nil, and such an experiment gives the stable version.
    public var user: String?

    /// The defaults.
    public init() {}

    func check() throws(ModelStoreError) {
      if let host { try DownloadAddress.check(host: host) }
      for (name, value, lowest) in [
        ("connectTimeout", connectTimeout, Duration.milliseconds(1)),
        ("stallTimeout", stallTimeout, .seconds(1)),
      ] {
        guard (lowest...Duration.seconds(3_600)).contains(value) else {
          throw ModelStoreError(
            .invalidOption, "\(name) is \(value), and must be between \(lowest) and an hour",
            remedy: "Choose a value in this range")
        }
      }
      if let deadline, deadline < .milliseconds(1) {
        throw ModelStoreError(
          .invalidOption, "deadline is \(deadline), and must be 1 ms or more",
          remedy: "Choose a longer time, or none")
      }
      guard (1...100).contains(attempts), sizeLimit >= 1 else {
        throw ModelStoreError(
          .invalidOption,
          "attempts is \(attempts) and sizeLimit \(sizeLimit); they must be 1 to 100, and 1 or more",
          remedy: "Choose values in these ranges")
      }
    }
  }
}
