// SPDX-License-Identifier: Apache-2.0
#if Server
public import Fovea
import FoveaCore
import FoveaHTTP
import Logging
public import ServiceLifecycle

/// Runs the inference server of `fovea serve` inside another program.
///
/// It has the routes, protocols, limits and page of `fovea serve`; see `docs/how-to/serving.md`. It logs to
/// swift-log with the label `fovea.serve`.
///
/// ```swift
/// let server = try await InferenceServer(models: ["birds": .file("bird.tflite")])
/// try await server.run()
/// ```
public struct InferenceServer: Sendable {
  let service: InferenceService

  /// Loads the models, each with one session per slot, and runs each once, so that the first requests are as
  /// fast as later ones.
  /// - Parameters:
  ///   - models: The models by their names in requests; the first answers requests that name none. The
  ///     default is the embedded detector as `default`. Names have 1 to 64 letters, digits, `.`, `_` and `-`.
  ///   - options: The address to listen on, and the limits.
  /// - Throws: The error of a model that cannot be loaded; `option-invalid` for a name that a URL cannot
  ///   contain, duplicate names, no models, or an address reachable from other machines without keys;
  ///   `keys-invalid`.
  public init(
    models: KeyValuePairs<String, ModelOrigin> = ["default": .embedded(.detector)],
    options: Options = Options()
  ) async throws(FoveaError) {
    var entries: [ModelEntry] = []
    for (name, origin) in models {
      guard ModelEntry.isName(name), !entries.contains(where: { $0.name == name }) else {
        throw .optionInvalid(
          "'\(name)' is not a valid model name, or is given twice",
          remedy: "Use at most 64 letters, digits, '.', '_' and '-', and each name once")
      }
      entries.append(ModelEntry(name: name, source: origin.source))
    }
    guard !entries.isEmpty else {
      throw .optionInvalid(
        "There is no model to serve", remedy: "Give one, such as [\"birds\": .file(\"bird.tflite\")]")
    }
    try options.check()
    let inference = options.inference
    guard inference.server.isLoopback || options.keys != nil || options.isOpen else {
      throw .optionInvalid(
        "'\(options.host)' is reachable from other machines, but there are no keys",
        remedy: "Give 'keys', or set 'isOpen' to allow anyone")
    }
    service = try await InferenceService(entries, options: inference, logger: Logger(label: "fovea.serve"))
  }

  /// Serves until the task is cancelled or, if it handles signals, SIGTERM or SIGINT arrives; running
  /// requests are answered first.
  ///
  /// A server can run only once.
  /// - Parameter listening: Called with the port once requests are accepted.
  /// - Throws: `listen-failed` for an address that is in use or not this machine's, `certificate-invalid`.
  public func run(listening: @escaping @Sendable (_ port: Int) async -> Void) async throws(FoveaError) {
    do { try await service.run(listening: listening) } catch {
      throw FoveaError(error)
    }
  }
}

extension InferenceServer: Service {
  /// Serves like `run(listening:)`; in a `ServiceGroup` also until its graceful shutdown.
  /// - Throws: `listen-failed` for an address that is in use or not this machine's, `certificate-invalid`.
  public func run() async throws(FoveaError) { try await run { _ in } }
}

extension InferenceServer {
  /// The location of a server's model.
  public struct ModelOrigin: Sendable, Hashable {
    let source: ModelEntry.Source

    /// Selects a `.tflite` file, or the folder of an AutoML export; a new file renamed into its place is
    /// loaded while the server runs.
    public static func file(_ path: String) -> ModelOrigin { ModelOrigin(source: .file(path)) }

    /// Selects a model embedded in Fovea.
    public static func embedded(_ model: EmbeddedModel) -> ModelOrigin {
      ModelOrigin(source: .embedded(model))
    }

    /// Selects the model with that name on the host in the environment variable `FOVEA_MODEL_HOST`; new
    /// versions are loaded while the server runs.
    public static func hosted(_ name: String) -> ModelOrigin { ModelOrigin(source: .hosted(name)) }
  }

  /// The address and limits of a server.
  public struct Options: Sendable, Hashable {
    /// The name or number of the address to listen on; `127.0.0.1` by default, which only this machine can
    /// reach.
    public var host = "127.0.0.1"
    /// The port, 0…65535; 8080 by default, 0 picks a free one.
    public var port = 8080
    /// The PEM file with the TLS certificates, the server's own first; nil, the default, for plain HTTP.
    public var certificate: String?
    /// The PEM file with the certificate's private key; nil, the default, for plain HTTP.
    public var privateKey: String?
    /// The number of images processed at a time, 1…256; by default the cores available to the process.
    public var slots: Int?
    /// The time limit per image, including its wait; 2 s by default, after which the answer is 504.
    public var deadline = Duration.seconds(2)
    /// The largest request body, in bytes; 32 MiB by default.
    public var maximumBody = 32 << 20
    /// The maximum number of pixels in an image; 50 million by default, fewer than on the command line, since
    /// images come from strangers.
    public var maximumPixels = 50_000_000
    /// The key file, which `fovea serve key add` creates; nil, the default, if anyone may connect.
    public var keys: String?
    /// Whether anyone on other machines may connect without a key; false by default.
    public var isOpen = false
    /// Whether SIGTERM and SIGINT stop the server; true by default.
    ///
    /// Set it to false if the program handles them itself.
    public var handlesSignals = true

    /// Creates options with the defaults above.
    public init() {}

    /// Throws for a number out of range.
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
