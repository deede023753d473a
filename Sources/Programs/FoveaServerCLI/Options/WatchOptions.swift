// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaCore
import FoveaInference

/// The options for what a server counts and keeps of its sources.
struct WatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Count at a line of a source: gate:door=0,200,640,200.", valueName: "source:name=x1,y1,x2,y2",
      visibility: .hidden))
  var line: [String] = []

  @Option(
    help: ArgumentHelp(
      "Count in a zone of a source: gate:drive=0,0,320,0,320,240.", valueName: "source:name=x1,y1,…",
      visibility: .hidden))
  var zone: [String] = []

  @Option(
    help: ArgumentHelp(
      "A stay in a zone that is an event, in seconds: gate:drive=15.", valueName: "source:zone=seconds",
      visibility: .hidden))
  var dwell: [String] = []

  @Option(
    help: ArgumentHelp(
      "Skip frames without motion in sources without their own setting: auto or off. (default: off)",
      valueName: "mode", visibility: .hidden), transform: ObjectTracker.Options.Motion.init(option:))
  var motion: ObjectTracker.Options.Motion?

  @Option(
    help: ArgumentHelp("Write who came, stayed and went, for /v1/events.", valueName: "dir"))
  var events: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Remove events after this time. (default: 7d)", valueName: "time",
      visibility: .hidden),
    transform: Seconds.init(option:))
  var eventsKeep: Seconds?

  @Option(
    help: ArgumentHelp(
      "Remove the oldest events above this size, at least 1MiB. (default: 1GiB)", valueName: "bytes",
      visibility: .hidden),
    transform: { try ByteCount(option: $0, range: "from 1MiB on, such as 500MB or 2GiB") })
  var eventsLimit: ByteCount?

  @Option(
    help: ArgumentHelp("Send each event to this address.", valueName: "url", visibility: .hidden))
  var webhook: [String] = []

  @Option(
    help: ArgumentHelp(
      "The secret that signs what --webhook gets, in base64.", valueName: "file", visibility: .hidden))
  var webhookSecret: String?

  func validate() throws {
    if webhook.isEmpty, webhookSecret != nil {
      throw ValidationError("--webhook-secret is given without --webhook: give the address.")
    }
    if events == nil, eventsKeep != nil || eventsLimit != nil {
      let name = eventsKeep == nil ? "--events-limit" : "--events-keep"
      throw ValidationError("\(name) is given without --events: name the folder.")
    }
    if let eventsLimit, eventsLimit.bytes < EventOptions.leastLimit {
      throw ValidationError(
        "--events-limit must be at least \(EventOptions.leastLimit >> 20)MiB, got \(eventsLimit.bytes) bytes."
      )
    }
  }

  /// The lines, zones and dwells.
  var shapes: SourceShapes {
    var shapes = SourceShapes()
    (shapes.lines, shapes.zones, shapes.dwells) = (line, zone, dwell)
    return shapes
  }

  /// Returns the web hooks of the command line and of the file.
  /// - Throws: `option-invalid` for an address that is not one.
  func webhooks(of file: ServeFile?) throws(FoveaError) -> [Webhook] {
    var hooks: [Webhook] = []
    for url in webhook {
      var hook = try Webhook(url)
      hook.secretFile = webhookSecret
      hooks.append(hook)
    }
    return hooks + (file?.webhooks ?? [])
  }

  /// The place of events, and how long they are kept; nil without `--events`.
  var eventOptions: EventOptions? {
    events.map { folder in
      var options = EventOptions(folder: folder)
      if let eventsKeep { options.keep = .seconds(eventsKeep.seconds) }
      if let eventsLimit { options.limit = eventsLimit.bytes }
      return options
    }
  }
}
#endif
