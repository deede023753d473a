// SPDX-License-Identifier: Apache-2.0
#if Server
extension APIRoute {
  /// Every route of the server; a test holds the list against the router's.
  static let all = nativeRoutes + streamRoutes + operationRoutes + clientRoutes

  /// Those of a server that leaves some out.
  /// - Parameters:
  ///   - protocols: What it serves besides Fovea's own.
  ///   - hasHealth: Whether it has those of its operator, too, which may have a listener of their own.
  ///   - isMounted: Whether they are part of another server.
  /// - Returns: The routes that it has.
  static func served(
    _ protocols: Set<ClientProtocol>, hasHealth: Bool, isMounted: Bool
  ) -> [APIRoute] {
    all.filter { route in
      if isMounted && route.needsOwnServer { return false }
      return switch route.family {
      case .native, .page: true
      case .health: hasHealth
      case .client(let served): protocols.contains(served)
      }
    }
  }

  private static let nativeRoutes = [
    APIRoute(
      method: "POST", path: "/v1/detect", family: .native,
      summary: "Objects in images, by the first model or the one that the option 'model' names",
      content: .images, answer: .results),
    APIRoute(
      method: "POST", path: "/v1/label", family: .native, summary: "Labels of whole images",
      content: .images, answer: .results),
    APIRoute(
      method: "POST", path: "/v1/models/{model}:detect", family: .native,
      summary: "Objects in images, by a model", content: .images, answer: .results),
    APIRoute(
      method: "POST", path: "/v1/models/{model}:label", family: .native,
      summary: "Labels of whole images, by a model", content: .images, answer: .results),
    APIRoute(
      method: "GET", path: "/v1/models", family: .native, summary: "The models that are served",
      answer: .json("Models")),
    APIRoute(
      method: "GET", path: "/v1/models/{model}", family: .native,
      summary: "A model, with TF Serving's model_version_status", answer: .json("Model")),
    APIRoute(
      method: "POST", path: "/v1/models/{model}:load", family: .native,
      summary: "Load what is there now: the file, or the host's newest version", answer: .json("Model")),
    APIRoute(
      method: "POST", path: "/v1/models/{model}:rollback", family: .native,
      summary: "Go back to the version before, of a model of a model host", answer: .json("Model")),
    APIRoute(
      method: "POST", path: "/v1/models/{model}:unload", family: .native,
      summary: "Refuse calls of a model until it is loaded again", answer: .json("Model")),
    APIRoute(
      method: "GET", path: "/v1/live", family: .native,
      summary: "A WebSocket: frames in, objects with identities out", answer: .socket),
    APIRoute(
      method: "POST", path: "/v1/session", family: .native,
      summary: "Trade a key, which is the body, for the cookie of the page", content: .text("text/plain"),
      answer: .none),
    APIRoute(
      method: "DELETE", path: "/v1/session", family: .native, summary: "Give the cookie up", answer: .none),
  ]

  private static let streamRoutes = [
    APIRoute(
      method: "GET", path: "/v1/streams", family: .native, summary: "The sources that the server watches",
      answer: .json("Streams")),
    APIRoute(
      method: "GET", path: "/v1/streams/{stream}", family: .native, summary: "A source",
      answer: .json("Stream")),
    APIRoute(
      method: "GET", path: "/v1/streams/{stream}/events", family: .native,
      summary: "The objects of each frame, as server-sent events or JSON lines, without end",
      answer: .bytes(["text/event-stream", "application/x-ndjson"])),
    APIRoute(
      method: "GET", path: "/v1/streams/{stream}/frame.jpg", family: .native,
      summary: "The newest frame with its boxes", answer: .bytes(["image/jpeg"])),
    APIRoute(
      method: "GET", path: "/v1/streams/{stream}/video.mjpeg", family: .native,
      summary: "Frames with their boxes, without end", answer: .bytes(["multipart/x-mixed-replace"])),
    APIRoute(
      method: "GET", path: "/v1/streams/{stream}/live", family: .native,
      summary: "A WebSocket: frames with their objects", answer: .socket),
  ]

  private static let operationRoutes = [
    APIRoute(
      method: "GET", path: "/", family: .page, summary: "The page for camera and photos",
      answer: .bytes(["text/html"])),
    APIRoute(
      method: "GET", path: "/assets/{file}", family: .page, summary: "A file of the page",
      answer: .bytes(["text/css", "text/javascript", "image/svg+xml"])),
    APIRoute(
      method: "GET", path: "/openapi.json", family: .native, summary: "This description",
      answer: .json("Any")),
    APIRoute(
      method: "GET", path: "/livez", family: .health, summary: "Whether the process works",
      answer: .bytes(["text/plain"])),
    APIRoute(
      method: "GET", path: "/readyz", family: .health, summary: "Whether it should get requests",
      answer: .bytes(["text/plain"])),
    APIRoute(
      method: "GET", path: "/health", family: .health, summary: "The same as /readyz",
      answer: .bytes(["text/plain"])),
    APIRoute(
      method: "GET", path: "/metrics", family: .health, summary: "Counts and times for Prometheus",
      answer: .bytes(["text/plain"])),
  ]

  private static let clientRoutes =
    [
      client("POST", "/v1/vision/detection", .deepStack, "Objects in the image of a form", .images),
      client("POST", "/v1/vision/custom/{model}", .deepStack, "Objects, by a model", .images),
      client("POST", "/v1/vision/scene", .deepStack, "The label of the image of a form", .images),
      client("POST", "/v1/vision/custom/list", .deepStack, "The models"),
      client("GET", "/v1/vision/custom/list", .deepStack, "The models"),
      client("GET", "/v1/status/ping", .deepStack, "That the server answers"),
      client("GET", "/v1/server/status/ping", .deepStack, "That the server answers"),
      client("GET", "/v1/status/version", .deepStack, "The version of the server"),
      client("GET", "/v1/status/updateavailable", .deepStack, "Always that there is none"),
      client("POST", "/v1/models/{model}:predict", .autoML, "Images in base64 to tensors or labels", .json),
      client(
        "POST", "/v1/models/{model}/versions/{version}:predict", .autoML, "The same, with a version", .json),
      client("GET", "/v1/models/{model}/metadata", .autoML, "The inputs and outputs of a model"),
      client(
        "GET", "/v1/models/{model}/versions/{version}/metadata", .autoML, "The same, with a version"),
      client("GET", "/v1/models/{model}/versions/{version}", .autoML, "The state of a model"),
      client("POST", "/v1/images:annotate", .cloudVision, "Objects and labels of images in base64", .json),
      client(
        "POST", "/v1/projects/{project}/locations/{location}/endpoints/{model}:predict", .vertex,
        "Objects or labels of images in base64", .json),
      client(
        "POST", "/v1/projects/{project}/locations/{location}/endpoints/{model}:rawPredict", .vertex,
        "The same", .json),
      client(
        "GET", "/v1/projects/{project}/locations/{location}/endpoints/{model}", .vertex,
        "The endpoint, and the model that it has"),
      client("GET", "/detectors", .doods, "The detectors"),
      client("POST", "/detect", .doods, "Objects of an image in base64", .json),
      client(
        "POST", "/image", .doods, "An image in base64 with the boxes of its objects, as a JPEG", .json),
      client("GET", "/info", .roboflow, "The server"),
      client("GET", "/model/registry", .roboflow, "The models"),
      client("POST", "/model/add", .roboflow, "The models, where the one named is served", .json),
      client("POST", "/model/remove", .roboflow, "The models; nothing changes", .json),
      client("POST", "/model/clear", .roboflow, "The models; nothing changes", .json),
      client("POST", "/infer/object_detection", .roboflow, "Objects of images in base64", .json),
      client("POST", "/infer/classification", .roboflow, "Labels of images in base64", .json),
      client(
        "POST", "/{project}/{version}", .roboflow,
        "Objects or labels of an image, its base64, or the file of a form",
        .text("application/octet-stream")),
      client("GET", "/v2", .openInference, "The server"),
      client("GET", "/v2/health/live", .openInference, "Whether it lives"),
      client("GET", "/v2/health/ready", .openInference, "Whether models are ready"),
      client("GET", "/v2/models/stats", .openInference, "What the models have done since they were loaded"),
      client("POST", "/v2/repository/index", .openInference, "The models"),
      client("POST", "/v2/repository/models/{model}/load", .openInference, "Load what is there now"),
      client("POST", "/v2/repository/models/{model}/unload", .openInference, "Refuse calls of a model"),
    ]
    + ["/v2/models/{model}", "/v2/models/{model}/versions/{version}"].flatMap { path in
      [
        client("GET", path, .openInference, "The tensors of a model, or of its graph as NAME@tensors"),
        client("GET", path + "/ready", .openInference, "Whether a model is ready"),
        client("GET", path + "/config", .openInference, "The configuration of a model"),
        client("GET", path + "/stats", .openInference, "What a model has done since it was loaded"),
        client("POST", path + "/infer", .openInference, "JSON, and tensors behind it", .json),
      ]
    }

  private static func client(
    _ method: String, _ path: String, _ served: ClientProtocol, _ summary: String,
    _ content: Content = .none
  ) -> APIRoute {
    APIRoute(method: method, path: path, family: .client(served), summary: summary, content: content)
  }
}
#endif
