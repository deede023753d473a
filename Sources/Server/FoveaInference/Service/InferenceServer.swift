// SPDX-License-Identifier: Apache-2.0
#if Server
public import Fovea
import FoveaCore
import FoveaHTTP
import Logging
public import ServiceLifecycle

/// Answers images over HTTP from a program of one's own: what `fovea serve` runs.
///
/// It has the routes, protocols, limits and the page of `fovea serve`; `docs/how-to/serving.md` describes them. Its log goes
/// to swift-log under the label `fovea.serve`.
///
/// ```swift
/// let server = try await InferenceServer(models: ["birds": .file("bird.tflite")])
/// try await server.run()
/// ```
public struct InferenceServer: Sendable {
  let service: InferenceService

  /// Loads the models, each with a session for every slot, and runs each once, so that first answers are as quick as
  /// others.
  /// - Parameters:
  ///   - models: The models by the names that calls give them; the first answers where a call names none. By default the
  ///     embedded detector as `default`. Names have 1 to 64 letters, digits, `.`, `_` and `-`.
  ///   - options: Where it listens, and what it takes.
  /// - Throws: Why a model cannot be loaded; `option-invalid` for a name that an address cannot hold, two models of one name,
  ///   none, or an address of other machines without keys; `keys-invalid`.
  public init(
    models: KeyValuePairs<String, ModelOrigin> = ["default": .embedded(.detector)],
    options: Options = Options()
  ) async throws(FoveaError) {
    var entries: [ModelEntry] = []
    for (name, origin) in models {
      guard ModelEntry.isName(name), !entries.contains(where: { $0.name == name }) else {
        throw .optionInvalid(
          "'\(name)' cannot be the name of a model, or is given twice",
          remedy: "Use letters, digits, '.', '_' and '-', 64 at most, and each name once")
      }
      entries.append(ModelEntry(name: name, source: origin.source))
    }
    guard !entries.isEmpty else {
      throw .optionInvalid(
        "There is no model to serve", remedy: "Give one, as [\"birds\": .file(\"bird.tflite\")]")
    }
    try options.check()
    let inference = options.inference
    guard inference.server.isLoopback || options.keys != nil || options.isOpen else {
      throw .optionInvalid(
        "'\(options.host)' is not this machine alone, and there are no keys",
        remedy: "Give 'keys', or set 'isOpen' if anyone who reaches it may use it")
    }
    service = try await InferenceService(entries, options: inference, logger: Logger(label: "fovea.serve"))
  }

  /// Answers until the task is cancelled or, where it handles signals, SIGTERM or SIGINT comes; requests under way are
  /// answered first.
  ///
  /// A server runs once.
  /// - Parameter listening: Called with the port once requests are taken.
  /// - Throws: `listen-failed` for an address that is taken or not this machine's, `certificate-invalid`.
  public func run(listening: @escaping @Sendable (_ port: Int) async -> Void) async throws(FoveaError) {
    do { try await service.run(listening: listening) } catch {
      throw FoveaError(error)
    }
  }
}

extension InferenceServer: Service {
  /// Answers as `run(listening:)` does; in a `ServiceGroup` also until that is asked to shut down.
  /// - Throws: `listen-failed` for an address that is taken or not this machine's, `certificate-invalid`.
  public func run() async throws(FoveaError) { try await run { _ in } }
}

extension InferenceServer {
  /// Where a model of a server is.
  public struct ModelOrigin: Sendable, Hashable {
    let source: ModelEntry.Source

    /// A `.tflite` file, or the folder of an AutoML export; a new file that is renamed into its place is loaded while the
    /// server runs.
    public static func file(_ path: String) -> ModelOrigin { ModelOrigin(source: .file(path)) }

    /// A model that Fovea carries in itself.
    public static func embedded(_ model: EmbeddedModel) -> ModelOrigin {
      ModelOrigin(source: .embedded(model))
    }

    /// The model of that name on the host that the variable `FOVEA_MODEL_HOST` names; a version that the host publishes is
    /// loaded while the server runs.
    public static func hosted(_ name: String) -> ModelOrigin { ModelOrigin(source: .hosted(name)) }
  }

  /// Where a server listens, and what it takes.
  public struct Options: Sendable, Hashable {
    /// The name or number of the address to listen on; `127.0.0.1` by default, which only this machine reaches.
    public var host = "127.0.0.1"
    /// The port, 0…65535; 8080 by default, 0 takes a free one.
    public var port = 8080
    /// The file in PEM with the certificates of TLS, the server's own first; nil, the default, for plain HTTP.
    public var certificate: String?
    /// The file in PEM with the private key of the certificate; nil, the default, for plain HTTP.
    public var privateKey: String?
    /// How many images are processed at a time, 1…256; by default the cores that the process may use.
    public var slots: Int?
    /// How long an image may take with its wait; 2 s by default, after which the answer is 504.
    public var deadline = Duration.seconds(2)
    /// The largest body, in bytes; 32 MiB by default.
    public var maximumBody = 32 << 20
    /// The most pixels of an image; 50 million by default, fewer than the command line takes, since these are strangers'.
    public var maximumPixels = 50_000_000
    /// The file of the keys that may ask, which `fovea serve key add` makes; nil, the default, where anyone may.
    public var keys: String?
    /// Whether anyone who reaches an address of other machines may use it without a key; false by default.
    public var isOpen = false
    /// Whether SIGTERM and SIGINT end the server; true by default.
    ///
    /// Off where the program handles them itself.
    public var handlesSignals = true

    /// Options with these defaults.
    public init() {}

    /// Throws for a number that cannot be.
    func check() throws(FoveaError) {
      func isRight(_ isRight: Bool, _ name: String, _ value: Any, _ range: String) throws(FoveaError) {
        guard !isRight else { return }
        throw .optionInvalid(
          "'\(name)' is \(value); it must be \(range)", remedy: "Give a number in that range")
      }
      try isRight((0...65_535).contains(port), "port", port, "0…65535")
      try isRight((1...256).contains(slots ?? 1), "slots", slots ?? 1, "1…256")
      try isRight(deadline > .zero, "deadline", deadline, "above 0")
      try isRight(maximumBody > 0, "maximumBody", maximumBody, "above 0")
      try isRight(maximumPixels > 0, "maximumPixels", maximumPixels, "above 0")
    }

    var inference: InferenceOptions {
      var inference = InferenceOptions()
      inference.server.host = host
      inference.server.port = port
      inference.server.certificate = certificate
      inference.server.privateKey = privateKey
      inference.slots = slots ?? Cores.available
      inference.deadline = deadline
      inference.maximumBody = maximumBody
      inference.maximumPixels = maximumPixels
      inference.keys = keys
      inference.takesSignals = handlesSignals
      return inference
    }
  }
}
#endif
