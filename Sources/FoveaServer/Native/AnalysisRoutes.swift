// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaFormats
  internal import FoveaHTTP
  internal import FoveaSystem
  internal import HTTPTypes
  internal import Hummingbird

  /// `POST /v1/detect`, `/v1/label` and their like for a model that the path names.
  struct AnalysisRoutes: Sendable {
    let caller: InferenceCaller
    let reader: PictureReader

    func add(to router: Router<HTTPContext>) {
      router.post("v1/detect") { try await answer($0, $1, .detect) }
      router.post("v1/label") { try await answer($0, $1, .label) }
      router.post("v1/models/{model}:detect") { try await answer($0, $1, .detect) }
      router.post("v1/models/{model}:label") { try await answer($0, $1, .label) }
    }

    private func answer(
      _ request: Request, _ context: HTTPContext, _ task: InferenceCaller.Task
    ) async throws -> Response {
      try await reader.withPictures(request) { pictures in
        var options = try CallOptions(pictures.options)
        if let model = context.parameters.get("model") { options.model = model }
        let format = options.format ?? AnalysisRoutes.format(request.headers[.accept])
        let answer = try await caller.answer(
          pictures.pictures, options, task: task, client: context.peer, context: context)
        return AnalysisRoutes.response(answer, format, isList: pictures.isList, task)
      }
    }

    private static func format(_ accept: String?) -> CallOptions.Format {
      guard let accept = accept?.lowercased() else { return .json }
      if accept.contains("application/x-ndjson") { return .jsonl }
      return accept.contains("text/csv") && !accept.contains("json") ? .csv : .json
    }

    private static func response(
      _ answer: InferenceCaller.Answer, _ format: CallOptions.Format, isList: Bool,
      _ task: InferenceCaller.Task
    ) -> Response {
      var text: String
      let type: String
      switch format {
      case .csv:
        var writer = CSVWriter(kind: task == .detect ? .objects : .labels)
        text = writer.text(of: answer.records)
        type = "text/csv; charset=utf-8"
      case .jsonl:
        var writer = JSONLinesWriter()
        text = writer.text(of: answer.records)
        type = "application/x-ndjson"
      case .json:
        var writer = JSONLinesWriter()
        text = writer.text(of: answer.records)
        if isList { text = AnalysisRoutes.list(text) }
        type = "application/json; charset=utf-8"
      }
      let buffer = ByteBuffer(string: text)
      var headers: HTTPFields = [.contentType: type, .contentLength: String(buffer.readableBytes)]
      if let name = HTTPField.Name("Server-Timing") { headers[name] = timing(answer) }
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: buffer))
    }

    /// The lines as the elements of an array.
    private static func list(_ lines: String) -> String {
      "[" + lines.split(separator: "\n").joined(separator: ",\n") + "]\n"
    }

    /// The time of each stage, as browsers show it.
    private static func timing(_ answer: InferenceCaller.Answer) -> String {
      let timings = answer.records.first?.findings?.timings
      let stages = [
        ("queue", answer.waited), ("decode", timings?.decode ?? .zero),
        ("prepare", timings?.prepare ?? .zero),
        ("run", (timings?.detect ?? .zero) + (timings?.classify ?? .zero)),
      ]
      return stages.map { "\($0.0);dur=\(DecimalText.fixed($0.1.milliseconds, places: 2))" }.joined(
        separator: ", ")
    }
  }
#endif
