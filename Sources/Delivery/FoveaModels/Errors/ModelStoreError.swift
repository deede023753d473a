// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error of a model that cannot be found, downloaded, verified or removed.
public typealias ModelStoreError = Failure<ModelStoreCode>

/// The kinds of ``ModelStoreError``.
public struct ModelStoreCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code in kebab case, as results print it.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// There is no file and no model of that name.
  ///
  /// **Remedy:** use one of the closest names in the message, or run `fovea model list`.
  public static let unknownModel = Self(rawValue: "model-unknown")
  /// The catalogue has the model, but it is not downloaded yet.
  ///
  /// **Remedy:** `fovea model pull NAME`.
  public static let notInstalled = Self(rawValue: "model-not-installed")
  /// The model has no previous version on disk.
  ///
  /// **Remedy:** install another version first; the replaced one is kept.
  public static let noPreviousVersion = Self(rawValue: "model-version-missing")
  /// An installed model differs from the download.
  ///
  /// **Remedy:** `fovea model pull NAME` downloads it again.
  public static let damagedModel = Self(rawValue: "model-damaged")
  /// A catalogue is not JSON, lacks a field, or has a name that could lead out of its folder.
  ///
  /// **Remedy:** correct it.
  public static let invalidCatalogue = Self(rawValue: "catalogue-invalid")
  /// The folder for models cannot be read, or none is set.
  ///
  /// **Remedy:** check permissions, or set `FOVEA_MODELS`.
  public static let storeUnreadable = Self(rawValue: "store-unreadable")
  /// The folder for models, or a file in it, cannot be written.
  ///
  /// **Remedy:** check permissions, or set `FOVEA_MODELS`.
  public static let storeUnwritable = Self(rawValue: "store-unwritable")
  /// The disk is full.
  ///
  /// **Remedy:** free some space, then continue with `--resume`, or pull again.
  public static let diskFull = Self(rawValue: "disk-full")
  /// An option is out of its range, or contradicts the model or the image.
  ///
  /// **Remedy:** the message names the option and the range.
  public static let invalidOption = Self(rawValue: "option-invalid")
  /// libcurl, which downloads require, cannot be loaded.
  ///
  /// **Remedy:** `apt-get install libcurl4` (`libcurl4t64` on Ubuntu 24.04, Debian 13).
  public static let libraryMissing = Self(rawValue: "http-library-missing")
  /// No address, no connection, or a proxy that does not answer.
  ///
  /// **Remedy:** check network and proxy, or use `--host`.
  public static let unreachable = Self(rawValue: "download-unreachable")
  /// No connection within 20 s, no byte for 30 s, or the download was incomplete at the deadline.
  ///
  /// **Remedy:** pull again; it resumes where it stopped.
  public static let timeout = Self(rawValue: "download-timeout")
  /// The connection ended before the whole model had arrived, three times.
  ///
  /// **Remedy:** pull again; it resumes where it stopped.
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
  /// The server received too many requests (429).
  ///
  /// **Remedy:** pull again later.
  public static let tooManyRequests = Self(rawValue: "download-too-many-requests")
  /// The server failed (5xx), redirected too often, or sent an unexpected status.
  ///
  /// **Remedy:** pull again later.
  public static let serverError = Self(rawValue: "download-server-error")
  /// The content is longer or shorter than the model; it may be another file or a login page.
  ///
  /// **Remedy:** pull again later, or use another `--host`.
  public static let wrongSize = Self(rawValue: "download-wrong-size")
  /// The SHA-256 of the content differs from the model's; nothing was installed.
  ///
  /// **Remedy:** pull again later, or use another `--host`.
  public static let wrongChecksum = Self(rawValue: "download-wrong-checksum")
  /// The model host sent a file that is not a TFLite model, or a damaged one; the installed version is kept.
  ///
  /// **Remedy:** publish the `.tflite` file again.
  public static let invalidModel = Self(rawValue: "download-not-a-model")
  /// The text is not a valid model name on a host.
  ///
  /// **Remedy:** use 1 to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit.
  public static let invalidName = Self(rawValue: "model-name-invalid")
  /// A model host's answer about a model cannot be read.
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
