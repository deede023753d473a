// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaHTTP
import FoveaHost
import Testing

@testable import FoveaServerCLI

/// A command line, and its meaning or its error.
struct ArgumentsCase: Sendable, CustomTestStringConvertible {
  let arguments: String
  /// Nil if the command line is right.
  var problem: String?

  var testDescription: String { arguments }
}

@Suite struct ArgumentsTests {
  @Test(arguments: [
    ArgumentsCase(arguments: "init d --project my-project"),
    ArgumentsCase(arguments: "init d --project p --url http://h:1 --bucket b --api-key k --json"),
    ArgumentsCase(arguments: "init d", problem: "Missing expected argument '--project <id>'"),
    ArgumentsCase(arguments: "init --project p", problem: "Missing expected argument '<dir>'"),
    ArgumentsCase(arguments: "serve d"),
    ArgumentsCase(
      arguments:
        "serve d --listen [::1]:0 --url-lifetime 3 --drain 25s --max-upload 4GiB --access-log none --json"),
    ArgumentsCase(arguments: "serve d --listen 0.0.0.0:80 --behind-proxy"),
    ArgumentsCase(arguments: "serve d --listen 0.0.0.0:80 --tls-cert c --tls-key k"),
    ArgumentsCase(
      arguments: "serve d --listen 0.0.0.0:80",
      problem: "0.0.0.0 is reachable from other machines: give --tls-cert and --tls-key, or --behind-proxy."),
    ArgumentsCase(arguments: "serve d --listen 0.0.0.0:80 --tls-self-signed"),
    ArgumentsCase(
      arguments: "serve d --tls-self-signed --tls-cert c --tls-key k",
      problem: "--tls-self-signed replaces --tls-cert and --tls-key: give it, or both of them."
    ),
    ArgumentsCase(
      arguments: "serve d --tls-self-signed --tls-cert c",
      problem: "--tls-self-signed replaces --tls-cert and --tls-key: give it, or both of them."
    ),
    ArgumentsCase(
      arguments: "serve d --tls-self-signed --tls-key k",
      problem: "--tls-self-signed replaces --tls-cert and --tls-key: give it, or both of them."
    ),
    ArgumentsCase(
      arguments: "serve d --tls-cert c",
      problem: "--tls-cert is given without --tls-key: give both."),
    ArgumentsCase(
      arguments: "serve d --tls-certificate c --tls-key k",
      problem: "--tls-key is given without --tls-cert: give both."),
    ArgumentsCase(
      arguments: "serve d --drain never",
      problem: "The value 'never' is invalid for '--drain <time>': Give a time above 0, such as 1ms, 25s"),
    ArgumentsCase(
      arguments: "serve d --drain -1s",
      problem: "The value '-1s' is invalid for '--drain <time>': Give a time above 0, such as 1ms, 25s"),
    ArgumentsCase(
      arguments: "serve d --drain-delay -1s",
      problem: "The value '-1s' is invalid for '--drain-delay <time>': Give a time such as 0s, 500ms, 5s"),
    ArgumentsCase(
      arguments: "serve d --drain 0s",
      problem:
        "The value '0s' is invalid for '--drain <time>': Give a time above 0, such as 1ms, 25s, 10m, 1h or 7d; the number may be up to 10000000."
    ),
    ArgumentsCase(arguments: "serve d --drain 1ms --drain-delay 0s"),
    ArgumentsCase(arguments: "serve d --listen localhost:0 --max-upload 1TiB"),
    ArgumentsCase(
      arguments: "serve d --listen localhost",
      problem:
        "The value 'localhost' is invalid for '--listen <host:port>': Give a host and a port up to 65535, such as 127.0.0.1:8080."
    ),
    ArgumentsCase(
      arguments: "serve d --listen 127.0.0.1:99999",
      problem:
        "The value '127.0.0.1:99999' is invalid for '--listen <host:port>': Give a host and a port up to"),
    ArgumentsCase(
      arguments: "serve d --drain-delay soon",
      problem:
        "The value 'soon' is invalid for '--drain-delay <time>': Give a time such as 0s, 500ms, 5s or 10m; the number may be up to 10000000."
    ),
    ArgumentsCase(
      arguments: "serve d --url-lifetime 0",
      problem: "The value '0' is invalid for '--url-lifetime <time>': Give a time above 0"),
    ArgumentsCase(
      arguments: "serve d --max-upload 0",
      problem:
        "The value '0' is invalid for '--max-upload <bytes>': Give a number of bytes above 0, such as 500000, 500kB or 32MiB."
    ),
    ArgumentsCase(
      arguments: "serve d --blobs s3://b-c/d?endpoint=https://s3.example&region=r --blobs-credentials f"),
    ArgumentsCase(
      arguments: "serve d --blobs https://s3.example",
      problem:
        "The value 'https://s3.example' is invalid for '--blobs <address>': 'https://s3.example' does not start with s3://. Give s3://bucket/prefix?endpoint=https://s3.example&region=us-east-1."
    ),
    ArgumentsCase(
      arguments: "serve d --blobs-credentials f", problem: "--blobs-credentials is for --blobs: give both."),
    ArgumentsCase(arguments: "serve d --metadata postgres://user@db,standby/fovea?sslmode=verify-full"),
    ArgumentsCase(
      arguments: "serve d --metadata sqlite:host",
      problem:
        "The value 'sqlite:host' is invalid for '--metadata <address>': 'sqlite:host' does not start with postgres://. Give postgres://user@host/database."
    ),
    ArgumentsCase(arguments: "serve", problem: "Missing expected argument '<dir>'"),
    ArgumentsCase(arguments: "publish f --name n --channel beta --notes x --key k --json"),
    ArgumentsCase(arguments: "publish f", problem: "Missing expected argument '--name <name>'"),
    ArgumentsCase(arguments: "publish f --name n --compare-with stable --photos p --photos q --at-least 0"),
    ArgumentsCase(
      arguments: "publish f --name n --compare-with 3",
      problem: "Name photos or a folder of them: --photos <path>."),
    ArgumentsCase(
      arguments: "publish f --name n --compare-with stable --photos -",
      problem: "--photos reads files, not standard input."),
    ArgumentsCase(
      arguments: "publish f --name n --photos p",
      problem: "--photos and --at-least are for --compare-with: give it too."),
    ArgumentsCase(
      arguments: "publish f --name n --at-least 0.9",
      problem: "--photos and --at-least are for --compare-with: give it too."),
    ArgumentsCase(
      arguments: "publish f --name n --compare-with stable --photos p --at-least 1.1",
      problem: "--at-least must be between 0 and 1, got 1.1."),
    ArgumentsCase(
      arguments: "publish f --name n --compare-with stable --photos p --at-least -0.1",
      problem: "--at-least must be between 0 and 1, got -0.1."),
    ArgumentsCase(
      arguments: "publish f --name n --compare-with stable --photos p --at-least nan",
      problem: "--at-least must be between 0 and 1, got nan."),
    ArgumentsCase(arguments: "list --key k"),
    ArgumentsCase(arguments: "list x", problem: "Unexpected argument 'x'"),
    ArgumentsCase(arguments: "show n"),
    ArgumentsCase(arguments: "history n --limit 1000"),
    ArgumentsCase(arguments: "history n --limit 0", problem: "--limit must be between 1 and 1000, got 0."),
    ArgumentsCase(
      arguments: "history n --limit 1001", problem: "--limit must be between 1 and 1000, got 1001."),
    ArgumentsCase(arguments: "channel n stable 3"),
    ArgumentsCase(arguments: "channel n stable", problem: "Missing expected argument '<version>'"),
    ArgumentsCase(arguments: "channel n stable x", problem: "The value 'x' is invalid for '<version>'"),
    ArgumentsCase(arguments: "rollout n 4 --percent 0"),
    ArgumentsCase(arguments: "rollout n 4 --percent 100"),
    ArgumentsCase(arguments: "rollout n --halt"),
    ArgumentsCase(arguments: "rollout n --finish"),
    ArgumentsCase(
      arguments: "rollout n", problem: "Give a version with --percent, or --halt, or --finish."),
    ArgumentsCase(
      arguments: "rollout n 4", problem: "Give a version with --percent, or --halt, or --finish."),
    ArgumentsCase(
      arguments: "rollout n --percent 4", problem: "Give a version with --percent, or --halt, or --finish."),
    ArgumentsCase(
      arguments: "rollout n --halt --finish",
      problem: "Give a version with --percent, or --halt, or --finish."),
    ArgumentsCase(
      arguments: "rollout n 4 --halt", problem: "Give a version with --percent, or --halt, or --finish."),
    ArgumentsCase(
      arguments: "rollout n 4 --percent 100.1", problem: "--percent must be between 0 and 100, got 100.1."),
    ArgumentsCase(
      arguments: "rollout n 4 --percent=-1", problem: "--percent must be between 0 and 100, got -1."),
    ArgumentsCase(
      arguments: "rollout n 4 --percent nan", problem: "--percent must be between 0 and 100, got nan."),
    ArgumentsCase(
      arguments: "rollout n 4 --percent 0x10",
      problem: "The value '0x10' is invalid for '--percent <p>': Give a decimal number, such as 10 or 0.5."),
    ArgumentsCase(arguments: "rollout n 4 --percent 1e1"),
    ArgumentsCase(arguments: "rollback n"),
    ArgumentsCase(arguments: "rollback n beta"),
    ArgumentsCase(arguments: "withdraw n 3"),
    ArgumentsCase(arguments: "withdraw n", problem: "Missing expected argument '<version>'"),
    ArgumentsCase(arguments: "key add admin"),
    ArgumentsCase(arguments: "key add publisher --expires 2027-06-15 --universe modelhost.local"),
    ArgumentsCase(arguments: "key add viewer --expires 2027-06-15T12:00:00Z"),
    ArgumentsCase(arguments: "key add app"),
    ArgumentsCase(arguments: "key add app --output app.key"),
    ArgumentsCase(arguments: "key add app --output", problem: "Missing value for '--output <file>'"),
    ArgumentsCase(arguments: "key add owner", problem: "The value 'owner' is invalid for '<role>'"),
    ArgumentsCase(arguments: "key add app --universe x", problem: "--universe is not for apps."),
    ArgumentsCase(
      arguments: "key add viewer --universe https://evil.example/a",
      problem: "--universe takes a domain name such as my.domain, got 'https://evil.example/a'."),
    ArgumentsCase(
      arguments: "key add viewer --universe a..b",
      problem: "--universe takes a domain name such as my.domain, got 'a..b'."),
    ArgumentsCase(
      arguments: "experiment start e --metric m --variants a:1,b:1 --share 0.5 --holdout 100"),
    ArgumentsCase(
      arguments: "experiment start e --metric m --variants a:1,b:1 --share nan",
      problem: "--share must be between 0 and 100, got nan."),
    ArgumentsCase(
      arguments: "experiment start e --metric m --variants a:1,b:1 --holdout nan",
      problem: "--holdout must be between 0 and 100, got nan."),
    ArgumentsCase(
      arguments: "experiment start e --metric m --variants a:1,b:1 --holdout inf",
      problem: "--holdout must be between 0 and 100, got inf."),
    ArgumentsCase(arguments: "experiment plan --baseline 0.1 --lift 0.1 --units-per-day 2000"),
    ArgumentsCase(
      arguments: "experiment plan --baseline 0.1 --lift 0.1 --units-per-day nan",
      problem: "--units-per-day must be between 1 and 1000000000, got nan."),
    ArgumentsCase(
      arguments: "experiment plan --baseline 0.1 --lift 0.1 --units-per-day 1e-300",
      problem: "--units-per-day must be between 1 and 1000000000, got 1e-300."),
    ArgumentsCase(
      arguments: "key add admin --expires tomorrow",
      problem: "The value 'tomorrow' is invalid for '--expires <date>'"),
    ArgumentsCase(
      arguments: "key add admin --expires 2027-02-30",
      problem: "The value '2027-02-30' is invalid for '--expires <date>'"),
    ArgumentsCase(arguments: "key add admin --folder d --name spare --output k.json"),
    ArgumentsCase(
      arguments: "key add admin --folder d --key k",
      problem: "--folder is for a stopped host, --key for a running one: give only one."),
    ArgumentsCase(arguments: "key rotate"),
    ArgumentsCase(arguments: "key rotate --folder d --json"),
    ArgumentsCase(
      arguments: "key rotate --folder d --key k",
      problem: "--folder is for a stopped host, --key for a running one: give only one."),
    ArgumentsCase(arguments: "serve d --allow-origin https://a.example --allow-origin http://b.example:81"),
    ArgumentsCase(
      arguments: "serve d --allow-origin *",
      problem: "--allow-origin takes a scheme, a host and a port, such as https://app.example, got '*'."),
    ArgumentsCase(arguments: "key list --json"),
    ArgumentsCase(arguments: "key revoke 0123"),
    ArgumentsCase(arguments: "key revoke", problem: "Missing expected argument '<id>'"),
    ArgumentsCase(arguments: "import f --key k"),
    ArgumentsCase(arguments: "export c --folder d"),
    ArgumentsCase(
      arguments:
        "copy --from a --to b --metadata postgres://db/x --blobs s3://b-c?endpoint=https://s3.example "
        + "--blobs-credentials f --from-credentials g --json"),
    ArgumentsCase(arguments: "copy --from a", problem: "Missing expected argument '--to <dir>'"),
    ArgumentsCase(
      arguments: "copy --from a --to postgres://db/x",
      problem: "--to is the folder for the host's keys: give this address in --metadata."),
    ArgumentsCase(
      arguments: "copy --from a --to s3://b-c?endpoint=https://s3.example",
      problem: "--to is the folder for the host's keys: give this address in --blobs."),
    ArgumentsCase(
      arguments: "copy --from a --to b --blobs-credentials f",
      problem: "--blobs-credentials is for --blobs: give both."),
    ArgumentsCase(arguments: "backup c --folder d"),
    ArgumentsCase(
      arguments: "backup c --folder d --files --blobs s3://b-c?endpoint=https://s3.example "
        + "--blobs-credentials f --metadata postgres://db/x"),
    ArgumentsCase(
      arguments: "backup c --blobs-credentials f",
      problem: "--blobs and --blobs-credentials are for --files: give it, too."),
    ArgumentsCase(arguments: "restore c d"),
    ArgumentsCase(
      arguments: "restore c d --metadata postgres://db/x --blobs s3://b-c?endpoint=https://s3.example"),
    ArgumentsCase(
      arguments: "restore c d --blobs-credentials f",
      problem: "--blobs-credentials is for --blobs: give both."),
    ArgumentsCase(arguments: "restore c", problem: "Missing expected argument '<dir>'"),
    ArgumentsCase(arguments: "migrate d --dry-run --metadata postgres://db/x --json"),
    ArgumentsCase(arguments: "migrate", problem: "Missing expected argument '<dir>'"),
    ArgumentsCase(arguments: "fsck d --repair --json"),
    ArgumentsCase(
      arguments: "fsck d --metadata postgres://db/x --blobs s3://b-c?endpoint=https://s3.example"),
    ArgumentsCase(arguments: "fsck d --blobs-credentials f"),
    ArgumentsCase(arguments: "export c --folder d --blobs-credentials f"),
  ])
  func `a command line is right, or the reason is printed`(_ test: ArgumentsCase) {
    let words = ["host"] + test.arguments.split(separator: " ").map(String.init)
    do {
      _ = try FoveaServerCommand.parseAsRoot(words)
      #expect(test.problem == nil)
    } catch {
      let message = FoveaServerCommand.message(for: error)
      #expect(test.problem.map { message.hasPrefix($0) } == true, "\(message)")
    }
  }

  @Test func `the defaults match the documentation`() throws {
    let serve = try #require(try FoveaServerCommand.parseAsRoot(["host", "serve", "d"]) as? HostServeCommand)
    #expect(serve.options.server.host == "127.0.0.1")
    #expect(serve.options.server.port == 8_080)
    #expect(serve.options.server.drain == 25)
    #expect(serve.options.urlLifetime == 600)
    #expect(serve.options.maximumUpload == 4 << 30)
    let publish = try #require(
      try FoveaServerCommand.parseAsRoot(["host", "publish", "f", "--name", "n"]) as? PublishCommand)
    #expect(publish.channel == "stable")
    #expect(publish.comparison.arguments == ["--quiet", "--published", "--at-least=0.9"])
    #expect(publish.client.keyFile(nil) == "keys/admin.json")
  }

  @Test(
    arguments: [
      ([], nil, "keys/admin.json"), ([], "e.json", "e.json"), (["--key", "k.json"], "e.json", "k.json"),
    ] as [([String], String?, String)])
  func `the key file is the given one, else the environment's`(
    _ options: [String], _ environment: String?, _ file: String
  ) throws {
    let list = try #require(
      try FoveaServerCommand.parseAsRoot(["host", "list"] + options) as? ListCommand)
    #expect(list.client.keyFile(environment) == file)
  }

  @Test(
    arguments: [
      (["4", "--percent", "12.5"], .share(version: 4, percent: 12.5)), (["--halt"], .halt),
      (["--finish"], .finish),
    ] as [([String], HostClient.RolloutChange)])
  func `a rollout is one of three actions`(_ arguments: [String], _ change: HostClient.RolloutChange) throws {
    let command = try #require(
      try FoveaServerCommand.parseAsRoot(["host", "rollout", "n"] + arguments) as? RolloutCommand)
    #expect(try command.change() == change)
  }

  @Test(
    arguments: [
      ([], "keys.json"), (["--file", "x.json"], "x.json"), (["--keys", "x.json"], "x.json"),
    ] as [([String], String)])
  func `a server's keys are in the file that either option names`(_ options: [String], _ file: String)
    throws
  {
    let add = try #require(
      try InferenceCommand.parseAsRoot(["key", "add", "a"] + options) as? InferenceKeyAddCommand)
    #expect(try add.file.path(add.server) == file)
    let revoke = try #require(
      try InferenceCommand.parseAsRoot(["key", "revoke", "a"] + options) as? InferenceKeyRevokeCommand)
    #expect(try revoke.file.path(revoke.server) == file)
    let list = try #require(
      try InferenceCommand.parseAsRoot(["key", "list"] + options) as? InferenceKeyListCommand)
    #expect(try list.file.path(list.server) == file)
  }

  @Test(
    arguments: [
      (["--slots", "3"], "--slots"), (["--model", "a=b.tflite"], "--model"), (["--open"], "--open"),
      (["--listen", "127.0.0.1:9"], "--listen"),
      (["--keys", "k.json", "--tls-self-signed"], "--tls-self-signed"),
      (["--allow-origin", "https://a.example"], "--allow-origin"),
      (["--keys", "k.json", "--allow-origin", "https://a.example"], "--allow-origin"),
      (["--deadline", "3s"], "--deadline"), (["--trusted-proxy", "::1"], "--trusted-proxy"),
    ] as [([String], String)])
  func `an option of fovea serve that changes no keys is rejected by its commands for keys`(
    _ options: [String], _ name: String
  ) throws {
    let add = try #require(
      try InferenceCommand.parseAsRoot(["key", "add", "a"] + options) as? InferenceKeyAddCommand)
    let error = #expect(throws: ValidationError.self) { try add.file.path(add.server) }
    #expect(error?.message == "\(name) is an option of 'fovea serve', and does not change keys; omit it.")
  }

  @Test func `two files of keys are an error`() throws {
    let both = ["key", "revoke", "a", "--file", "x.json", "--keys", "y.json"]
    let command = try #require(try InferenceCommand.parseAsRoot(both) as? InferenceKeyRevokeCommand)
    #expect(throws: ValidationError.self) { try command.file.path(command.server) }
  }

  @Test func `an option of fovea serve is not inherited by its subcommands`() throws {
    let add = try #require(
      try InferenceCommand.parseAsRoot(["key", "add", "a", "--file", "x.json"]) as? InferenceKeyAddCommand)
    #expect(add.file.file == "x.json")
    let list = try #require(
      try InferenceCommand.parseAsRoot(["key", "list", "--file", "x.json"]) as? InferenceKeyListCommand)
    #expect(list.file.file == "x.json")
    let check = try #require(
      try InferenceCommand.parseAsRoot(["healthcheck", "--timeout", "7s", "--insecure"])
        as? InferenceHealthcheckCommand)
    #expect(check.question.timeout == Seconds(7) && check.question.insecure)
    try check.checkOptions()
  }

  @Test(
    arguments: [
      (["--max-body", "3", "healthcheck", "http://127.0.0.1:9"], "--max-body"),
      (["healthcheck", "--slots", "3"], "--slots"),
      (["healthcheck", "http://127.0.0.1:9", "--keys", "k.json", "--insecure"], "--keys"),
      (["--allow-origin", "https://a.example", "healthcheck"], "--allow-origin"),
    ] as [([String], String)])
  func `an option of fovea serve is rejected by its health check`(_ arguments: [String], _ name: String)
    throws
  {
    let check = try #require(try InferenceCommand.parseAsRoot(arguments) as? InferenceHealthcheckCommand)
    let error = #expect(throws: ValidationError.self) { try check.checkOptions() }
    #expect(
      error?.message
        == "\(name) is an option of 'fovea serve', and has no meaning for healthcheck; omit it.")
  }
}
#endif
