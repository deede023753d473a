// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaFormats
import FoveaHTTP
import FoveaTracking

/// Reads the JSON of a ``ServeFile``.
struct ServeFileReader: ~Copyable {
  /// The reason why a file cannot be read: invalid text, or a value that refers to something missing.
  enum Problem: Error {
    case json(JSONFailure)
    case value(FoveaError)
  }

  private var reader: JSONReader
  /// The base of relative paths; empty for the working directory.
  private let folder: String

  init(_ bytes: [UInt8], folder: String) {
    reader = JSONReader(bytes: bytes, name: "its text")
    self.folder = folder
  }

  mutating func read(into file: inout ServeFile) throws(Problem) {
    do {
      try members("an object of options") { (self, name) in
        switch name {
        case "models": try self.models(into: &file)
        case "sources":
          try self.members("'sources' as an object") { (self, name) in
            file.sources.append(try self.source(name))
          }
        case "webhooks": try self.elements { (self) in file.webhooks.append(try self.webhook()) }
        case "mqtt": try self.mqtt(into: &file)
        default: file.options.append(ServeFile.Option(name: name, value: try self.option(name)))
        }
      }
      try reader.expectEnd()
    } catch let problem as Problem {
      throw problem
    } catch let failure as JSONFailure {
      throw .json(failure)
    } catch {
      throw .json(JSONFailure(.mismatch, "its text", "\(error)"))
    }
  }

  /// Calls `body` with the name of each member of the next object.
  /// - Throws: The error for a name given twice, and the errors of `body`.
  private mutating func members(
    _ what: String, _ body: (inout ServeFileReader, String) throws -> Void
  ) throws {
    try reader.expect(UInt8(ascii: "{"), what)
    var isFirst = true
    var seen: Set<String> = []
    while try reader.nextKey(&isFirst) != nil {
      let name = reader.lastKey
      guard seen.insert(name).inserted else { throw reader.mismatch("'\(name)' is given twice") }
      try body(&self, name)
    }
  }

  private mutating func option(_ name: String) throws -> ServeFile.Option.Value {
    switch try reader.peek() {
    case UInt8(ascii: "{"):
      let objects = ["models", "mqtt", "sources"]
      guard NameDistance.nearest(to: name, among: objects).isEmpty else {
        throw reader.unknownMember(of: "the file", among: objects)
      }
      throw reader.mismatch("'\(name)' is an object", "only 'models', 'mqtt' and 'sources' are objects")
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(try reader.flag("'\(name)'"))
    case UInt8(ascii: "\""): return .text(try reader.stringValue())
    case UInt8(ascii: "["):
      var texts: [String] = []
      try elements { (self) in texts.append(try self.text("an entry of '\(name)'")) }
      return .list(texts)
    case UInt8(ascii: "n"):
      throw reader.mismatch(
        "'\(name)' is null",
        "omit it for its default, or give it a value from \(program: .command("serve --help-hidden"))"
      )
    default: return .text(DecimalText.short(try reader.double("'\(name)'"), places: 6))
    }
  }

  private mutating func elements(_ body: (inout ServeFileReader) throws -> Void) throws {
    try reader.expect(UInt8(ascii: "["), "a list")
    var isFirst = true
    while try reader.nextElement(&isFirst) { try body(&self) }
  }

  private mutating func text(_ what: String) throws -> String {
    guard let text = try reader.optionalString() else { throw reader.mismatch("\(what) is not a string") }
    return text
  }

  /// Reads true or false; unlike clients' requests, a file has no numbers or strings for them.
  private mutating func flag(_ what: String) throws -> Bool {
    guard let first = try reader.peek(), first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else {
      throw reader.mismatch("\(what) is neither true nor false")
    }
    return try reader.flag(what)
  }

  /// Resolves a path relative to the file's folder if that file exists; otherwise returns the text, which is
  /// a name.
  private func place(_ text: String) -> String {
    let path = ServeFile.resolved(text, in: folder)
    return FileStatus(FilePath(path)) == nil ? text : path
  }

  // MARK: Models

  static let modelNames = (ModelSettings.names + ["model", "pinned", "task"]).sorted()

  /// Reads `{"NAME": "FILE"}` or `{"NAME": {"model": "FILE", …}}`; a string is the folder of `--models`.
  private mutating func models(into file: inout ServeFile) throws {
    guard try reader.peek() != UInt8(ascii: "\"") else {
      file.options.append(ServeFile.Option(name: "models", value: .text(try reader.stringValue())))
      return
    }
    try members("'models' as an object, or the name of a folder") { (self, name) in
      file.models.append(try self.model(name))
    }
  }

  private mutating func model(_ name: String) throws -> ServeFile.Model {
    guard ModelEntry.isName(name) else {
      throw reader.mismatch("'\(name)' cannot be a model's name in an address")
    }
    guard try reader.peek() == UInt8(ascii: "{") else {
      return ServeFile.Model(name: name, place: place(try text("the model '\(name)'")))
    }
    var file: String?
    var settings = ModelSettings()
    try members("a model as an object") { (self, key) in
      let what = "'\(key)' of the model '\(name)'"
      switch key {
      case "model": file = try self.text(what)
      case "pinned": settings.isPinned = try self.flag(what)
      case "task": settings.task = try LiveRequest.word(&self.reader, key)
      default:
        guard ModelSettings.names.contains(key), let option = NamedOption.named(key) else {
          throw self.reader.unknownMember(of: "the model '\(name)'", among: ServeFileReader.modelNames)
        }
        try self.set(option, of: what, in: &settings.options)
      }
    }
    if settings.options.mapFamily != nil, let task = settings.task, task != .segment {
      throw reader.mismatch(
        "'task' of the model '\(name)' is '\(task.rawValue)', but 'family' is one of segmentation models")
    }
    guard let file else { throw reader.mismatch("the model '\(name)' has no 'model'", "it names the file") }
    return ServeFile.Model(name: name, place: place(file), settings: settings)
  }

  private mutating func set(_ option: NamedOption, of what: String, in options: inout NamedOptions) throws {
    var option = option
    var value: OptionValue
    switch option.kind {
    case .choice(let words, _):
      guard let word = try reader.optionalString() else {
        throw reader.mismatch("\(what) is not a string", "use one of \(words.joined(separator: ", "))")
      }
      value = .text(word)
    case .text, .family: value = .text(try text(what))
    case .flag: value = .flag(try flag(what))
    default: value = try reader.optionValue(what)
    }
    if ["labels", "classifier", "landmarks"].contains(option.name) { value = .text(place(value.text)) }
    if option.name == "classifier", value == .text("none"), let none = NamedOption.named("no-classify") {
      (option, value) = (none, .flag(true))
    }
    do throws(FoveaError) { try options.set(option, to: value) } catch {
      let remedy = error.remedy.served
      var hint = remedy.prefix(1).lowercased() + remedy.dropFirst()
      // The words are in the message, which this error replaces.
      if case .choice = option.kind, let words = error.option?.expected { hint = "use one of \(words)" }
      throw reader.mismatch("\(what) is '\(value.text.prefix(40))'", hint)
    }
  }

  // MARK: MQTT

  private static let mqttNames = [
    "ca", "discovery", "node", "password-file", "prefix", "snapshots", "url", "user",
  ]

  /// Reads an object with `url`; a string is the address of `--mqtt`.
  private mutating func mqtt(into file: inout ServeFile) throws {
    guard try reader.peek() == UInt8(ascii: "{") else {
      file.options.append(ServeFile.Option(name: "mqtt", value: try option("mqtt")))
      return
    }
    var settings = MQTTSettings()
    try members("'mqtt' as an object") { (self, key) in
      guard ServeFileReader.mqttNames.contains(key) else {
        throw self.reader.unknownMember(of: "'mqtt'", among: ServeFileReader.mqttNames)
      }
      guard key != "snapshots" else {
        settings.snapshots = try self.flag("'snapshots' of 'mqtt'")
        return
      }
      let text = try self.text("'\(key)' of 'mqtt'")
      switch key {
      case "url": settings.url = text
      case "user": settings.user = text
      case "password-file": settings.passwordFile = ServeFile.resolved(text, in: self.folder)
      case "ca": settings.ca = ServeFile.resolved(text, in: self.folder)
      case "prefix": settings.prefix = text
      case "discovery": settings.discovery = text
      default: settings.node = text
      }
    }
    file.mqtt = settings
  }

  // MARK: Sources

  private static let sourceNames = [
    "allow", "always", "blur", "deny", "every", "lines", "masks", "model", "motion", "motion-masks",
    "source", "threshold", "zones",
  ]

  private mutating func source(_ name: String) throws -> StreamEntry {
    var address: String?
    var settings = LiveSettings()
    var isAlways = false
    if try reader.peek() != UInt8(ascii: "{") {
      address = try text("the source '\(name)'")
    } else {
      try members("a source as an object") { (self, key) in
        let what = "'\(key)' of the source '\(name)'"
        switch key {
        case "source": address = try self.text(what)
        case "model": settings.model = try self.text(what)
        case "threshold": settings.threshold = Float(try self.reader.double(what))
        case "every": settings.every = try self.reader.identifier(what)
        case "allow": settings.allow = try LiveRequest.labels(&self.reader, key)
        case "deny": settings.deny = try LiveRequest.labels(&self.reader, key)
        case "blur": settings.blur = try LiveRequest.labels(&self.reader, key)
        case "masks": settings.masks = try LiveRequest.word(&self.reader, key)
        case "lines": settings.lines = try self.shapes(key, &settings.dwells)
        case "zones": settings.zones = try self.shapes(key, &settings.dwells)
        case "motion": settings.motion = try LiveRequest.word(&self.reader, key)
        case "motion-masks": settings.motionMasks = try LiveRequest.shapes(&self.reader, key)
        case "always": isAlways = try self.flag(what)
        default:
          throw self.reader.unknownMember(of: "the source '\(name)'", among: ServeFileReader.sourceNames)
        }
      }
    }
    guard let address else {
      throw reader.mismatch("the source '\(name)' has no 'source'", "it names the address")
    }
    do { try settings.check() } catch { throw problem(ofSource: name, error.message) }
    do {
      _ = try settings.counters()
      try settings.trackerOptions.check()
    } catch {
      throw problem(ofSource: name, error.message)
    }
    do {
      var entry = try StreamEntry("\(name)=\(place(address))")
      entry.settings = settings
      entry.isAlways = isAlways
      return entry
    } catch {
      throw Problem.value(error)
    }
  }

  /// Reads `[[x1, y1, …]]` or `{"NAME": [x1, y1, …]}`, for zones also
  /// `{"NAME": {"points": …, "labels": ["person"], "dwell": 15}}`.
  private mutating func shapes(_ key: String, _ dwells: inout [String: Double]) throws -> [CountedShape] {
    guard try reader.peek() == UInt8(ascii: "{") else {
      return try LiveRequest.shapes(&reader, key).map { CountedShape(points: $0) }
    }
    var shapes: [CountedShape] = []
    let members = key == "zones" ? ["dwell", "labels", "points"] : ["points"]
    try self.members("'\(key)' as an object") { (self, name) in
      var shape = CountedShape(name: name, points: [])
      let what = "'\(name.prefix(40))' of '\(key)'"
      if try self.reader.peek() == UInt8(ascii: "{") {
        try self.members("\(what) as an object") { (self, member) in
          switch member {
          case "points": shape.points = try self.points(what, key)
          case "labels" where members.contains(member):
            shape.labels = try LiveRequest.labels(&self.reader, "labels")
          case "dwell" where members.contains(member):
            dwells[name] = try self.reader.double("'dwell' of \(what)")
          default: throw self.reader.unknownMember(of: what, among: members)
          }
        }
      } else {
        shape.points = try self.points(what, key)
      }
      shapes.append(shape)
      guard shapes.count <= LiveRequest.shapeLimit else {
        throw self.reader.mismatch("'\(key)' has more than \(LiveRequest.shapeLimit) entries")
      }
    }
    return shapes
  }

  private mutating func points(_ what: String, _ key: String) throws -> [Double] {
    try LiveRequest.points(
      &reader, of: "points", "\(what) is not a list of numbers",
      "write it as [x1, y1, x2, y2\(key == "lines" ? "" : ", x3, y3")]")
  }

  // MARK: Web hooks

  private static let webhookNames = ["secret-file", "sources", "types", "url"]

  private mutating func webhook() throws -> Webhook {
    var url: String?
    var (secret, types, sources): (String?, Set<ObjectEvent.Kind>, [String]) = (nil, [], [])
    try members("a web hook as an object") { (self, key) in
      switch key {
      case "url": url = try self.text("'url' of a web hook")
      case "secret-file":
        secret = ServeFile.resolved(try self.text("'secret-file' of a web hook"), in: self.folder)
      case "types": try self.elements { (self) in types.insert(try LiveRequest.word(&self.reader, key)) }
      case "sources":
        try self.elements { (self) in sources.append(try self.text("a source of a web hook")) }
      default: throw self.reader.unknownMember(of: "a web hook", among: ServeFileReader.webhookNames)
      }
    }
    guard let url else { throw reader.mismatch("a web hook has no 'url'", "it names the address") }
    do {
      var hook = try Webhook(url)
      (hook.secretFile, hook.types, hook.sources) = (secret, types, sources)
      return hook
    } catch {
      throw Problem.value(error)
    }
  }

  /// Returns the failure for a source's settings; `message` follows the location.
  private func problem(ofSource name: String, _ message: String) -> JSONFailure {
    JSONFailure(.mismatch, reader.name, "the source '\(name)' at \(reader.place): \(message)")
  }
}
#endif
