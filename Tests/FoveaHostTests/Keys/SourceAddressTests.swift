// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import Testing

@Suite struct SourceAddressTests {
  @Test(arguments: [
    ("gs://modelhost-test.appspot.com/a.tflite", "modelhost-test.appspot.com", "a.tflite"),
    ("gs://abc/Firebase/ML/Models/Köpfe (1).tflite", "abc", "Firebase/ML/Models/Köpfe (1).tflite"),
    ("gs://abc/100%.tflite", "abc", "100%.tflite"),
    ("gs://abc/..a", "abc", "..a"),
  ])
  func `an object is named by bucket and name`(text: String, bucket: String, name: String) throws {
    let authority = KeySamples().authority([])
    let object = try SourceAddress.object(text, project: KeySamples.project, authority: authority)
    #expect(object.bucket == bucket)
    #expect(object.name == name)
  }

  @Test(arguments: [
    "", " ", "a.tflite", "/a.tflite", "file:///etc/passwd", "FILE:///etc/passwd", "gs:", "gs://",
    "gs://abc", "gs://abc/",
    "gs:///a", "GS://abc/a", "gs://ab/a", "gs://ABC/a", "gs://abc/../x", "gs://other/../x", "gs://abc/x/..",
    "gs://abc/./x", "gs://abc//x", "gs://a..b/x", "gs://abc/a\\b", "gs://abc/a\u{0}", "gs://abc/a\nb",
    "gs://abc/a#b",
    "gs://abc/a?b", "gs://user@abc/a", "gs://abc:80/a", "gs://abc/" + String(repeating: "a", count: 1_025),
    "gs://" + String(repeating: "a", count: 64) + "/a", "gs://abc/\u{85}",
    "http://169.254.169.254/latest/meta-data", "http://metadata.google.internal/",
    "https://storage.googleapis.com/b/o",
    "http://127.0.0.1/b/o", "http://127.0.0.1:8081/b/o?X-Goog-Algorithm=GOOG4-RSA-SHA256",
    "http://127.0.0.1:80801/b/o?x",
    "https://127.0.0.1:8080/b/o?x", "HTTP://127.0.0.1:8080/b/o?x", "http://2130706433:8080/b/o?x",
    "http://0x7f000001:8080/b/o?x", "http://[::1]:8080/b/o?x", "http://[::ffff:127.0.0.1]:8080/b/o?x",
    "http://localhost:8080/b/o?x", "http://user@127.0.0.1:8080/b/o?x",
    "http://127.0.0.1:8080@evil.example/b/o?x",
    "http://127.0.0.1:8080.evil.example/b/o?x", "http://127.0.0.1:8080", "http://127.0.0.1:8080/b/o",
    "http://127.0.0.1:8080/b/o#x", "//127.0.0.1:8080/b/o?x", "ftp://127.0.0.1:8080/b/o?x", "data:,x",
  ])
  func `anything else is rejected`(_ text: String) async throws {
    let authority = KeySamples().authority([try KeySamples.key()])
    let found = await code {
      _ = try SourceAddress.object(text, project: KeySamples.project, authority: authority)
    }
    #expect(found == .invalid)
  }
}
#endif
