// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
package import FoveaHTTP
package import FoveaImage

/// How a server of inference is run.
package struct InferenceOptions: Sendable {
  package var server = ServerOptions()
  /// How many images are worked on at a time.
  package var slots = 1
  /// How long an image may wait and be worked on.
  package var deadline = Duration.seconds(2)
  /// The largest body, in bytes.
  package var maximumBody = 32 << 20
  /// The bytes of all bodies at a time.
  package var bodyMemory = 256 << 20
  /// The bytes of all images that are decoded at a time.
  package var pictureMemory = 512 << 20
  /// The most images of one request.
  package var maximumPictures = 64
  /// The most pixels of an image: fewer than the command line takes, since these are strangers'.
  package var maximumPixels = 50_000_000
  /// The formats of images that are taken: fewer than the command line takes, since each has a library that reads
  /// strangers' bytes.
  package var formats: Set<ImageFormat> = [.jpeg, .png, .webp]
  /// The protocols of other servers that are spoken.
  package var protocols = Set(ClientProtocol.all)
  /// The names that DeepStack's clients know; nil for the models' own.
  package var labels: ClientLabels?
  /// The most pixels of an image that is drawn on: it is decoded at full size.
  package var maximumDrawnPixels = 16_000_000
  /// A folder whose models are all served; nil for none.
  package var modelFolder: String?
  /// Reads the configuration again, at SIGHUP, with the checks of a start; nil where there is none.
  package var readConfiguration: (@Sendable () throws -> ReadConfiguration)?
  /// The most memory of all models, in bytes; nil takes a quarter of what the process may use.
  package var modelMemory: Int?
  /// What the process holds, by which the memory of a model is measured; tests give what does not change.
  package var heldMemory: @Sendable () -> Int? = { AvailableMemory.held }
  /// Called with a model's name before its file is read; tests hold a load there.
  package var willLoad: @Sendable (String) async -> Void = { _ in }
  /// How long a model stays in memory after a call, whatever others need.
  package var modelProtection = Duration.seconds(300)
  /// How often changed files of models are looked for.
  package var watchInterval = Duration.seconds(2)
  /// How often a model host is asked for newer versions, about.
  package var hostInterval = Duration.seconds(60)
  /// The file of the keys that may ask; nil where anyone may.
  package var keys: String?
  /// The proxies that are believed who a caller is.
  package var proxies = TrustedProxies.none
  /// The largest message of a live connection, in bytes.
  package var maximumFrame = 2 << 20
  /// The most live connections.
  package var maximumLive = 64
  /// The videos that the server itself watches.
  package var sources: [StreamEntry] = []
  /// How long a source goes on without viewers.
  package var sourceLinger = Duration.seconds(5)
  /// Time between two comments of an event stream.
  package var commentInterval = Duration.seconds(15)
  package var accessLog = AccessLog.slow
  /// Whether SIGTERM and SIGINT end the server.
  package var takesSignals = true

  package init() {}
}

/// What a configuration gives that is read again while its server runs.
package struct ReadConfiguration: Sendable {
  /// The models from now on; nil for those until now, if the file has another folder of models, which counts from the next
  /// start on.
  package let entries: [ModelEntry]?
  /// The sources of a server that starts with it.
  package let sources: [StreamEntry]
  /// The names of what has changed and counts from the next start on.
  package let needsRestart: [String]

  package init(entries: [ModelEntry]?, sources: [StreamEntry] = [], needsRestart: [String] = []) {
    self.entries = entries
    self.sources = sources
    self.needsRestart = needsRestart
  }
}
#endif
