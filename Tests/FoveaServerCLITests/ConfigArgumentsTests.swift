// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Testing

@testable import FoveaServerCLI

@Suite struct ConfigArgumentsTests {
  private static func command(_ json: String, _ arguments: [String]) throws -> InferenceCommand {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", json)
    let all = try ConfigArguments.expanded(["serve", "--config", path] + arguments)
    return try #require(FoveaServerCommand.parseAsRoot(all) as? InferenceCommand)
  }

  @Test func `the options of a file come before those of the command line, which take precedence`() throws {
    let json =
      #"{"slots": 3, "deadline": "500ms", "formats": ["gif", "bmp"], "access-log": "all", "open": false}"#
    let alone = try Self.command(json, [])
    #expect(
      alone.slots == 3 && alone.deadline == Seconds(0.5) && "\(alone.place.accessLog)" == "all"
        && !alone.open)
    #expect(alone.formats != nil)
    let both = try Self.command(json, ["--slots", "1", "--deadline=2s"])
    #expect(both.slots == 1 && both.deadline == Seconds(2) && "\(both.place.accessLog)" == "all")
  }

  @Test func `the former name of an option is accepted, in the file and on the command line`() throws {
    func memory(_ json: String, _ arguments: [String]) throws -> Int {
      try Self.command(json, arguments).options().imageMemory
    }
    #expect(try memory("{}", []) == 512 << 20)
    #expect(try memory("{}", ["--picture-memory", "1MiB"]) == 1 << 20)
    #expect(try memory(#"{"picture-memory": "1MiB"}"#, []) == 1 << 20)
    #expect(try memory(#"{"picture-memory": "1MiB"}"#, ["--image-memory", "2MiB"]) == 2 << 20)
    #expect(try memory(#"{"image-memory": "1MiB"}"#, ["--picture-memory=2MiB"]) == 2 << 20)
  }

  @Test func `paths are relative to the file's folder`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", #"{"keys": "k.json", "models": "/srv/models"}"#)
    let all = try ConfigArguments.expanded(["serve", "--config=\(path)", "--listen", "0.0.0.0:1"])
    #expect(
      all == [
        "serve", "--keys=\(folder["k.json"])", "--models=/srv/models", "--config=\(path)", "--listen",
        "0.0.0.0:1",
      ])
  }

  @Test(arguments: [
    ("models", "FOLDER/models"), ("/srv/models", "/srv/models"),
    ("https://models.example/{name}", "https://models.example/{name}"), ("file:///srv", "file:///srv"),
  ])
  func `a model host is an address, or a folder relative to the file's`(_ text: String, _ host: String)
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", #"{"host": "\#(text)"}"#)
    let all = try ConfigArguments.expanded(["serve", "--config", path])
    #expect(all[1] == "--host=" + host.replacing("FOLDER/", with: folder[""]))
  }

  @Test func `arguments without a file, and those of other commands, stay unchanged`() throws {
    for arguments in [
      [], ["serve"], ["serve", "--", "--config", "x"], ["host", "serve", "--config", "x"],
    ] {
      #expect(try ConfigArguments.expanded(arguments) == arguments)
    }
  }

  @Test(arguments: [
    (#"{"slotz": 1}"#, "Did you mean 'slots'?"), (#"{"config": "x"}"#, ""),
    (#"{"slots": true}"#, "Write it as for --slots"),
    (#"{"open": "yes"}"#, "Write it as for --open"), (#"{"open": 1}"#, "Write it as for --open"),
    (#"{"listen": ["a"]}"#, "Write it as for --listen"),
    (#"{"host": "0.0.0.0"}"#, "Set 'listen' to the server's own address, such as 0.0.0.0:8080"),
    (#"{"host": "models.local:80"}"#, "such as models.local:80"),
  ])
  func `an unknown name or an invalid kind of value is an error`(_ json: String, _ remedy: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", json)
    #expect {
      try ConfigArguments.expanded(["serve", "--config", path])
    } throws: { error in
      guard let error = error as? FoveaError else { return false }
      return error.code.rawValue == "config-invalid" && error.remedy.description.contains(remedy)
    }
  }

  @Test func `the broker of the command line replaces only the address in the file`() throws {
    let folder = try TemporaryFolder()
    func broker(_ json: String, _ arguments: [String]) throws -> String? {
      let path = try folder.write("serve.json", json)
      let all = try ConfigArguments.expanded(["serve", "--config", path] + arguments)
      let command = try #require(FoveaServerCommand.parseAsRoot(all) as? InferenceCommand)
      var options = InferenceOptions()
      options.mqtt = try command.broker(of: ServeFile(path), for: [])
      let text = options.summary(of: [], isSecure: false)
      return text.firstRange(of: "\"mqtt\": ").map { String(text[$0.upperBound...].dropLast(2)) }
    }
    #expect(try broker("{}", []) == nil)
    #expect(try broker(#"{"mqtt": "mqtt://a"}"#, []) == "\"a:1883\"")
    #expect(try broker(#"{"mqtt": "mqtt://a"}"#, ["--mqtt", "mqtt://b"]) == "\"b:1883\"")
    #expect(try broker(#"{"mqtt": {"url": "mqtts://a"}}"#, ["--mqtt", "mqtt://b"]) == "\"b:1883\"")
    // The rest of the file still applies, and so needs TLS.
    #expect(throws: FoveaError.self) {
      try broker(#"{"mqtt": {"url": "mqtts://a", "ca": "ca.pem"}}"#, ["--mqtt", "mqtt://b"])
    }
    #expect(throws: FoveaError.self) { try broker(#"{"mqtt": {"node": "hall"}}"#, []) }
  }

  @Test func `an empty list of protocols enables none`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", #"{"protocols": [], "formats": [], "allowed-host": []}"#)
    let all = try ConfigArguments.expanded(["serve", "--config", path])
    #expect(all == ["serve", "--protocols=none", "--config", path])
  }

  @Test(arguments: [
    (#"{"slots": "x"}"#, [], "invalid option: The value 'x' is invalid for '--slots <n>'"),
    (#"{"slots": 1.5}"#, [], "for '--slots <n>': Give a whole number from 1 to 256"),
    (#"{"slots": 0}"#, [], "invalid option: --slots must be between 1 and 256, got 0"),
    (#"{"listen": "0.0.0.0:80"}"#, [], "invalid option: 0.0.0.0 is reachable from other machines"),
    (#"{"slots": "x"}"#, ["--nonsense"], nil), (#"{"slots": 2}"#, ["--slots", "x"], nil),
    (#"{"slots": 2}"#, ["--help"], nil), (#"{"slots": 2}"#, [], nil),
  ])
  func `an invalid option in the file is an error of the file`(
    _ json: String, _ arguments: [String], _ message: String?
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("serve.json", json)
    let given = ["serve", "--config", path] + arguments
    let expanded = try ConfigArguments.expanded(given)
    do throws(FoveaError) {
      try ConfigArguments.check(expanded, of: given)
      #expect(message == nil)
    } catch {
      #expect(error.code.rawValue == "config-invalid" && error.message.contains(path))
      #expect(message.map(error.message.contains) == true, "\(error.message)")
    }
  }

  /// Reads a file after it has replaced the one that a server runs with; `labels` are the texts of
  /// `labels.json` at these times.
  private static func read(
    _ before: String, then after: String, _ arguments: [String] = [],
    labels: (before: String, after: String) = ("{}", "{}")
  ) throws -> ReadConfiguration {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try folder.write("serve.json", before)
    for name in ["all/a.tflite", "others/b.tflite", "empty/notes.txt"] {
      try folder.write(name, "no model")
    }
    let given = ["serve", "--config", path] + arguments
    let command = try #require(
      FoveaServerCommand.parseAsRoot(ConfigArguments.checked(given)) as? InferenceCommand)
    try folder.write("labels.json", labels.before)
    var options = try command.options()
    options.sources = try command.sources(of: ServeFile(path))
    options.webhooks = try command.watching.webhooks(of: ServeFile(path))
    options.mqtt = try command.broker(of: ServeFile(path), for: options.sources)
    try folder.write("serve.json", after)
    try folder.write("labels.json", labels.after)
    return try command.readAgain(given, started: options)
  }

  @Test(arguments: [
    (#"{"sluts": 3}"#, "has 'sluts', which is not an option of 'fovea serve'"),
    (#"{"slots": 0}"#, "has an invalid option: --slots must be between 1 and 256, got 0"),
    (
      #"{"events": "e", "events-limit": "500kB"}"#,
      "has an invalid option: --events-limit must be at least 1MiB, got 500000 bytes"
    ),
    (#"{"slots": true}"#, "has 'slots', which is not a single text or number"),
    (#"{"open": 1}"#, "has 'open', which is not true or false"),
    (#"{"listen": "0.0.0.0:80"}"#, "has an invalid option: 0.0.0.0 is reachable from other machines"),
    (#"{"models": "#, "is invalid: "), (#"{"labels-map": "none.json"}"#, "none.json"),
    (#"{"keys": "none.json"}"#, "none.json"),
    (#"{"webhooks": [{"url": "https://h/1", "secret-file": "none"}]}"#, "none' cannot be read"),
    (#"{"webhooks": [{"url": "https://h/1", "sources": ["gate"]}]}"#, "There is no source 'gate'"),
  ])
  func `a file that would end a start is rejected while the server runs`(_ json: String, _ message: String)
    throws
  {
    #expect {
      try Self.read("{}", then: json)
    } throws: { error in
      (error as? FoveaError)?.message.contains(message) == true
    }
  }

  @Test(
    arguments: [
      (#"{"keys": "keys.json"}"#, ["--listen", "0.0.0.0:80"], "0.0.0.0 is reachable from other machines: "),
      (#"{"tls-key": "key.pem"}"#, ["--tls-cert", "a.pem"], "--tls-cert is given without --tls-key: "),
    ] as [(String, [String], String)])
  func `a file without an option that the arguments need is rejected while the server runs`(
    _ before: String, _ arguments: [String], _ reason: String
  ) throws {
    #expect {
      try Self.read(before, then: "{}", arguments)
    } throws: { error in
      guard let error = error as? FoveaError else { return false }
      return error.code.rawValue == "config-invalid"
        && error.message.contains("conflicts with the program's arguments: \(reason)")
    }
  }

  @Test(arguments: [
    (#"{"tls-cert": "none.pem", "tls-key": "none.key"}"#, "none.pem"),
    (#"{"tls-cert": "serve.json", "tls-key": "serve.json"}"#, "contains no certificate in PEM"),
  ])
  func `a certificate that would end a start is rejected while the server runs`(
    _ json: String, _ message: String
  ) throws {
    #expect {
      try Self.read("{}", then: json)
    } throws: { error in
      guard let error = error as? ServerError else { return false }
      return error.code == .certificate && error.message.contains(message)
    }
    // The files of the server's pair may have changed or gone.
    #expect {
      try Self.read(json, then: json)
    } throws: { error in
      (error as? ServerError)?.message.contains(message) == true
    }
  }

  @Test(
    arguments: [
      ("{}", #"{"models": "none"}"#, "none cannot be read"),
      (#"{"models": "none"}"#, #"{"models": "none"}"#, "none cannot be read"),
      ("{}", #"{"models": "empty"}"#, "empty has no models"),
      (#"{"models": "empty"}"#, #"{"models": "empty"}"#, "empty has no models"),
      (#"{"models": "all"}"#, #"{"models": {"a": "none.tflite"}}"#, "none.tflite"),
      (#"{"models": "all"}"#, #"{"models": {"a": "all/a.tflite"}}"#, "a.tflite"),
      (#"{"models": "all"}"#, #"{"keys": "none.json"}"#, "none.json"),
      (#"{"keys": "none.json"}"#, #"{"keys": "none.json"}"#, "none.json"),
    ] as [(String, String, String)])
  func `models and keys that would end the next start are rejected, whenever they apply`(
    _ before: String, _ after: String, _ message: String
  ) throws {
    #expect {
      try Self.read(before, then: after)
    } throws: { error in
      (error as? FoveaError)?.message.contains(message) == true
    }
  }

  @Test(
    arguments: [
      ("{}", "{}", [], []),
      (#"{"slots": 2, "deadline": "1s"}"#, #"{"deadline": "1s", "slots": 2}"#, [], []),
      (
        #"{"formats": ["gif", "bmp", "heic"], "protocols": "doods,vertex"}"#,
        #"{"formats": ["heic", "bmp", "gif"], "protocols": "vertex,doods"}"#, [], []
      ),
      (#"{"slots": 2}"#, #"{"slots": 3, "max-body": "1MB"}"#, [], ["max-body", "slots"]),
      (#"{"slots": 2}"#, #"{"slots": 3}"#, ["--slots", "1"], []),
      (#"{"listen": "127.0.0.1:80"}"#, "{}", [], ["listen"]),
      ("{}", #"{"sources": {"gate": "rtsp://h/1"}, "drain": "9s"}"#, [], ["drain", "sources"]),
      ("{}", #"{"sources": {"gate": "rtsp://h/1"}}"#, ["--source", "gate=rtsp://h/2"], []),
      (
        #"{"sources": {"gate": "rtsp://h/1"}}"#, #"{"sources": {"gate": "rtsp://h/1"}, "motion": "auto"}"#,
        [],
        ["motion", "sources"]
      ),
      (
        #"{"sources": {"gate": {"source": "rtsp://h/1", "motion": "off"}}}"#,
        #"{"sources": {"gate": {"source": "rtsp://h/1", "motion": "off"}}, "motion": "auto"}"#, [], ["motion"]
      ),
      (
        #"{"webhooks": [{"url": "https://h/1", "types": ["end", "start"]}]}"#,
        #"{"webhooks": [{"types": ["start", "end"], "url": "https://h/1"}]}"#, [], []
      ),
      ("{}", #"{"webhooks": [{"url": "https://h/1"}]}"#, [], ["webhooks"]),
      ("{}", #"{"models": {"a": "detector"}}"#, [], []),
      ("{}", #"{"mqtt": "mqtt://broker"}"#, [], ["mqtt"]),
      ("{}", #"{"mqtt": {"url": "mqtt://broker"}}"#, [], ["mqtt"]),
      (#"{"mqtt": {"url": "mqtt://a"}}"#, #"{"mqtt": {"url": "mqtt://b"}}"#, ["--mqtt", "mqtt://c"], []),
      ("{}", #"{"host": "https://models.example/{name}"}"#, [], []),
    ] as [(String, String, [String], [String])])
  func `changes that need a restart are named in order`(
    _ before: String, _ after: String, _ arguments: [String], _ names: [String]
  ) throws {
    #expect(try Self.read(before, then: after, arguments).needsRestart == names)
  }

  @Test(
    arguments: [
      ("{}", "{}", ["default"], []),
      ("{}", #"{"models": {"a": "detector"}}"#, ["a"], []),
      (#"{"models": {"a": "detector"}}"#, "{}", ["default"], []),
      (#"{"models": "all"}"#, #"{"models": "all", "slots": 3}"#, [], ["slots"]),
      ("{}", #"{"models": "all"}"#, nil, ["models"]),
      (#"{"models": {"a": "detector"}}"#, #"{"models": "all"}"#, nil, ["models"]),
      (#"{"models": "all"}"#, "{}", nil, ["models"]),
      (#"{"models": "all"}"#, #"{"models": {"a": "detector"}}"#, nil, ["models"]),
      (#"{"models": "all"}"#, #"{"models": "others"}"#, nil, ["models"]),
    ] as [(String, String, [String]?, [String])])
  func `the models stay unchanged while the file has another folder of them`(
    _ before: String, _ after: String, _ models: [String]?, _ names: [String]
  ) throws {
    let read = try Self.read(before, then: after)
    #expect(read.entries?.map(\.name) == models && read.needsRestart == names)
  }

  @Test(
    arguments: [
      (#"{"person": "human"}"#, []), (#"{ "person" : "human" }"#, []),
      (#"{"person": "someone"}"#, ["labels-map"]), ("{}", ["labels-map"]),
    ] as [(String, [String])])
  func `a changed map of labels applies from the next start on`(
    _ after: String, _ names: [String]
  ) throws {
    let json = #"{"labels-map": "labels.json"}"#
    let read = try Self.read(json, then: json, labels: (#"{"person": "human"}"#, after))
    #expect(read.needsRestart == names)
    // A new or missing map is named once.
    for (first, second) in [("{}", json), (json, "{}")] {
      #expect(try Self.read(first, then: second, labels: (after, after)).needsRestart == ["labels-map"])
    }
  }

  @Test func `an invalid value is the option's error`() throws {
    #expect(throws: (any Error).self) { try Self.command(#"{"slots": 0}"#, []) }
    #expect(throws: (any Error).self) { try Self.command(#"{"listen": "0.0.0.0:80"}"#, []) }
  }

  @Test func `a file can set each option except those about the file`() {
    let help = FoveaServerCommand.helpMessage(for: InferenceCommand.self, includeHidden: true, columns: 200)
    let options = help.split(separator: "\n").compactMap { line -> String? in
      guard let start = line.firstRange(of: "--")?.upperBound, line.hasPrefix("  -") else { return nil }
      return String(line[start...].prefix { $0.isLetter || $0 == "-" })
    }
    let others: Set = [
      "config", "check-config", "model", "source", "line", "zone", "dwell", "webhook", "webhook-secret",
      "help",
    ]
    #expect(Set(options).subtracting(others) == Set(ConfigArguments.kinds.keys))
  }
}
#endif
