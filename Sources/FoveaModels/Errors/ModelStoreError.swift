// SPDX-License-Identifier: Apache-2.0

/// Why a model could not be found, downloaded, verified or removed.
public struct ModelStoreError: Error, Sendable, Hashable {
  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values: one sentence without a final stop.
  public var message: String
  /// What to do next: one sentence without a final stop.
  public var remedy: String
  /// The model that it is about; nil where it is about none.
  public var modelName: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String, remedy: String, modelName: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.modelName = modelName
  }
}

extension ModelStoreError: CustomStringConvertible {
  /// Message and remedy as two sentences.
  public var description: String { "\(message). \(remedy)." }
}

extension ModelStoreError {
  /// The kind of a `ModelStoreError`; kinds are added over time.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private let text: String

    private init(_ text: String) { self.text = text }

    /// The code as results print it, in kebab case, for example `model-not-installed`.
    public var description: String { text }

    /// There is no model of that name.
    public static let unknownModel = Code("model-unknown")
    /// The catalogue has the model, and it was not downloaded yet.
    public static let notInstalled = Code("model-not-installed")
    /// A stored model is not what was stored.
    public static let damagedModel = Code("model-damaged")
    /// A catalogue cannot be read, or names something that may not be.
    public static let invalidCatalogue = Code("catalogue-invalid")
    /// The folder for models, or something in it, cannot be read.
    public static let storeUnreadable = Code("store-unreadable")
    /// The folder for models, or something in it, cannot be written to.
    public static let storeUnwritable = Code("store-unwritable")
    /// There is no space left for the model.
    public static let diskFull = Code("disk-full")
    /// An option is out of its range.
    public static let invalidOption = Code("option-invalid")
    /// libcurl, which downloads need, cannot be loaded.
    public static let libraryMissing = Code("http-library-missing")
    /// The server cannot be reached.
    public static let unreachable = Code("download-unreachable")
    /// The server did not answer, or stopped sending.
    public static let timeout = Code("download-timeout")
    /// The connection ended before the model did.
    public static let interrupted = Code("download-interrupted")
    /// The server's certificate, or its encryption, is not in order.
    public static let insecure = Code("download-insecure")
    /// The server has no such file.
    public static let notFound = Code("download-not-found")
    /// The server does not give the file to us.
    public static let refused = Code("download-refused")
    /// The server was asked too often.
    public static let tooManyRequests = Code("download-too-many-requests")
    /// The server failed, or answered what no server should.
    public static let serverError = Code("download-server-error")
    /// The content is longer or shorter than the model.
    public static let wrongSize = Code("download-wrong-size")
    /// The content is not the model.
    public static let wrongChecksum = Code("download-wrong-checksum")
    /// What a model host sent is no TFLite model, or a damaged one.
    public static let invalidModel = Code("download-not-a-model")
    /// A text cannot name a model on a host.
    public static let invalidName = Code("model-name-invalid")
    /// No model host is set.
    public static let hostMissing = Code("model-host-missing")
    /// The task was cancelled.
    public static let cancelled = Code("cancelled")
  }
}
