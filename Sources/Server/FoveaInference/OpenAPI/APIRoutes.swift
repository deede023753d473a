// SPDX-License-Identifier: Apache-2.0
#if Server
extension APIRoute {
  /// Every route of the server; a test holds the list against the router's.
  static let all = own + clientRoutes(ClientProtocol.all)

  private static let own = nativeRoutes + streamRoutes + operationRoutes

  /// Those of a server that leaves some out.
  /// - Parameters:
  ///   - protocols: What it serves besides Fovea's own.
  ///   - hasHealth: Whether it has those of its operator, too, which may have a listener of their own.
  ///   - isMounted: Whether they are part of another server.
  /// - Returns: The routes that it has.
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
      "POST", "/v1/detect", "Objects in images, by the first model or the one that the option 'model' names",
      .images, answer: .results),
    APIRoute("POST", "/v1/label", "Labels of whole images", .images, answer: .results),
    APIRoute("POST", "/v1/models/{model}:detect", "Objects in images, by a model", .images, answer: .results),
    APIRoute(
      "POST", "/v1/models/{model}:label", "Labels of whole images, by a model", .images, answer: .results),
    APIRoute("GET", "/v1/models", "The models that are served", answer: .json("Models")),
    APIRoute(
      "GET", "/v1/models/{model}", "A model, with TF Serving's model_version_status", answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:load", "Load what is there now: the file, or the host's newest version",
      answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:rollback", "Go back to the version before, of a model of a model host",
      answer: .json("Model")),
    APIRoute(
      "POST", "/v1/models/{model}:unload", "Refuse calls of a model until it is loaded again",
      answer: .json("Model")),
    APIRoute("GET", "/v1/live", "A WebSocket: frames in, objects with identities out", answer: .socket),
    APIRoute(
      "POST", "/v1/session", "Trade a key, which is the body, for the cookie of the page",
      .text("text/plain"), answer: .none),
    APIRoute("DELETE", "/v1/session", "Give the cookie up", answer: .none),
  ]

  private static let streamRoutes = [
    APIRoute("GET", "/v1/streams", "The sources that the server watches", answer: .json("Streams")),
    APIRoute("GET", "/v1/streams/{stream}", "A source", answer: .json("Stream")),
    APIRoute(
      "GET", "/v1/streams/{stream}/events",
      "The objects of each frame, as server-sent events or JSON lines, without end",
      answer: .bytes(["text/event-stream", "application/x-ndjson"])),
    APIRoute(
      "GET", "/v1/streams/{stream}/frame.jpg", "The newest frame with its boxes",
      answer: .bytes(["image/jpeg"])),
    APIRoute(
      "GET", "/v1/streams/{stream}/video.mjpeg", "Frames with their boxes, without end",
      answer: .bytes(["multipart/x-mixed-replace"])),
    APIRoute("GET", "/v1/streams/{stream}/live", "A WebSocket: frames with their objects", answer: .socket),
  ]

  private static let operationRoutes = [
    APIRoute("GET", "/", "The page for camera and photos", family: .page, answer: .bytes(["text/html"])),
    APIRoute(
      "GET", "/assets/{file}", "A file of the page", family: .page,
      answer: .bytes(["text/css", "text/javascript", "image/svg+xml"])),
    APIRoute("GET", "/openapi.json", "This description", answer: .json("Any")),
    APIRoute("GET", "/livez", "Whether the process works", family: .health, answer: .bytes(["text/plain"])),
    APIRoute(
      "GET", "/readyz", "Whether it should get requests", family: .health, answer: .bytes(["text/plain"])),
    APIRoute("GET", "/health", "The same as /readyz", family: .health, answer: .bytes(["text/plain"])),
    APIRoute(
      "GET", "/metrics", "Counts and times for Prometheus", family: .health, answer: .bytes(["text/plain"])),
  ]
}
#endif
