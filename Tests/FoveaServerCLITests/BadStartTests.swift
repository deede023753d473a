// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

/// Obstacles to the start of a host, with the real program: one line with a remedy.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.server != nil, "needs the program next to the tests: swift build"))
struct BadStartTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let arguments: String
    /// The changes to the folder `models` of a host before; files with this name get this content.
    var files: [String: String] = [:]
    var removed: [String] = []
    var opened: [String] = []
    /// Without `fovea: ` and the full stop.
    let line: String
  }

  private static let tls = "serve models --listen 127.0.0.1:0 --tls-cert c.pem --tls-key k.pem"
  private static let bucket =
    "serve models --listen 127.0.0.1:0 --blobs s3://files/prod?endpoint=http://127.0.0.1:PORT"
  private static let certificate = TestCertificate.valid.certificate
  private static let key = TestCertificate.valid.privateKey
  private static let server = "Use the fovea-server that wrote it, or a newer one"

  static let cases = [
    Case(
      testDescription: "init on a full folder", arguments: "init models --project my-project",
      line: "models is not an empty folder. Choose an empty or new folder"),
    Case(
      testDescription: "init on a file", arguments: "init file --project my-project", files: ["file": "x"],
      line: "file is not an empty folder. Choose an empty or new folder"),
    Case(
      testDescription: "init with an invalid project", arguments: "init new --project UP",
      line: "'UP' is not a valid project name. Use 1 to 30 lower-case letters, digits and '-'"),
    Case(
      testDescription: "init with an invalid address",
      arguments: "init new --project my-project --url host",
      line:
        "'host' is not a valid URL of a host. Give http:// or https:// and the host name or IP "
        + "address that clients use, without a key"),
    Case(
      testDescription: "a path that is not a folder", arguments: "serve nowhere",
      line:
        "nowhere is not the folder of a model host. Create one with 'fovea host init', or choose another folder"
    ),
    Case(
      testDescription: "a port that is taken", arguments: "serve models --listen 127.0.0.1:PORT",
      line:
        "Cannot listen on 127.0.0.1:PORT: the address is in use. Stop the program that listens there, or choose "
        + "another port"),
    Case(
      testDescription: "an address of another machine",
      arguments: "serve models --listen 192.0.2.1:0 --behind-proxy",
      line:
        "Cannot listen on 192.0.2.1:0: the address does not belong to this machine. Choose another address or port"
    ),
    Case(
      testDescription: "no certificate", arguments: tls, files: ["k.pem": key],
      line:
        "The certificate 'c.pem' cannot be read: No such file or directory. Choose a file that the server's user "
        + "may read"),
    Case(
      testDescription: "an invalid certificate", arguments: tls, files: ["c.pem": "no", "k.pem": key],
      line:
        "'c.pem' contains no certificate in PEM. Give the server's certificate, followed by the certificates "
        + "of its chain"),
    Case(
      testDescription: "an empty certificate", arguments: tls, files: ["c.pem": "", "k.pem": key],
      line:
        "'c.pem' contains no certificate in PEM. Give the server's certificate, followed by the certificates "
        + "of its chain"),
    Case(
      testDescription: "no key", arguments: tls, files: ["c.pem": certificate],
      line:
        "The private key 'k.pem' cannot be read: No such file or directory. Choose a file that the server's user "
        + "may read"),
    Case(
      testDescription: "a certificate for a key", arguments: tls,
      files: ["c.pem": certificate, "k.pem": certificate],
      line:
        "'k.pem' contains no private key in PEM, or one with a password. Give the key of the certificate, without a "
        + "password"),
    Case(
      testDescription: "the key of another certificate", arguments: tls,
      files: ["c.pem": certificate, "k.pem": TestCertificate.expired.privateKey],
      line:
        "The private key 'k.pem' does not match the certificate 'c.pem'. Give matching files, "
        + "the server's own certificate first"),
    Case(
      testDescription: "a self-signed certificate without a folder to keep it",
      arguments: "serve models --listen 127.0.0.1:0 --tls-self-signed",
      line:
        "There is no folder for the server's state: neither XDG_STATE_HOME nor HOME is set. Set XDG_STATE_HOME to a "
        + "folder that the server's user may write to"),
    Case(
      testDescription: "a bucket without a key", arguments: bucket,
      line:
        "The environment variable AWS_ACCESS_KEY_ID is not set. Set it, or name a file with --blobs-credentials"
    ),
    Case(
      testDescription: "a bucket whose key cannot be read", arguments: bucket + " --blobs-credentials none",
      line:
        "none: The credentials cannot be read: No such file or directory. Check the path of --blobs-credentials "
        + "and its permissions"),
    Case(
      testDescription: "a bucket at another program", arguments: bucket + " --blobs-credentials key",
      files: ["key": "[default]\naws_access_key_id = A\naws_secret_access_key = B\n"],
      line:
        "s3://files/prod?endpoint=http://127.0.0.1:PORT&region=us-east-1: The store of files answered 200 without "
        + "what an S3 server sends. Check the endpoint of --blobs, and proxies on the way to it"),
    Case(
      testDescription: "files in a bucket that is not named", arguments: "serve models",
      files: ["models/bucket.json": #"{"address": "s3://files/prod", "id": "1", "isComplete": true}"#],
      line:
        "models: The files of this host are in a bucket, s3://files/prod. Serve it with --blobs and that address"
    ),
    Case(
      testDescription: "secret keys that others can read", arguments: "serve models",
      opened: ["models/keys/ring.json"],
      line:
        "Other users can read the secret file 'models/keys/ring.json'. Restrict it to its owner: chmod 600"
    ),
    Case(
      testDescription: "an administrator's key that others can read", arguments: "serve models",
      opened: ["models/keys/admin.json"],
      line:
        "Other users can read the secret file 'models/keys/admin.json'. Restrict it to its owner: chmod 600"
    ),
    Case(
      testDescription: "no secret keys", arguments: "serve models", removed: ["models/keys/ring.json"],
      line:
        "'models/keys/ring.json' cannot be read: No such file or directory. Check that it exists, and check its "
        + "permissions"),
    Case(
      testDescription: "no database", arguments: "serve models", removed: ["models/host.sqlite"],
      line: "The database is missing. Restore a backup"),
    Case(
      testDescription: "an invalid database", arguments: "serve models",
      files: ["models/host.sqlite": String(repeating: "no database ", count: 100)],
      line: "The database is damaged. Stop the host, run 'fovea host fsck', and restore a backup"),
    Case(
      testDescription: "a folder of a newer version", arguments: "serve models",
      files: ["models/host.json": "{\"layout\": 2}"],
      line: "The folder has layout 2; this program supports layout 1. \(server)"),
    Case(
      testDescription: "unreadable settings", arguments: "serve models",
      files: ["models/host.json": "{"],
      line: "The host.json of the folder cannot be read: a key is expected, but the text ends at line 1, "
        + "column 2, byte 1. Restore it from a backup of the folder"),
    Case(
      testDescription: "no key file", arguments: "list",
      line:
        "The key file 'keys/admin.json' cannot be read: No such file or directory. Give the host's key file: "
        + "DIR/keys/admin.json"),
    Case(
      testDescription: "an invalid key file", arguments: "list --key models/host.json",
      line:
        "'models/host.json' is not the file of a service account: its type is not service_account. Use a file "
        + "that the host has written, such as keys/admin.json"),
    Case(
      testDescription: "a key file without a key", arguments: "list --key k.json",
      files: ["k.json": "{\"type\": \"service_account\"}"],
      line:
        "'k.json' is not the file of a service account: project_id, private_key_id, private_key, client_email or "
        + "token_uri is missing. Use a file that the host has written, such as keys/admin.json"),
    Case(
      testDescription: "a folder to publish",
      arguments: "publish models --name bird --key models/keys/admin.json",
      line:
        "The folder 'models' cannot be packed into one file: The folder 'models' has no .tflite file. Use a "
        + ".tflite file or a folder with one. Choose a folder with model.tflite and dict.txt, or a .tflite file, "
        + "such as one that 'fovea model add-metadata' has made of the folder with the options that it needs"
    ),
    Case(
      testDescription: "an existing file for a new key", arguments: "key add viewer --output file",
      files: ["file": "x"], line: "'file' already exists. Choose a new file name"),
  ]

  @Test(arguments: cases) func `one line with a remedy`(_ test: Case) async throws {
    let program = try #require(BuiltProgram.server)
    let folder = try TemporaryFolder()
    let taken = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { taken.stop() }
    let port = String(taken.url.split(separator: ":").last ?? "")
    let made = try await ChildProcess.run(
      program, ["host", "init", "models", "--project", "my-project"], folder: folder.path)
    #expect(made.code == 0)
    for (name, content) in test.files { try folder.write(name, content) }
    for name in test.removed { unsafe unlink(folder[name]) }
    for name in test.opened { unsafe chmod(folder[name], 0o644) }
    let words = test.arguments.replacing("PORT", with: port).split(separator: " ").map(String.init)
    let outcome = try await ChildProcess.run(
      program, ["host"] + words, environment: [:], folder: folder.path, limit: .seconds(60))
    #expect(outcome.messages == "fovea: \(test.line.replacing("PORT", with: port)).\n")
    #expect(outcome.code == 1 && outcome.output.isEmpty)
  }

  @Test func `without fovea next to it the server reports it`() async throws {
    let program = try #require(BuiltProgram.server)
    let folder = try TemporaryFolder()
    _ = try await ChildProcess.run(
      program, ["host", "init", "models", "--project", "my-project"], folder: folder.path)
    let linked = unsafe link(program, folder["fovea-server"]) == 0
    if !linked { _ = try await ChildProcess.run("/bin/cp", [program, folder["fovea-server"]]) }
    let outcome = try await ChildProcess.run(
      folder["fovea-server"], ["host", "serve", "models"], environment: [:], folder: folder.path,
      limit: .seconds(60))
    #expect(
      outcome.messages
        == "fovea: The program 'fovea', which checks models, is missing next to the host. Run make build to "
        + "build both programs, and keep them in one folder.\n")
    #expect(outcome.code == 1)
  }
}
#endif
