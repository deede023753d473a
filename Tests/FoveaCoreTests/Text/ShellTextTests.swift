// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct ShellTextTests {
  @Test(arguments: [
    ("models", "models"), ("/a/b-c_1.tflite", "/a/b-c_1.tflite"), ("--out=x", "--out=x"), ("", "''"),
    ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("$HOME", "'$HOME'"), ("a\nb", "'a\nb'"),
    ("größe", "'größe'"), ("~", "'~'"), ("*;&|<>`\\\"", "'*;&|<>`\\\"'"),
  ])
  func `a word is quoted if a shell would read another one`(_ text: String, _ word: String) {
    #expect(ShellText.word(text) == word)
  }

  @Test(arguments: [
    ("a.tflite", "a.tflite"), ("-a.tflite", "./-a.tflite"), ("-a b", "'./-a b'"), ("./-a", "./-a"),
    ("-", "./-"),
  ])
  func `a path is no option`(_ path: String, _ argument: String) {
    #expect(ShellText.path(path) == argument)
  }
}
