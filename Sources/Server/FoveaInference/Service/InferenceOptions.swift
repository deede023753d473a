// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaFormats
package import FoveaHTTP
package import FoveaImage

/// The options of an inference server.
package struct InferenceOptions: Sendable {
  package var server = ServerOptions()
  /// The number of images processed at a time.
  package var slots = 1
  /// The time limit per image, including its wait.
  package var deadline = Duration.seconds(2)
  /// The largest body, in bytes.
  package var maximumBody = 32 << 20
  /// The memory limit for all request bodies, in bytes.
  package var bodyMemory = 256 << 20
  /// The memory limit for all decoded images, in bytes.
  package var imageMemory = 512 << 20
  /// The maximum number of images in one request.
  package var maximumImages = 64
  /// The maximum number of pixels in an image: fewer than on the command line, since these come from
  /// strangers.
  package var maximumPixels = 50_000_000
  /// The accepted image formats: fewer than on the command line, since each adds a library that reads
  /// strangers' bytes.
  package var formats: Set<ImageFormat> = [.jpeg, .png, .webp]
  /// The supported protocols of other servers.
  package var protocols = Set(ClientProtocol.all)
  /// The labels for DeepStack's clients; nil for the models' own.
  package var labels: ClientLabels?
  /// The maximum number of pixels in an image to draw on: it is decoded at full size.
  package var maximumDrawnPixels = 16_000_000
  /// The least score of a keypoint that is drawn, on images and on the page.
  package var keypointThreshold: Float = KeypointVisibility.usualThreshold
  /// A folder whose models are all served; nil for none.
  package var modelFolder: String?
  /// Reads the configuration again, at SIGHUP, with the checks made at startup; nil without a configuration.
  package var readConfiguration: (@Sendable () throws -> ReadConfiguration)?
  /// The memory limit for all models, in bytes; nil for a quarter of the process's limit.
  package var modelMemory: Int?
  /// Returns the process's memory, to measure a model's; tests return a constant.
  package var heldMemory: @Sendable () -> Int? = { AvailableMemory.held }
  /// Called with a model's name before its file is read; tests block a load there.
  package var willLoad: @Sendable (String) async -> Void = { _ in }
  /// The time a model stays in memory after a request, even if others need its memory.
  package var modelProtection = Duration.seconds(300)
  /// The interval between checks for changed model files.
  package var watchInterval = Duration.seconds(2)
  /// The approximate interval between queries of a model host.
  package var hostInterval = Duration.seconds(60)
  /// The key file; nil if anyone may connect.
  package var keys: String?
  /// The proxies whose information about callers is trusted.
  package var proxies = TrustedProxies.none
  /// The largest message of a live connection, in bytes.
  package var maximumFrame = 2 << 20
  /// The maximum number of live connections.
  package var maximumLive = 64
  /// The videos that the server watches.
  package var sources: [StreamEntry] = []
  /// The time a source continues without viewers.
  package var sourceLinger = Duration.seconds(5)
  /// The time between two comments in an event stream.
  package var commentInterval = Duration.seconds(15)
  /// The place of the sources' events; nil if none are made.
  package var events: EventOptions?
  /// The web hooks that get the sources' events.
  package var webhooks: [Webhook] = []
  /// The broker at which events and the states of sources are published; nil for none.
  package var mqtt: MQTTOptions?
  package var accessLog = AccessLog.slow
  /// Whether SIGTERM and SIGINT stop the server.
  package var takesSignals = true

  package init() {}

  /// The place of the sources' events: only memory if receivers need them, but there is no folder; nil if
  /// none are made.
  var journal: EventOptions? { events ?? (webhooks.isEmpty && mqtt == nil ? nil : EventOptions()) }
}

/// A configuration that was read again while its server runs.
package struct ReadConfiguration: Sendable {
  /// The new models; nil to keep the current ones if the file has another model folder, which needs a
  /// restart.
  package let entries: [ModelEntry]?
  /// The sources for a server started with it.
  package let sources: [StreamEntry]
  /// The names of changed options that need a restart.
  package let needsRestart: [String]

  package init(entries: [ModelEntry]?, sources: [StreamEntry] = [], needsRestart: [String] = []) {
    self.entries = entries
    self.sources = sources
    self.needsRestart = needsRestart
  }
}
#endif
