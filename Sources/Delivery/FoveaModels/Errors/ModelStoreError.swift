// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why a model could not be found, downloaded, verified or removed.
public typealias ModelStoreError = Failure<ModelStoreCode>

/// The kinds of ``ModelStoreError``.
public struct ModelStoreCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// There is no file and no model of that name.
  ///
  /// **Remedy:** the message names the nearest; `fovea model list`.
  public static let unknownModel = Self(rawValue: "model-unknown")
  /// The catalogue has the model, and it was not downloaded yet.
  ///
  /// **Remedy:** `fovea model pull NAME`.
  public static let notInstalled = Self(rawValue: "model-not-installed")
  /// The model in use has no version before it on the disk.
  ///
  /// **Remedy:** a version is kept when the next one replaces it.
  public static let noPreviousVersion = Self(rawValue: "model-version-missing")
  /// An installed model is not what was downloaded.
  ///
  /// **Remedy:** `fovea model pull NAME` downloads it again.
  public static let damagedModel = Self(rawValue: "model-damaged")
  /// A catalogue is no JSON, lacks something, or names what could lead out of its folder.
  ///
  /// **Remedy:** correct it.
  public static let invalidCatalogue = Self(rawValue: "catalogue-invalid")
  /// The folder for models cannot be read, or there is none.
  ///
  /// **Remedy:** check permissions, or set `FOVEA_MODELS`.
  public static let storeUnreadable = Self(rawValue: "store-unreadable")
  /// The folder for models, or something in it, cannot be written to.
  ///
  /// **Remedy:** check permissions, or set `FOVEA_MODELS`.
  public static let storeUnwritable = Self(rawValue: "store-unwritable")
  /// There is no space left.
  ///
  /// **Remedy:** free some, then continue with `--resume`, or pull again.
  public static let diskFull = Self(rawValue: "disk-full")
  /// An option is out of its range, or contradicts the model or the photo.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let invalidOption = Self(rawValue: "option-invalid")
  /// libcurl, which downloads need, cannot be loaded.
  ///
  /// **Remedy:** `apt-get install libcurl4` (`libcurl4t64` on Ubuntu 24.04, Debian 13).
  public static let libraryMissing = Self(rawValue: "http-library-missing")
  /// No address, no connection, or a proxy that does not answer.
  ///
  /// **Remedy:** check network and proxy, or use `--host`.
  public static let unreachable = Self(rawValue: "download-unreachable")
  /// No connection within 20 s, no byte for 30 s, or not everything before the deadline.
  ///
  /// **Remedy:** pull again; it continues where it ended.
  public static let timeout = Self(rawValue: "download-timeout")
  /// The connection ended before the model did, three times.
  ///
  /// **Remedy:** pull again; it continues where it ended.
  public static let interrupted = Self(rawValue: "download-interrupted")
  /// A certificate is invalid, or a redirect leads to `http://`.
  ///
  /// **Remedy:** check clock and certificates, or `SSL_CERT_FILE`.
  public static let insecure = Self(rawValue: "download-insecure")
  /// The server has no such file (404, 410).
  ///
  /// **Remedy:** check `--host`.
  public static let notFound = Self(rawValue: "download-not-found")
  /// The server or a proxy does not allow it (401, 403, 407).
  ///
  /// **Remedy:** check its user name and password, or `--host`.
  public static let refused = Self(rawValue: "download-refused")
  /// The server was asked too often (429).
  ///
  /// **Remedy:** pull again later.
  public static let tooManyRequests = Self(rawValue: "download-too-many-requests")
  /// The server fails (5xx), redirects without end, or answers something else.
  ///
  /// **Remedy:** pull again later.
  public static let serverError = Self(rawValue: "download-server-error")
  /// The content is longer or shorter than the model: another file, or a login page.
  ///
  /// **Remedy:** pull again later, or `--host`.
  public static let wrongSize = Self(rawValue: "download-wrong-size")
  /// The content is not the model; nothing was installed.
  ///
  /// **Remedy:** pull again later, or `--host`.
  public static let wrongChecksum = Self(rawValue: "download-wrong-checksum")
  /// What a model host sent is no TFLite model, or a damaged one; what was there is kept.
  ///
  /// **Remedy:** publish the `.tflite` file again.
  public static let invalidModel = Self(rawValue: "download-not-a-model")
  /// The text cannot name a model on a host.
  ///
  /// **Remedy:** 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first.
  public static let invalidName = Self(rawValue: "model-name-invalid")
  /// A model host describes a model in a way that cannot be read.
  ///
  /// **Remedy:** the message names the field; check the address of the host, and its version.
  public static let invalidInformation = Self(rawValue: "model-information-invalid")
  /// No model host is set for `ModelManager` and `ModelDownloader`.
  ///
  /// **Remedy:** set `ModelManager.host` or `FOVEA_MODEL_HOST`.
  public static let hostMissing = Self(rawValue: "model-host-missing")
  /// The task was cancelled.
  ///
  /// **Remedy:** call again.
  public static let cancelled = Self(rawValue: "cancelled")
}
