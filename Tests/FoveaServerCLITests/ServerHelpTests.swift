// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Testing

@testable import FoveaServerCLI

@Suite struct ServerHelpTests {
  /// Each command, in the order of the help.
  static func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { all($0) }
  }

  @Test func `help fits one screen and starts with a sentence`() {
    let commands = Self.all(HostCommand.self)
    #expect(commands.count == 46)
    for command in commands {
      let lines = FoveaServerCommand.helpMessage(for: command, columns: 80).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 40, "\(command)")
      #expect(lines.first?.contains("fovea") == false, "\(command)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }

  @Test func `help with hidden options names --help-hidden`() {
    for command in Self.all(FoveaServerCommand.self) {
      let help = FoveaServerCommand.helpMessage(for: command, columns: 80)
      let all = FoveaServerCommand.helpMessage(for: command, includeHidden: true, columns: 80)
      #expect(help.contains("\n--help-hidden lists all options.") == (help != all), "\(command)")
    }
    let help = FoveaServerCommand.helpMessage(for: InferenceCommand.self, columns: 80)
    #expect(help.contains(" Events of cameras: --zone, --mqtt, --webhook.\n"))
  }

  @Test func `help lists no value with an empty description`() {
    for command in Self.all(HostCommand.self) + [InferenceCommand.self] {
      let lines = FoveaServerCommand.helpMessage(for: command, columns: 80).split(separator: "\n")
      #expect(!lines.contains { $0.hasSuffix("- ") }, "\(command)")
    }
    let help = FoveaServerCommand.helpMessage(for: ConfigDefaultsCommand.self, columns: 80)
    #expect(help.contains("(values: json, plist, xml)"))
  }

  @Test func `help of the inference server fits one screen and starts with a sentence`() {
    let lines = FoveaServerCommand.helpMessage(for: InferenceCommand.self, columns: 80).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 45 && lines.first == "OVERVIEW: Run inference over HTTP.")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [
    (["serve"], true), (["serve", "--listen", "0.0.0.0:8080"], false),
    (["serve", "--listen", "0.0.0.0:8080", "--open"], true), (["serve", "--slots", "0"], false),
    (["serve", "--max-pixels", "0"], false), (["serve", "--motion", "auto"], true),
    (["serve", "--motion", "on"], false),
    (["serve", "--max-images", "3", "--max-pixels", "1000000", "--max-connections", "9"], true),
    (["serve", "--max-connections", "0"], false), (["serve", "--access-log", "some"], false),
    (["serve", "--trusted-proxy", "localhost"], false), (["serve", "--trusted-proxy", "::1"], true),
    (["serve", "--tls-cert", "a.pem"], false), (["serve", "--deadline", "0"], false),
    (["serve", "--max-body", "0"], false), (["serve", "--listen", "here"], false),
    (["serve", "--listen", "0.0.0.0:8443", "--tls-self-signed"], false),
    (["serve", "--listen", "0.0.0.0:8443", "--open", "--tls-self-signed"], true),
    (["serve", "--tls-self-signed", "--tls-cert", "a.pem", "--tls-key", "b.pem"], false),
    (["serve", "--events", "e", "--events-keep", "7d", "--events-limit", "500MB"], true),
    (["serve", "--mqtt", "mqtt://broker"], true), (["serve", "--mqtt"], false),
    (["serve", "--mqtt", "mqtt://a", "--mqtt", "mqtt://b"], false),
    (["serve", "--mqtt", "mqtt://a", "--mqtt", "mqtt://a"], false),
    (["serve", "--config", "c", "--mqtt", "mqtt://a", "--mqtt", "mqtt://b"], true),
    (["serve", "--dwell", "a:b=5"], false), (["serve", "--dwell", "a:b=5", "--events", "e"], true),
    (["serve", "--dwell", "a:b=5", "--mqtt", "mqtt://a"], true),
    (["serve", "--dwell", "a:b=5", "--webhook", "https://h/1"], true),
    (["serve", "--dwell", "a:b=5", "--config", "c"], true),
    (["serve", "--events-keep", "7d"], false), (["serve", "--events-limit", "500MB"], false),
    (["serve", "--events", "e", "--events-keep", "0"], false),
    (["serve", "--webhook", "https://h/1", "--webhook", "https://h/2", "--webhook-secret", "s"], true),
    (["serve", "--webhook-secret", "s"], false),
    (["serve", "healthcheck"], true),
    (["healthcheck", "https://127.0.0.1:8443/readyz", "--insecure"], true),
    (["serve", "healthcheck", "--timeout", "0"], false),
  ])
  func `an inference server listens on other addresses only on request`(
    _ arguments: [String], _ isTaken: Bool
  ) {
    #expect(((try? FoveaServerCommand.parseAsRoot(arguments)) != nil) == isTaken)
  }

  @Test func `each abstract is a sentence with a full stop`() {
    for command in Self.all(FoveaServerCommand.self) {
      let abstract = command.configuration.abstract
      #expect(abstract.first?.isUppercase == true && abstract.hasSuffix("."), "\(command): \(abstract)")
    }
  }

  @Test func `each command except the groups has --json`() {
    for command in Self.all(HostCommand.self) where command.configuration.subcommands.isEmpty {
      #expect(
        FoveaServerCommand.helpMessage(for: command, columns: 80).contains("\n  --json "), "\(command)")
    }
  }

  @Test func `help of serve`() {
    #expect(
      FoveaServerCommand.helpMessage(for: HostServeCommand.self, columns: 80) == """
        OVERVIEW: Serve a host.

        Prints 'listening URL' once it is ready, and logs JSON lines to standard error.
        SIGTERM or Ctrl-C stops it once the running requests are answered.
        --help-hidden lists all options.

        USAGE: fovea host serve <dir> [options]

        ARGUMENTS:
          <dir>                   The folder that init created.

        OPTIONS:
          --listen <host:port>    The address to listen on; port 0 picks a free port.
                                  (default: 127.0.0.1:8080)
          --tls-cert <file>       The TLS certificate chain, in PEM.
          --tls-key <file>        The TLS private key, in PEM.
          --tls-self-signed       Use TLS with a self-signed certificate.
          --allowed-host <name>   Another name to accept in the Host header.
          --drain <time>          Time for running requests at shutdown. (default: 25s)
          --drain-delay <time>    Time to keep serving while not ready, before shutdown.
          --access-log <which>    Requests to log: slow includes failed ones; all also
                                  includes those refused for their headers. (values:
                                  all, slow, none; default: slow)
          --blobs <address>       Files in S3: s3://bucket/prefix?endpoint=URL.
          --blobs-credentials <file>
                                  Read the key of S3 from a file, not AWS_ variables.
          --metadata <address>    Metadata in PostgreSQL: postgres://user@host/db.
          --stale-for <time>      The longest time without the database of --metadata.
                                  (default: 1h)
          --behind-proxy          Clients connect through a proxy with TLS.
          --url-lifetime <time>   The lifetime of a file's address. (default: 600s)
          --max-upload <bytes>    The largest upload: 500MB, 4GiB. (default: 4GiB)
          --keep-rollouts         Continue a rollout even if its version fails to load.
          --require-installation  Count only devices that send an installation token.
          --allow-origin <origin> A site whose pages may connect: https://app.example.
          --json                  Print one line of JSON.
          -h, --help              Show help information.

        """)
  }
}
#endif
