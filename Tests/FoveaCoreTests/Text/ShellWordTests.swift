// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("", "''"),
    ("photo.jpg", "photo.jpg"),
    ("/a/b-c_1.tflite", "/a/b-c_1.tflite"),
    ("--folder=/srv/my_host-1/A9", "--folder=/srv/my_host-1/A9"),
    ("two words", "'two words'"),
    ("it's", #"'it'\''s'"#),
    ("'", #"''\'''"#),
    ("$HOME", "'$HOME'"),
    ("a;b", "'a;b'"),
    ("~", "'~'"),
    ("a:b", "'a:b'"),
    ("Fuß", "'Fuß'"),
    ("line\n", "'line\n'"),
    ("*;&|<>`\\\"", "'*;&|<>`\\\"'"),
  ])
  func `a text is one word of a command`(_ text: String, _ word: String) {
    #expect(text.shellWord == word)
  }

  @Test(arguments: [
    ("a.tflite", "a.tflite"), ("-a.tflite", "./-a.tflite"), ("-a b", "'./-a b'"), ("./-a", "./-a"),
    ("-", "./-"),
  ])
  func `a path is not an option`(_ path: String, _ argument: String) {
    #expect(path.shellPath == argument)
  }
}
