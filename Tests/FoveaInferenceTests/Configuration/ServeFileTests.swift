// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import Fovea
import FoveaFormats
import FoveaTesting
import FoveaTracking
import FoveaVideo
import Testing

@testable import FoveaInference

@Suite struct ServeFileTests {
  @Test func `a file has a broker as an address or an object, with paths relative to its folder`() throws {
    let folder = try TemporaryFolder()
    let text = try ServeFile(folder.write("text.json", #"{"mqtt": "mqtts://broker"}"#))
    #expect(text.mqtt == nil && text.options == [.init(name: "mqtt", value: .text("mqtts://broker"))])
    let file = try ServeFile(
      folder.write(
        "serve.json",
        """
        {"mqtt": {"url": "mqtts://broker:8883", "user": "u", "password-file": "mqtt.secret", "ca": "/etc/ca.pem",
          "prefix": "home/fovea", "discovery": "", "node": "hall", "snapshots": true}}
        """))
    var settings = MQTTSettings()
    (settings.url, settings.user, settings.node) = ("mqtts://broker:8883", "u", "hall")
    (settings.passwordFile, settings.ca) = (folder["mqtt.secret"], "/etc/ca.pem")
    (settings.prefix, settings.discovery, settings.snapshots) = ("home/fovea", "", true)
    #expect(file.mqtt == settings)
    #expect(try ServeFile(folder.write("none.json", "{}")).mqtt == nil)
  }

  @Test func `a file has options, models and sources, with paths relative to its folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("bird.tflite", "")
    try folder.write("birds.txt", "")
    try folder.write("clip.mp4", "")
    let path = try folder.write(
      "serve.json",
      """
      {"listen": "0.0.0.0:80", "open": true, "slots": 2, "drain": 2.5, "allowed-host": ["a", "b"],
       "models": {
         "birds": {"model": "bird.tflite", "threshold": 0.25, "max-objects": 3, "max-labels": 4, "pinned": true,
           "label-threshold": 1, "labels": "birds.txt", "classifier": "none", "family": "yolo11", "sessions": 2, "threads": 4, "normalize": [0, 255]},
         "bird": "bird.tflite"},
       "sources": {
         "clip": "clip.mp4",
         "gate": {"source": "rtsp://user:word@camera/1", "model": "birds", "threshold": 0.5, "every": 2,
           "lines": [[0, 1, 2, 3]], "zones": [[0, 0, 9, 0, 9, 9]], "masks": "polygon", "always": true,
           "motion": "auto", "motion-masks": [[0, 0, 9, 0, 9, 5]]}}}
      """)
    let file = try ServeFile(path)
    #expect(
      file.options == [
        .init(name: "listen", value: .text("0.0.0.0:80")), .init(name: "open", value: .flag(true)),
        .init(name: "slots", value: .text("2")), .init(name: "drain", value: .text("2.5")),
        .init(name: "allowed-host", value: .list(["a", "b"])),
      ])
    var settings = try ModelSettings([
      "threshold": .number(0.25), "max-objects": .number(3), "max-labels": .number(4),
      "label-threshold": .number(1), "labels": .text(folder["birds.txt"]), "no-classify": .flag(true),
      "family": .text("yolo11"), "sessions": .number(2), "threads": .number(4), "normalize": .text("0,255"),
    ])
    settings.isPinned = true
    let models = try file.entries()
    #expect(models.map(\.name) == ["birds", "bird"])
    #expect(models.allSatisfy { $0.source == .file(folder["bird.tflite"]) })
    #expect(models.map(\.settings) == [settings, ModelSettings()])
    #expect(file.sources.map(\.name) == ["clip", "gate"])
    #expect(file.sources[0].source == VideoSource(folder["clip.mp4"]) && !file.sources[0].isAlways)
    let gate = file.sources[1]
    #expect(gate.source == VideoSource("rtsp://user:word@camera/1") && gate.isAlways)
    #expect(gate.settings.model == "birds" && gate.settings.threshold == 0.5 && gate.settings.every == 2)
    #expect(gate.settings.lines == [CountedShape(points: [0, 1, 2, 3])])
    #expect(gate.settings.zones == [CountedShape(points: [0, 0, 9, 0, 9, 9])])
    #expect(gate.settings.motion == .auto && gate.settings.motionMasks == [[0, 0, 9, 0, 9, 5]])
    #expect(file.sources[0].settings.motion == nil)
    #expect(gate.settings.masks == .polygon && file.sources[0].settings.masks == .rle)
    #expect(file.resolved("keys.json") == folder["keys.json"] && file.resolved("/etc/keys") == "/etc/keys")
  }

  @Test func `lines and zones have names, and zones labels and a dwell`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "serve.json",
      """
      {"sources": {"gate": {"source": "rtsp://camera/1", "lines": {"door": [0, 200, 640, 200]}, "zones": {
        "drive": {"points": [0, 0, 9, 0, 9, 9], "labels": ["cup"], "dwell": 15}, "lawn": [9, 9, 20, 9, 20, 20]}}}}
      """)
    let settings = try #require(try ServeFile(path).sources.first?.settings)
    #expect(settings.lines == [CountedShape(name: "door", points: [0, 200, 640, 200])])
    #expect(
      settings.zones == [
        CountedShape(name: "drive", points: [0, 0, 9, 0, 9, 9], labels: ["cup"]),
        CountedShape(name: "lawn", points: [9, 9, 20, 9, 20, 20]),
      ])
    #expect(settings.dwells == ["drive": 15])
    let counters = try settings.counters()
    #expect(counters.table.jsonLine.contains(#"[{"name": "door", "in": 0, "out": 0}]"#))
    let zones = try counters.events(threshold: 0.5).zones
    #expect(zones.map(\.dwell) == [15, nil] && zones.map(\.labels) == [["cup"], []])
  }

  @Test func `web hooks have types and sources, and a secret next to the file`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "serve.json",
      """
      {"webhooks": [
        {"url": "https://example.org/hook?key=1", "secret-file": "hook.secret", "types": ["start", "dwell"],
          "sources": ["gate"]},
        {"url": "http://127.0.0.1:9/"}]}
      """)
    let hooks = try ServeFile(path).webhooks
    #expect(hooks.map(\.url) == ["https://example.org/hook?key=1", "http://127.0.0.1:9/"])
    #expect(hooks.map(\.secretFile) == [folder["hook.secret"], nil])
    #expect(hooks.map(\.types) == [[.start, .dwell], []] && hooks.map(\.sources) == [["gate"], []])
    #expect(try ServeFile(folder.write("none.json", #"{"webhooks": []}"#)).webhooks.isEmpty)
  }

  @Test func `a model has a task, and a family of maps`() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.tflite", "")
    let path = try folder.write(
      "serve.json",
      """
      {"models": {"a": {"model": "x.tflite", "task": "embed"}, "b": {"model": "x.tflite", "family": "selfie"},
        "c": {"model": "x.tflite", "family": "map", "task": "segment"}}}
      """)
    let settings = try ServeFile(path).entries().map(\.settings)
    #expect(settings.map(\.task) == [.embed, nil, .segment])
    #expect(settings.map(\.options.mapFamily) == [nil, MapFamily.mask, MapFamily.map])
    #expect(settings.map { $0.options.given } == [[], ["family"], ["family"]])
  }

  /// Models of a command line, and the names and aliases that result with the file's `birds` and `7`.
  @Test(
    arguments: [
      ([], ["birds 7"]),
      (["4567=birds"], ["birds 4567 7"]),
      (["4567=birds", "my-project/3=birds"], ["birds 4567 my-project/3 7"]),
      (["4567=fish", "fish=detector"], ["fish 4567", "birds 7"]),
      // A model of the command line replaces the file's, with its aliases.
      (["birds=classifier", "4567=birds"], ["birds 4567 7"]),
      (["7=detector"], ["7", "birds"]),
    ] as [([String], [String])])
  func `a model of the file gets an alias on the command line`(
    _ arguments: [String], _ expected: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(
      try folder.write("serve.json", #"{"models": {"birds": "detector", "7": "birds"}}"#))
    let given: [ModelEntry.Given] = arguments.map { argument in
      let (name, place) = ModelEntry.parts(argument)
      return (name, place, ModelSettings())
    }
    let entries = try file.entries(after: given)
    #expect(entries.map { ([$0.name] + $0.aliases).joined(separator: " ") } == expected)
  }

  @Test(arguments: [
    ("4567=7", "'4567' is an alias of '7', which is itself an alias"), ("4567=fish", "'fish'"),
  ])
  func `an alias of nothing, or of an alias, is an error`(_ argument: String, _ part: String) throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(
      try folder.write("serve.json", #"{"models": {"birds": "detector", "7": "birds"}}"#))
    let (name, place) = ModelEntry.parts(argument)
    let error = #expect(throws: FoveaError.self) {
      try file.entries(after: [(name, place, ModelSettings())])
    }
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
  }

  /// Names with a slash, and the route that they would hide behind; nil for a name that clients can use.
  @Test(
    arguments: [
      ("my-project/3=detector", nil), ("my-project/3=birds", nil), ("vision/v1=detector", nil),
      ("v1/detect=detector", "v1"), ("v1/detect=birds", "v1"), ("v2/models=detector", "v2"),
      ("infer/object_detection=detector", "infer"), ("model/add=detector", "model"),
      ("assets/page.js=birds", "assets"), ("metrics/1=detector", "metrics"), ("livez/1=birds", "livez"),
      ("readyz/1=birds", "readyz"), ("health/1=birds", "health"), ("info/1=birds", "info"),
      ("openapi.json/1=birds", "openapi.json"), ("image/1=birds", "image"), ("detect/1=birds", "detect"),
      ("detectors/1=birds", "detectors"), ("Metrics/1=birds", nil), ("metric/1=birds", nil),
      ("console/1=birds", nil), ("my-metrics/1=birds", nil), ("1/metrics=birds", nil),
    ] as [(String, String?)])
  func `a model has no name whose address is a route of the server`(
    _ argument: String, _ route: String?
  ) throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(try folder.write("serve.json", #"{"models": {"birds": "detector"}}"#))
    let (name, place) = ModelEntry.parts(argument)
    func entries() throws -> [ModelEntry] { try file.entries(after: [(name, place, ModelSettings())]) }
    guard let route else {
      #expect(try entries().contains { $0.isCalled(name) })
      return
    }
    let error = #expect(throws: FoveaError.self) { try entries() }
    #expect(
      error?.message
        == "'\(name)' cannot be a model's name: addresses that begin with /\(route)/ are routes of the server"
    )
    #expect(error?.remedy.description == "Write another word before the '/', as in my-\(argument)")
  }

  /// Models of a command line next to the file's `birds` and `7`, the error, and the remedy.
  @Test(
    arguments: [
      (
        ["b=birds"],
        "'b' cannot be a second name of the model 'birds': second names are numbers, or contain '/'",
        "Write a number, such as 1=birds, or the model's file: b=detector"
      ),
      (
        ["fish=classifier", "b=fish"],
        "'b' cannot be a second name of the model 'fish': second names are numbers, or contain '/'",
        "Write a number, such as 1=fish, or the model's file: b=classifier"
      ),
      (
        ["birds"],
        "There is no file 'birds'; the configuration 'serve.json' already serves its model of that name",
        "Omit it, or write the file that replaces the model: birds=FILE"
      ),
      (
        ["birds=birds"],
        "There is no file 'birds'; the configuration 'serve.json' already serves its model of that name",
        "Omit it, or write the file that replaces the model: birds=FILE"
      ),
      (["b=fish"], "There is no file and no model named 'fish'", nil),
      (["fish=fish"], "There is no file and no model named 'fish'", nil),
    ] as [([String], String, String?)])
  func `a model that only names one of the file is an error with the text to write`(
    _ arguments: [String], _ message: String, _ remedy: String?
  ) throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(
      try folder.write("serve.json", #"{"models": {"birds": "detector", "7": "birds"}}"#))
    let given: [ModelEntry.Given] = arguments.map { argument in
      let (name, place) = ModelEntry.parts(argument)
      return (name, place, ModelSettings())
    }
    let error = #expect(throws: FoveaError.self) { try file.entries(after: given) }
    #expect(error?.message.replacing(folder.path + "/", with: "") == message)
    if let remedy {
      #expect(error?.remedy.description == remedy)
      #expect(error?.code.rawValue == "option-invalid")
    }
  }

  @Test func `a model of the file that only names another one is an error with the text to write`() throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(
      try folder.write("serve.json", #"{"models": {"birds": "detector", "b": {"model": "birds"}}}"#))
    let error = #expect(throws: FoveaError.self) { try file.entries() }
    #expect(
      error?.message
        == "'b' cannot be a second name of the model 'birds': second names are numbers, or contain '/'")
    #expect(
      error?.remedy.description
        == "Write a number, such as 1=birds, or the model's file: b=detector")
  }

  @Test func `names come from the given host, and files from the file's folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("bird.tflite", "")
    let path = try folder.write(
      "serve.json",
      #"{"models": {"a": "bird.tflite", "b": "bird", "c": {"model": "fish", "pinned": true}, "d": "detector"}}"#
    )
    let host = try ModelEntry.host("https://models.example/{name}/model.tflite")
    let models = try ServeFile(path).entries(host: host)
    #expect(
      models.map(\.source) == [
        .file(folder["bird.tflite"]), .hosted("bird", on: host), .hosted("fish", on: host),
        .embedded(.detector),
      ])
    #expect(models.map(\.settings.isPinned) == [false, false, true, false])
    for (argument, name) in [("bird", "bird"), ("x=bird", "x")] {
      let entry = try ModelEntry(argument, host: host)
      #expect(
        entry.name == name && entry.source == .hosted("bird", on: host) && entry.place == "host: bird")
    }
    #expect(throws: FoveaError.self) { try ModelEntry.host("https://#") }
    #expect(try ModelEntry.host(nil) == nil)
  }

  @Test func `models given as text are a folder, and an empty object is a file without options`() throws {
    let folder = try TemporaryFolder()
    let file = try ServeFile(try folder.write("a.json", #"{"models": "all"}"#))
    #expect(file.options == [.init(name: "models", value: .text("all"))])
    #expect(try file.entries().isEmpty)
    #expect(try ServeFile(try folder.write("b.json", "{}")).options.isEmpty)
  }

  @Test(arguments: [
    ("", "is not JSON"), ("[]", "an object of options"), ("{", "is not JSON"), ("{} x", "is not JSON"),
    (#"{"slots": 1, "slots": 2}"#, "'slots' is given twice"),
    (
      #"{"slots": null}"#,
      "'slots' is null at line 1, column 11, byte 10; omit it for its default, or give it a value"
    ),
    (#"{"allowed-host": [1]}"#, "is not a string"),
    (#"{"models": [1]}"#, "expected 'models' as an object, or the name of a folder, got an array"),
    (
      #"{"modles": {}}"#,
      "the file has no member 'modles' at line 1, column 12, byte 11; did you mean 'models'?"
    ),
    (#"{"models": {"a": 1}}"#, "the model 'a' is not a string"),
    (#"{"models": {"a/b/c": "x.tflite"}}"#, "'a/b/c' cannot be a model's name"),
    (#"{"models": {"a": {}}}"#, "; it names the file"),
    (#"{"models": {"a": {"model": "x", "treshold": 1}}}"#, "did you mean 'threshold'?"),
    (#"{"models": {"a": {"model": "x", "threshold": 1.5}}}"#, "'threshold' of the model 'a' is '1.5' at"),
    (#"{"models": {"a": {"model": "x", "max-objects": 0}}}"#, "use 1 or more, or remove the option"),
    (
      #"{"models": {"a": {"model": "x", "activation": "sofmax"}}}"#,
      "'activation' of the model 'a' is 'sofmax' at line 1, column 55, byte 54; use one of none, sigmoid, softmax"
    ),
    (#"{"models": {"a": {"model": "x", "background": "last"}}}"#, "; use one of first, none"),
    (#"{"models": {"a": {"model": "x", "sessions": 0}}}"#, "'sessions' of the model 'a' is '0' at"),
    (#"{"models": {"a": {"model": "x", "sessions": 1025}}}"#, "; use 1 to 1024, about one per core"),
    (#"{"models": {"a": {"model": "x", "threads": 0}}}"#, "; use 1 to 256, at most one per core"),
    (
      #"{"models": {"a": {"model": "x", "activation": 3}}}"#,
      "'activation' of the model 'a' is not a string at line 1, column 48, byte 47; use one of none, sigmoid, softmax"
    ),
    (#"{"models": {"a": {"model": "x", "normalize": [0, 0]}}}"#, "a deviation above 0"),
    (
      #"{"models": {"a": {"model": "x", "family": "yolo"}}}"#,
      "'family' of the model 'a' is 'yolo' at line 1, column 49, byte 48; the families are ssd-postprocess"
    ),
    (
      #"{"models": {"a": {"model": "x", "task": "embedd"}}}"#,
      "'task' is 'embedd' at line 1, column 49, byte 48; it must be one of detect, label, segment, embed"
    ),
    (
      #"{"models": {"a": {"model": "x", "family": "mask", "task": "label"}}}"#,
      "'task' of the model 'a' is 'label', but 'family' is one of segmentation models"
    ),
    (#"{"models": {"a": {"model": "x", "normalize": [0]}}}"#, "three of each"),
    (
      #"{"models": {"a": {"model": "x", "pinned": "yes"}}}"#,
      "'pinned' of the model 'a' is neither true nor false"
    ),
    // No number is a flag, as for the options of the command line.
    (
      #"{"models": {"a": {"model": "x", "pinned": 0}}}"#,
      "'pinned' of the model 'a' is neither true nor false"
    ),
    (
      #"{"models": {"a": {"model": "x", "pinned": 1}}}"#,
      "'pinned' of the model 'a' is neither true nor false"
    ),
    (#"{"models": {"a": {"model": "x", "slice": 1}}}"#, "'slice' of the model 'a' is neither true nor false"),
    (
      #"{"models": {"a": {"model": "x", "slice": "true"}}}"#,
      "'slice' of the model 'a' is neither true nor false"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "always": 1}}}"#,
      "'always' of the source 'g' is neither true nor false"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "always": null}}}"#,
      "'always' of the source 'g' is neither true nor false"
    ),
    (#"{"slots": {"a": 1}}"#, "byte 10; only 'models', 'mqtt' and 'sources' are objects"),
    (#"{"mqtt": {"snapshots": "yes"}}"#, "'snapshots' of 'mqtt' is neither true nor false"),
    (#"{"mqtt": {"url": 1}}"#, "'url' of 'mqtt' is not a string"),
    (#"{"mqtt": {"url": "mqtt://a", "passwordfile": "x"}}"#, "password-file"),
    (#"{"sources": {"g": {"lines": []}}}"#, "; it names the address"),
    (
      #"{"sources": {"g": {"source": "a.mp4", "allow": ["cup", ""]}}}"#,
      "'allow' has an empty label at line 1"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "every": 0}}}"#,
      "the source 'g' at line 1, column 50, byte 49: 'every' is 0; it must be 1…1000"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "every": 1001}}}"#,
      "the source 'g' at line 1, column 53, byte 52: 'every' is 1001; it must be 1…1000"
    ),
    (#"{"sources": {"g": {"source": "a.mp4", "masks": "png"}}}"#, "'masks' is 'png'"),
    (#"{"sources": {"g": {"source": "a.mp4", "motion": "on"}}}"#, "it must be one of auto, off"),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a": {"points": [0, 0, 9, 0, 9, 9], "labels": [""]}}}}}"#,
      "'labels' has an empty label"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "lines": {"a": {"points": [0, 0, 9, 0], "labels": ["cup"]}}}}}"#,
      "'a' of 'lines' has no member 'labels'"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "deny": ["cup"], "#
        + #""zones": {"a": {"points": [0, 0, 9, 0, 9, 9], "labels": ["cup"]}}}}}"#,
      "'labels' has 'cup', which the source does not look for"
    ),
    (#"{"sources": {"g": {"source": "a.mp4", "blur": "face"}}}"#, "a list for 'blur'"),
    (
      #"{"sources": {"g": {"source": "a.mp4", "blur": ["face"], "every": 2}}}"#,
      "'blur' needs the detector on each frame, but 'every' is 2"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "blur": ["face"], "motion": "auto"}}}"#,
      "'blur' needs the detector on each frame, but 'motion' is 'auto'"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "blur": ["face"], "allow": ["car"]}}}"#,
      "'blur' has 'face', which the source does not look for"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "blur": ["car", "face"], "deny": ["face"]}}}"#,
      "'blur' has 'face', which the source does not look for"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "motion-masks": [[0, 0, 9, 0, 9]]}}}"#,
      "'motion-masks' must each have three or more points"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "motion-masks": [[0, 0, 9, 9, 9, 0, 0, 9]]}}}"#,
      "Motion mask 1: The zone crosses itself"
    ),
    (#"{"sources": {"g": {"source": "a.mp4", "lines": [[1, 2, 3]]}}}"#, "the four numbers"),
    (
      #"{"sources": {"g": {"source": "a.mp4", "lines": [[1, 1, 1, 1]]}}}"#,
      ": The line"
    ),
    (
      #"{"sources": {"f": "b.mp4", "g": {"source": "a.mp4", "zones": [[1, 2, 3, 4, 5, 6]]}}}"#,
      "the source 'g' at line 1, column 83, byte 82: The zone"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a/b": [0, 0, 9, 0, 9, 9]}}}}"#,
      "The name 'a/b' of a zone is not 1 to 64 letters"
    ),
    (#"{"sources": {"g": {"source": "a.mp4", "zones": {"a": {}}}}}"#, "'zones' must each have three or more"),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a": 5}}}}"#,
      "'a' of 'zones' is not a list of numbers"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a": {"points": "x"}}}}}"#,
      "; write it as [x1, y1, x2, y2, x3, y3]"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "lines": {"a": {"points": "x"}}}}}"#,
      "; write it as [x1, y1, x2, y2]"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a": [], "a": []}}}}"#, "'a' is given twice"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "zones": {"a": {"points": [0, 0, 9, 0, 9, 9], "dwell": 0}}}}}"#,
      "The dwell of zone 'a' is 0 seconds"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "lines": {"a": {"points": [0, 0, 9, 9], "dwell": 5}}}}}"#,
      "'a' of 'lines' has no member 'dwell'"
    ),
    (
      #"{"sources": {"g": {"source": "a.mp4", "allow": ["cup\#(String(repeating: ",cup", count: 10_000))"]}}}"#,
      "'allow' has more than 10,000 parts between commas"
    ),
    (#"{"sources": {"g": {"source": "a.mp4", "speed": 1}}}"#, "the source 'g' has no member 'speed'"),
    (#"{"sources": {"a b": "a.mp4"}}"#, "A source has no name"),
    (#"{"webhooks": {}}"#, "a list"), (#"{"webhooks": "https://h/1"}"#, "a list"),
    (#"{"webhooks": ["https://h/1"]}"#, "a web hook as an object"),
    (#"{"webhooks": [{}]}"#, "a web hook has no 'url'"),
    (#"{"webhooks": [{"url": 1}]}"#, "'url' of a web hook is not a string"),
    (#"{"webhooks": [{"url": "h/1"}]}"#, "A web hook is not an address with https:// or http://"),
    (
      #"{"webhooks": [{"url": "https://h/1", "types": ["end", "ended"]}]}"#,
      "'types' is 'ended' at line 1, column 62, byte 61; it must be one of start, entered, left"
    ),
    (#"{"webhooks": [{"url": "https://h/1", "types": "end"}]}"#, "a list"),
    (#"{"webhooks": [{"url": "https://h/1", "sources": [1]}]}"#, "a source of a web hook is not a string"),
    (
      #"{"webhooks": [{"url": "https://h/1", "secret": "s"}]}"#,
      "a web hook has no member 'secret'"
    ),
  ])
  func `an invalid value is rejected by name`(_ text: String, _ part: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", text)
    do throws(FoveaError) {
      _ = try ServeFile(path)
      Issue.record("it was accepted")
    } catch {
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `a wrong word is an error that lists the right ones`() throws {
    let folder = try TemporaryFolder()
    for (masks, remedy) in [
      (#""bogus""#, "Use one of rle, polygon, none"),
      ("]", "Correct the file at that place"),
    ] {
      let path = try folder.write(
        "serve.json", #"{"sources": {"g": {"source": "a.mp4", "masks": \#(masks)}}}"#)
      let error = #expect(throws: FoveaError.self) { try ServeFile(path) }
      #expect(error?.remedy.description == remedy)
    }
  }

  @Test func `a pipe is an error with a remedy`() throws {
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder["pipe"], 0o600) == 0)
    #expect {
      try ServeFile(folder["pipe"])
    } throws: { error in
      guard let error = error as? FoveaError else { return false }
      return error.message.hasSuffix("is a pipe or a device, which can be read only once")
        && error.remedy.description.hasPrefix("Write it to a file")
    }
  }

  @Test func `a missing file is an error of the configuration`() {
    #expect(throws: FoveaError.self) { try ServeFile("/nowhere/serve.json") }
    do { _ = try ServeFile("/nowhere/serve.json") } catch {
      #expect(error.code.rawValue == "config-invalid")
    }
  }

  @Test(arguments: [true, false])
  func `the summary names models and sources, and no address`(isSecure: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "serve.json", #"{"models": {"m": "x.tflite"}, "sources": {"gate": "rtsp://user:word@camera/1"}}"#)
    try folder.write("x.tflite", "")
    let file = try ServeFile(path)
    var options = InferenceOptions()
    options.sources = file.sources
    options.webhooks = [try Webhook("https://user:word@example.org/word?key=word")]
    var broker = MQTTSettings()
    broker.url = "mqtt://user:word@broker"
    options.mqtt = try MQTTOptions(broker)
    let text = options.summary(of: try file.entries(), isSecure: isSecure)
    #expect(text.hasPrefix(#"{"listen": "127.0.0.1:8080", "tls": \#(isSecure), "slots": 1, "#))
    #expect(
      text.contains(#""models": [{"name": "m", "place": "\#(folder["x.tflite"])", "pinned": false}]"#))
    #expect(text.contains("\"sources\": [\"gate\"], \"webhooks\": [\"webhook-example.org-"))
    #expect(text.hasSuffix("\"mqtt\": \"broker:1883\"}\n"))
    #expect(!text.contains("word") && !text.contains("user"))
  }
}
#endif
