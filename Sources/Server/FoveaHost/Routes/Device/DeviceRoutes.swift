// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// The routes of devices: information about the current file of a model, and the file.
///
/// **Source:** Firebase's downloaders for iOS (ModelInfoRetriever) and Android (CustomModelDownloadService).
struct DeviceRoutes: Sendable {
  let models: ModelService
  let experiments: ExperimentService
  let access: Access
  let ring: KeyRing
  let url: String
  /// The lifetime of a file's URL, in seconds.
  let urlLifetime: Double
  let metrics: Metrics
  let downloads: DownloadCounts

  func add(to router: Router<HTTPContext>) {
    router.get("v1beta2/projects/{project}/models/{model}:download", use: information)
    router.get("files/{project}/{sha256}", use: file)
    router.head("files/{project}/{sha256}", use: file)
    router.get("models/{project}/{model}.tflite", use: stable)
    router.head("models/{project}/{model}.tflite", use: stable)
  }

  // MARK: Information

  @Sendable private func information(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try access.app(request, RequestQuery(of: request), context)
    let model = try models.model(name(context))
    guard let assignment = VersionAssignment(model, experiment: experiments.running(on: model)) else {
      throw HostError.entityNotFound
    }
    let installation = request.headers[.xGoogInstallationsAuth].flatMap {
      ring.installation(token: $0, now: models.now())
    }
    let choice = installation.map { assignment.choice(installation: $0.id) }
    let version = choice?.version ?? assignment.stable
    let assignsItself = installation == nil && !assignment.items.isEmpty
    let tag = request.headers[.ifNoneMatch]?.filter { $0 != "\"" }
    // A device that computes its own assignment may have either version, so its file is not known to be
    // current.
    if tag == version.sha256 && !assignsItself {
      metrics.add("fovea_host_informations_total", ["result", "current"])
      return Response(status: .notModified, headers: [.eTag: version.sha256])
    }
    metrics.add("fovea_host_informations_total", ["result", "sent"])
    let headers: HTTPFields = [.eTag: version.sha256, .cacheControl: "private, no-cache"]
    return .json(headers: headers) { json in
      write(version, &json)
      json.member("modelFormat", "TFLITE")
      if let variant = choice?.variant {
        json.member("experiment", assignment.experiment?.id)
        json.member("variant", variant)
      }
      if assignsItself { choices(assignment, &json) }
    }
  }

  private func name(_ context: HTTPContext) throws(HostError) -> String {
    let text = context.parameters.get("model") ?? ""
    guard let name = PercentText.decode(text), HostName.isName(name) else {
      throw .invalidArgument(
        "\(HostName.shown(PercentText.decode(text) ?? text)) is not a valid model name: "
          + "1 to 32 letters, digits, '_' or '-'"
      )
    }
    return name
  }

  /// Returns a URL of a version's file, which works for some minutes, and its expiry.
  @Sendable func address(of version: ModelVersion) -> (url: String, expires: Timestamp) {
    let address = ring.sign(
      path: "/files/\(models.project)/\(version.sha256)", installation: nil, lifetime: urlLifetime,
      now: models.now())
    return (url + address.target, address.expires)
  }

  private func write(_ version: ModelVersion, _ json: inout JSONText) {
    let address = address(of: version)
    json.member("downloadUri", address.url)
    json.member("expireTime", address.expires.text)
    json.member("sizeBytes", String(version.size))
    json.member("sha256", version.sha256)
    json.member("version", String(version.number))
  }

  private func choices(_ assignment: VersionAssignment, _ json: inout JSONText) {
    json.member("choices") { json in
      json.member("seed", assignment.seed)
      json.member("unit", assignment.unit.rawValue)
      if let experiment = assignment.experiment { json.member("experiment", experiment.id) }
      json.objects("items", assignment.items) { json, item in
        json.member("below", item.below)
        write(item.version, &json)
        if let variant = item.variant { json.member("variant", variant) }
      }
    }
  }

  // MARK: Files

  @Sendable private func file(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let sha256 = context.parameters.get("sha256") ?? ""
    guard context.parameters.get("project") == models.project else { throw HostError.entityNotFound }
    try ring.verify(
      method: request.method.rawValue, path: request.uri.path,
      query: request.uri.query.map { String($0) } ?? "",
      lifetime: urlLifetime, now: models.now())
    guard let size = models.catalogue.size(of: sha256) else { throw HostError.entityNotFound }
    return try await send(sha256, size, name: nil, request, context)
  }

  /// Serves the stable version at a plain URL, for curl, wget and a folder as a host.
  @Sendable private func stable(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try access.app(request, RequestQuery(of: request), context)
    let model = try models.model(name(context))
    guard let stable = VersionAssignment(model)?.stable else { throw HostError.entityNotFound }
    return try await send(
      stable.sha256, stable.size, name: model.name + ".tflite", request, context, isPlain: true)
  }

  private func send(
    _ sha256: String, _ size: Int64, name: String?, _ request: Request, _ context: HTTPContext,
    isPlain: Bool = false
  ) async throws(HostError) -> Response {
    let location = try await models.location(of: sha256, size: size)
    var answer = FileResponse(tag: "\"\(sha256)\"")
    answer.digest = Base64.encode(Hexadecimal.decode(sha256) ?? [])
    answer.fileName = name
    if isPlain { answer.cacheControl = "private, no-cache" }
    answer.channel = context.channel
    answer.sent = { [metrics, downloads] count in
      metrics.add("fovea_host_file_bytes_total", by: Double(count))
      downloads.add(count, of: sha256)
    }
    if request.headers[.range] != nil { metrics.add("fovea_host_resumes_total") }
    switch location {
    case .file(let blob): return answer.response(to: request, source: BlobSource(blob: blob))
    // The address is for GET only, and the other server compares ranges and its own tags.
    case .address where request.method == .head:
      return answer.response(to: request, source: ElsewhereSource(size: size))
    case .address(let address, _):
      var headers: HTTPFields = [.location: address, .cacheControl: "no-store", .contentLength: "0"]
      if let digest = answer.digest { headers[.reprDigest] = "sha-256=:\(digest):" }
      // Counted when sent elsewhere: the other server does not report its bytes.
      if request.headers[.range] == nil { downloads.add(Int(size), of: sha256) }
      return Response(status: .temporaryRedirect, headers: headers)
    }
  }
}

#endif
