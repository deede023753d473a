// SPDX-License-Identifier: Apache-2.0
#if Server
extension APIRoute {
  /// Every route of the server; a test compares the list with the router's.
  static let all = own + clientRoutes(ClientProtocol.all)

  private static let own = nativeRoutes + streamRoutes + operationRoutes

  /// Returns the routes of a server with some disabled.
  /// - Parameters:
  ///   - protocols: The protocols besides Fovea's own.
  ///   - hasHealth: Whether it includes the operator's routes, which may have their own listener.
  ///   - isMounted: Whether they are part of another server.
  /// - Returns: The routes it serves.
  static func served(_ protocols: Set<ClientProtocol>, hasHealth: Bool, isMounted: Bool) -> [APIRoute] {
    (own + clientRoutes(ClientProtocol.all.filter(protocols.contains))).filter { route in
      !(isMounted && route.needsOwnServer) && (hasHealth || route.family != .health)
    }
  }

  private static func clientRoutes(_ protocols: [ClientProtocol]) -> [APIRoute] {
    protocols.flatMap { served in
      served.routes.map { $0.of(Family(name: served.name, title: served.title)) }
    }
  }

  private static let nativeRoutes = [
    APIRoute(
      "POST", "/v1/detect",
      "Objects in images, found by the first model or the one named by the option 'model'",
      .images, answer: .results(.detect)),
    APIRoute("POST", "/v1/label", "Labels of whole images", .images, answer: .results(.label)),
    APIRoute(
      "POST", "/v1/segment", "Classes of each image with their masks, or an image of class numbers",
      .images, answer: .results(.segment)),
    APIRoute("POST", "/v1/embed", "Features of whole images", .images, answer: .results(.embed)),
    APIRoute(
      "POST", "/v1/models/{model}:detect", "Objects in images, found by a given model", .images,
      answer: .results(.detect)),
    APIRoute(
      "POST", "/v1/models/{model}:label", "Labels of whole images, found by a given model", .images,
      answer: .results(.label)),
    APIRoute(
      "POST", "/v1/models/{model}:segment", "Classes of each image, found by a given model", .images,
      answer: .results(.segment)),
    APIRoute(
      "POST", "/v1/models/{model}:embed", "Features of whole images, computed by a given model", .images,
      answer: .results(.embed)),
    APIRoute("GET", "/v1/models", "The served models", answer: .json("Models")),
    APIRoute(
      "GET", "/v1/models/{model}", "A model, with TF Serving's model_version_status", answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:load", "Load the current file, or the host's newest version",
      answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:rollback", "Return to the previous version of a host's model",
      answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:unload", "Unload a model until it is loaded again",
      answer: .json("Model")),
    APIRoute("GET", "/v1/live", "A WebSocket: frames in, objects with identities out", answer: .socket),
    APIRoute(
      "POST", "/v1/session", "Exchange a key, sent as the body, for the page's cookie",
      .text("text/plain"), answer: .none),
    APIRoute("DELETE", "/v1/session", "End the page's session", answer: .none),
  ]

  private static let streamRoutes = [
    APIRoute("GET", "/v1/streams", "The sources that the server watches", answer: .json("Streams")),
    APIRoute("GET", "/v1/streams/{stream}", "A source", answer: .json("Stream")),
    APIRoute(
      "GET", "/v1/streams/{stream}/events",
      "The objects of each frame, as endless server-sent events or JSON lines",
      answer: .bytes(["text/event-stream", "application/x-ndjson"])),
    APIRoute(
      "GET", "/v1/streams/{stream}/frame.jpg", "The newest frame with its boxes",
      answer: .bytes(["image/jpeg"])),
    APIRoute(
      "GET", "/v1/streams/{stream}/video.mjpeg", "An endless stream of frames with their boxes",
      answer: .bytes(["multipart/x-mixed-replace"])),
    APIRoute("GET", "/v1/streams/{stream}/live", "A WebSocket: frames with their objects", answer: .socket),
    APIRoute(
      "GET", "/v1/events", "Messages about objects of the sources, the newest first",
      answer: .json("Events"), query: EventQuery.parameters),
    APIRoute(
      "GET", "/v1/events/stream", "Further messages, as endless server-sent events",
      answer: .bytes(["text/event-stream"])),
    APIRoute(
      "GET", "/v1/events/{event}", "The messages about one object, the oldest first",
      answer: .json("Events")),
    APIRoute(
      "GET", "/v1/events/{event}/snapshot.jpg", "The best image of an object, the whole frame",
      answer: .bytes(["image/jpeg"])),
  ]

  private static let operationRoutes = [
    APIRoute("GET", "/", "The page for camera and photos", family: .page, answer: .bytes(["text/html"])),
    APIRoute(
      "GET", "/assets/{file}", "A file of the page", family: .page,
      answer: .bytes(["text/css", "text/javascript", "image/svg+xml"])),
    APIRoute("GET", "/openapi.json", "This description", answer: .json("Any")),
    APIRoute(
      "GET", "/livez", "Check that the process is alive", family: .health, answer: .bytes(["text/plain"])),
    APIRoute(
      "GET", "/readyz", "Check that the server is ready for requests", family: .health,
      answer: .bytes(["text/plain"])),
    APIRoute("GET", "/health", "The same as /readyz", family: .health, answer: .bytes(["text/plain"])),
    APIRoute(
      "GET", "/metrics", "Counts and times for Prometheus", family: .health, answer: .bytes(["text/plain"])),
  ]
}
#endif
