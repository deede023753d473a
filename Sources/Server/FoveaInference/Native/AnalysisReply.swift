// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaHTTP
import FoveaImage
import FoveaCore
import HTTPTypes
import Hummingbird

/// The format of an answer of the native routes: text, with or without annotated images, or an image: the
/// annotated one, or that of class numbers.
struct AnalysisReply: Sendable {
  private enum Form {
    case text(CallOptions.Format)
    case image
  }

  private let form: Form
  /// The call's options, with the image format from its headers.
  let options: CallOptions
  private let isList: Bool

  /// Chooses the format from a call's options, and then from its accepted types.
  /// - Throws: A refusal if the options exclude each other.
  init(
    _ options: CallOptions, accept: AcceptedTypes, request: ImageRequest, task: ServedTask
  ) throws(Refusal) {
    var options = options
    isList = request.isList
    let acceptsText = accept.names("application/json", "application/x-ndjson", "text/csv")
    if options.body == .classNumbers {
      try AnalysisReply.checkNumbers(options, request)
      form = .image
    } else if let format = accept.imageFormat, options.format == nil, !acceptsText {
      // An annotated PNG of a map needs annotate=png.
      if task == .segment, format == .png, options.annotation == nil {
        options.body = .classNumbers
      } else {
        options.annotation = options.annotation ?? format
        options.body = .annotated
      }
      guard request.images.count == 1 else {
        throw CallOptions.invalid(
          "annotate", "requires a single image, the request has \(request.images.count)",
          "Send one image, or accept application/json and give annotate=jpeg")
      }
      form = .image
    } else if options.annotation != nil, options.format == nil, !acceptsText, !request.isList {
      options.body = .annotated
      form = .image
    } else {
      let format = options.format ?? AnalysisReply.format(accept)
      try AnalysisReply.check(format, task, isAnnotated: options.annotation != nil)
      form = .text(format)
    }
    self.options = options
  }

  /// Throws a refusal for an image of class numbers that a call asks for besides something else.
  private static func checkNumbers(_ options: CallOptions, _ request: ImageRequest) throws(Refusal) {
    guard options.annotation == nil else {
      throw CallOptions.invalid(
        "annotate", "cannot be combined with format=png", "Leave out 'format' for the painted image")
    }
    guard request.images.count == 1 else {
      throw CallOptions.invalid(
        "format", "is png, which requires a single image; the request has \(request.images.count)",
        "Send one image, or give format=json, which has the masks of the classes")
    }
  }

  /// Throws a refusal for CSV that cannot hold the results.
  private static func check(
    _ format: CallOptions.Format, _ task: ServedTask, isAnnotated: Bool
  ) throws(Refusal) {
    guard format == .csv else { return }
    guard !isAnnotated else {
      throw CallOptions.invalid("annotate", "cannot be combined with CSV", "Use format=json")
    }
    guard task != .segment else {
      throw CallOptions.invalid(
        "format", "cannot be csv for maps", CallOptions.formatRemedy(for: .segment))
    }
  }

  /// Whether each of several images gets its line as soon as it is ready.
  var isStream: Bool {
    if case .text(.jsonl) = form { true } else { false }
  }

  private static func format(_ accept: AcceptedTypes) -> CallOptions.Format {
    if accept.names("application/x-ndjson") { return .jsonl }
    return accept.names("text/csv") && !accept.names("application/json") ? .csv : .json
  }

  /// Returns the answer in this format.
  /// - Throws: The refusal of the first failed image, if the format cannot carry errors.
  func response(_ answer: InferenceCaller.Answer) throws(Refusal) -> Response {
    var headers: HTTPFields = [:]
    if let name = AnalysisReply.timingName { headers[name] = AnalysisReply.timing(answer.pieces) }
    if case .text(let format) = form { return try text(answer, format, headers) }
    let file = answer.pieces.first?.annotated
    headers[.contentType] = file?.type ?? ""
    return AnalysisReply.response(ByteBuffer(bytes: file?.bytes ?? []), headers)
  }

  private func text(
    _ answer: InferenceCaller.Answer, _ format: CallOptions.Format, _ headers: HTTPFields
  ) throws(Refusal) -> Response {
    var text: String
    var headers = headers
    switch format {
    case .csv:
      try AnalysisReply.checkWhole(answer)
      text = AnalysisReply.csv(answer)
      headers[.contentType] = "text/csv; charset=utf-8"
    case .jsonl:
      text = answer.pieces.map { $0.json(masks: options.masks) }.joined()
      headers[.contentType] = "application/x-ndjson"
    case .json:
      let objects = answer.pieces.map { $0.json(masks: options.masks, endsLine: !isList) }
      text = isList ? "[\(objects.joined(separator: ",\n"))]\n" : objects.joined()
      headers[.contentType] = "application/json; charset=utf-8"
    }
    return AnalysisReply.response(ByteBuffer(string: text), headers)
  }

  private static func csv(_ answer: InferenceCaller.Answer) -> String {
    guard answer.model.task != .embed else {
      let photos = answer.pieces.compactMap(\.features)
      return (photos.first?.csvHeader ?? "") + photos.map(\.csv).joined()
    }
    var writer = CSVWriter(kind: answer.model.task == .detect ? .objects : .labels)
    return writer.text(of: answer.records)
  }

  /// Throws if an image failed: CSV would omit it, as if nothing had been found.
  private static func checkWhole(_ answer: InferenceCaller.Answer) throws(Refusal) {
    do throws(Refusal) { try answer.check() } catch {
      var refusal = error
      let entries = "Use format=json or jsonl, which have an entry for each image"
      refusal.remedy = refusal.remedy.map { "\($0). \(entries)" } ?? entries
      throw refusal
    }
  }

  private static func response(_ body: ByteBuffer, _ headers: HTTPFields) -> Response {
    var headers = headers
    headers[.contentLength] = String(body.readableBytes)
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  static let timingName = HTTPField.Name("Server-Timing")

  /// Returns the time of each stage of the first image, in the format browsers display, and the longest wait.
  static func timing(_ pieces: [InferenceCaller.Piece]) -> String {
    let timings = pieces.first?.timings
    var stages: [(name: String, time: Duration)] = [("queue", pieces.map(\.waited).max() ?? .zero)]
    stages.append(("decode", timings?.decode ?? .zero))
    stages.append(("prepare", timings?.prepare ?? .zero))
    stages.append(("run", timings.map { $0.detect + $0.classify } ?? .zero))
    if let file = pieces.first?.annotated { stages.append(("draw", file.time)) }
    return stages.map { stage in
      "\(stage.name);dur=\(DecimalText.fixed(stage.time.milliseconds, places: 2))"
    }.joined(separator: ", ")
  }
}
#endif
