// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// `GET /v1/streams` and below: the server's sources and their frames.
struct StreamRoutes: Sendable {
  let streams: StreamRegistry
  /// The time to wait for a single image.
  let patience: Duration
  /// The time between two comments in an event stream.
  let interval: Duration

  func add(to router: Router<HTTPContext>) {
    router.get("v1/streams") { _, _ in
      Response.json { json in
        json.member("streams", streams.sources) { json, source in
          json.object { source.append(to: &$0) }
        }
      }
    }
    router.get("v1/streams/{stream}") { _, context in
      let source = try source(context)
      return Response.json { source.append(to: &$0) }
    }
    router.get("v1/streams/{stream}/events") { request, context in
      let form: StreamText =
        AcceptedTypes(request.headers[.accept]).names("application/x-ndjson") ? .lines : .events
      return StreamBody(source: try source(context), context: context, interval: interval).text(form)
    }
    router.get("v1/streams/{stream}/video.mjpeg") { _, context in
      StreamBody(source: try source(context), context: context, interval: interval).video()
    }
    router.get("v1/streams/{stream}/frame.jpg") { _, context in
      try await StreamImage(source: try source(context), patience: patience).response(context)
    }
    router.get("v1/streams/{stream}/live") { _, context -> Response in
      _ = try source(context)
      throw Refusal.upgradeRequired
    }
  }

  /// The paths that become WebSockets.
  var live: [String: LiveRoute] {
    var routes: [String: LiveRoute] = [:]
    for source in streams.sources {
      var route = LiveRoute { connection in
        await StreamConnection(source: source, connection: connection).run()
      }
      route.refusal = { BodyQuery().refusal(of: $0) }
      routes["/v1/streams/\(source.entry.name)/live"] = route
    }
    return routes
  }

  private func source(_ context: HTTPContext) throws(Refusal) -> StreamSource {
    try streams.source(context.parameters.get("stream"))
  }
}
#endif
