// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// The forms of label files in the wild, each read for a model with this many classes.
@Suite struct LabelFormTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let classes: Int
    let names: [String]
    var form = LabelForm.lines

    init(_ what: String, _ text: String, classes: Int, _ names: [String], _ form: LabelForm = .lines) {
      (testDescription, self.text, self.classes, self.names, self.form) = (what, text, classes, names, form)
    }
  }

  static let lines: [Case] = [
    Case("blank lines between", "a\n\nb\n\nc\n", classes: 3, ["a", "b", "c"]),
    Case("blank lines that are classes", "a\n\nb\n", classes: 3, ["a", "", "b"]),
    Case("a blank last class", "a\nb\n\n", classes: 3, ["a", "b", ""]),
    Case("a comment", "# classes of the model\na\nb\n", classes: 2, ["a", "b"]),
    Case("comments of another kind", "// classes\na\nb", classes: 2, ["a", "b"]),
    Case("a comment without a space", "#classes\na\nb", classes: 2, ["a", "b"]),
    Case("a label that starts with #", "#1 seed\na\nb", classes: 3, ["#1 seed", "a", "b"]),
    Case("signs as classes", "!\n#\n%", classes: 3, ["!", "#", "%"]),
    Case("a header", "label\na\nb", classes: 2, ["a", "b"]),
    Case("a class that is called label", "label\na\nb", classes: 3, ["label", "a", "b"]),
    Case("a comment, a header and blank lines", "# x\nclass name\n\na\n\nb\n\n", classes: 2, ["a", "b"]),
    Case("background first", "background\na\nb", classes: 2, ["a", "b"]),
    Case("background last", "a\nb\nBackground\n", classes: 2, ["a", "b"]),
    Case("background of another name", "__background__\na\nb", classes: 2, ["a", "b"]),
    Case("background as signs", "???\na\nb", classes: 2, ["a", "b"]),
    Case("unlabeled", "unlabeled\na\nb", classes: 2, ["a", "b"]),
    Case("N/A", "N/A\na\nb", classes: 2, ["a", "b"]),
    Case("background in German", "Hintergrund\na\nb", classes: 2, ["a", "b"]),
    Case("a class that is called background", "background\na\nb", classes: 3, ["background", "a", "b"]),
    Case("nameless lines beyond the classes", "a\nb\n???\n???\n", classes: 2, ["a", "b"]),
    Case(
      "labels with a number of their own", "car\n2 wheeler\n3 wheeler", classes: 3,
      ["car", "2 wheeler", "3 wheeler"]),
    Case(
      "all with a number of their own", "2 wheeler\n3 wheeler\n4 wheeler", classes: 3,
      ["2 wheeler", "3 wheeler", "4 wheeler"]),
    Case(
      "coins", "1 cent\n2 cent\n5 cent\n1 euro\n2 euro", classes: 5,
      ["1 cent", "2 cent", "5 cent", "1 euro", "2 euro"]),
    Case("digits", "0\n1\n2", classes: 3, ["0", "1", "2"]),
    Case("digits and a sign", "16) x\ny", classes: 2, ["16) x", "y"]),
    Case(
      "labels with commas", "tench, Tinca tinca\ngoldfish, Carassius auratus", classes: 2,
      ["tench, Tinca tinca", "goldfish, Carassius auratus"]),
    Case(
      "quoted labels with commas", "\"tench, Tinca tinca\"\ncat", classes: 2, ["tench, Tinca tinca", "cat"]),
    Case("tokens in brackets", "[PAD]\n[UNK]\na", classes: 3, ["[PAD]", "[UNK]", "a"]),
    Case(
      "numbered folders in their order", "1 a\n10 j\n2 b\n3 c\n4 d\n5 e\n6 f\n7 g\n8 h\n9 i", classes: 10,
      ["1 a", "10 j", "2 b", "3 c", "4 d", "5 e", "6 f", "7 g", "8 h", "9 i"]),
    Case(
      "labels that end with a number", "limit, 30\nlimit, 50\nstop, 1", classes: 3,
      ["limit, 30", "limit, 50", "stop, 1"]),
    Case(
      "ranges", "0 - 2 years\n3 - 5 years\n6 - 9 years", classes: 3,
      ["0 - 2 years", "3 - 5 years", "6 - 9 years"]),
    Case("ratios of sides", "1:1\n1:2\n2:1", classes: 3, ["1:1", "1:2", "2:1"]),
    Case(
      "clubs", "1. FC Kassel\n1. FC Ulm\n1. SV Celle\n2. FC Hof", classes: 4,
      ["1. FC Kassel", "1. FC Ulm", "1. SV Celle", "2. FC Hof"]),
    Case("rooms", "room 0\nhall 0\nroom 1", classes: 3, ["room 0", "hall 0", "room 1"]),
    Case("works of music", "opus 1\nopus 2\nsonata 2", classes: 3, ["opus 1", "opus 2", "sonata 2"]),
    Case("first works", "opus 1\nsonata 1", classes: 2, ["opus 1", "sonata 1"]),
    Case("one number in quotes", "\"3 cat\"\n\"3 dog\"", classes: 2, ["3 cat", "3 dog"]),
    Case("two sides of one length", "1:1\n1:2", classes: 2, ["1:1", "1:2"]),
    Case("one row of columns", "cat,0", classes: 1, ["cat"], .table),
    Case("decimals", "1.5 litre\n2.5 litre", classes: 2, ["1.5 litre", "2.5 litre"]),
    Case("a comma behind each", "a,\nb c,\nd,\n", classes: 3, ["a", "b c", "d"]),
    Case("a comma between", "a,\nb\n", classes: 2, ["a", "b"]),
    Case("one comma", "a,\nb\nc", classes: 3, ["a,", "b", "c"]),
    Case("quotes around each", "\"a\"\n\"b c\"", classes: 2, ["a", "b c"]),
    Case("apostrophes around each", "'a'\n'b'\n", classes: 2, ["a", "b"]),
    Case("quotes and commas", "\"a\",\n\"b\",", classes: 2, ["a", "b"]),
    Case("quotes around one", "\"a\"\nb", classes: 2, ["\"a\"", "b"]),
    Case("a string with a comma", "\"tench, Tinca tinca\"", classes: 1, ["tench, Tinca tinca"]),
    Case("hexadecimal digits", "0x0\n0x1", classes: 2, ["0x0", "0x1"]),
    Case("a hexadecimal number in quotes", "\"0xf a\"\n\"b\"", classes: 2, ["0xf a", "b"]),
    Case("equal signs in labels", "a = b\nsalt = (NaCl)", classes: 2, ["a = b", "salt = (NaCl)"]),
    Case("tokens in angle brackets", "<s>\n</s>\n<unk>", classes: 3, ["<s>", "</s>", "<unk>"]),
    Case("colons", "a: b\nc: d", classes: 2, ["a: b", "c: d"]),
    Case("a colon at the end", "a:\nb", classes: 2, ["a:", "b"]),
    Case("ratios", "format 4:3\nformat 16:9", classes: 2, ["format 4:3", "format 16:9"]),
  ]

  /// Twenty labels, as a file may number them.
  struct Many {
    let names: [String]

    func numbered(from first: Int = 0, gap: Int = .max) -> String {
      names.enumerated().map { "\($0 + first + ($0 < gap ? 0 : 1)) \($1)\n" }.joined()
    }
  }

  static let many = Many(names: (0..<20).map { "n\($0)" })
  static let twins = Many(names: (0..<20).map { $0 == 7 ? "n3" : "n\($0)" })

  static let numbered: [Case] = [
    Case("with gaps, from 0", "0  a\n2  c\n3 d\n", classes: 4, ["a", "???", "c", "d"], .numberedLines),
    Case("with gaps, from 1", "1 a\n2 b\n4 d", classes: 4, ["a", "b", "???", "d"], .numberedLines),
    Case(
      "ImageNet from 1 without its class 0", Many(names: (1...1000).map { "n\($0)" }).numbered(from: 1),
      classes: 1001, ["???"] + (1...1000).map { "n\($0)" }, .numberedLines),
    Case("in any order", "2 c\n0 a\n1 b", classes: 3, ["a", "b", "c"], .numberedLines),
    Case("in any order, from 1", "3 c\n1 a\n2 b", classes: 3, ["a", "b", "c"], .numberedLines),
    Case("tabs", "0\ta\n1\tb", classes: 2, ["a", "b"], .numberedLines),
    Case(
      "zeros before numbers", "000 a\n001 b\n016 c", classes: 17,
      ["a", "b"] + Array(repeating: "???", count: 14) + ["c"], .numberedLines),
    Case("brackets", "0) a\n1) b\n3) d", classes: 4, ["a", "b", "???", "d"], .numberedLines),
    Case("numbers in brackets", "[0] a\n[1] b\n[3] d", classes: 4, ["a", "b", "???", "d"], .numberedLines),
    Case("numbers in brackets at once", "[1]a\n[2]: b", classes: 2, ["a", "b"], .numberedLines),
    Case("stops", "1. a\n2. b", classes: 2, ["a", "b"], .numberedLines),
    Case("dashes", "0 - a\n1 - b", classes: 2, ["a", "b"], .numberedLines),
    Case("equal signs", "0=a\n1=b", classes: 2, ["a", "b"], .numberedLines),
    Case(
      "blanks around", "  0 a  \n 10 b\t\n", classes: 11, ["a"] + Array(repeating: "???", count: 9) + ["b"],
      .numberedLines),
    Case(
      "commas and a class that could head a column", "0,text\n1,title\n2,list\n3,table\n4,figure", classes: 5,
      ["text", "title", "list", "table", "figure"], .numberedLines),
    Case("hexadecimal numbers", "0x0 a\n0x1 b\n0X2 c", classes: 3, ["a", "b", "c"], .numberedLines),
    Case(
      "hexadecimal numbers with gaps", "0x1 a\n0xf b", classes: 15,
      ["a"] + Array(repeating: "???", count: 13) + ["b"], .numberedLines),
    Case("hexadecimal numbers of another list", "0x10 a\n0x20 b", classes: 2, ["a", "b"], .numberedLines),
    Case("decimal and hexadecimal numbers", "0: a\n0x1: b", classes: 2, ["a", "b"], .numberedLines),
    Case("a header", "id label\n0 a\n1 b", classes: 2, ["a", "b"], .numberedLines),
    Case("a comment and blank lines", "# id name\n0 a\n\n1 b\n", classes: 2, ["a", "b"], .numberedLines),
    Case("background as class 0", "0 background\n1 a\n2 b", classes: 2, ["a", "b"], .numberedLines),
    Case("quotes", "0: \"a\"\n1: 'b'", classes: 2, ["a", "b"], .numberedLines),
    Case("a comma behind each", "0: 'a',\n1: \"b\",\n", classes: 2, ["a", "b"], .numberedLines),
    Case("columns that end with a comma", "0,a,\n1,b,\n", classes: 2, ["a", "b"], .numberedLines),
    Case("two equal labels of many", twins.numbered(from: 0), classes: 20, twins.names, .numberedLines),
    Case(
      "numbers of another list, in order", many.numbered(gap: 11), classes: 20, many.names, .numberedLines),
  ]

  static let structured: [Case] = [
    Case(
      "a label map", "item {\n  id: 1\n  name: 'a'\n}\nitem {\n  id: 2\n  name: \"b\"\n}\n", classes: 2,
      ["a", "b"], .labelMap),
    Case(
      "a label map with gaps", "item { id: 1 name: 'a' } item { id: 3 name: 'c' }", classes: 3,
      ["a", "???", "c"], .labelMap),
    Case(
      "a label map in any order", "item { name: 'b' id: 2 }\nitem { name: 'a' id: 1 }", classes: 2,
      ["a", "b"], .labelMap),
    Case(
      "a label map with its background", "item { id: 0 name: 'none' } item { id: 1 name: 'a' }", classes: 1,
      ["a"], .labelMap),
    Case(
      "display names",
      "# COCO\nitem {\n name: \"/m/01\"\n id: 1\n display_name: \"a\\'s\"\n}\nitem: < name: '/m/02', id: 2, display_name: 'b' >",
      classes: 2, ["a's", "b"], .labelMap),
    Case(
      "other fields",
      "item { id: 1 name: 'a' keypoints { id: 1 label: 'x' } frequency: FREQUENT child_ids: [2, 3] }",
      classes: 1, ["a"], .labelMap),
    Case(
      "a label map with names in escaped bytes",
      #"item { id: 1 display_name: "caf\303\251" } item { id: 2 display_name: 'ni\xc3\xb1o \143\x41t' }"#,
      classes: 2, ["café", "niño cAt"], .labelMap),
    Case(
      "a label map with C's escapes",
      #"item { id: 1 name: "a\n\r\t\a\b\f\v\'\"\\\?\0019" } item { id: 2 name: '\u00e9\ud83d\ude00\U0001F600' }"#,
      classes: 2, ["a\n\r\t\u{7}\u{8}\u{c}\u{b}'\"\\?\u{1}9", "é😀😀"], .labelMap),
    Case(
      "a label map with texts in pieces",
      "item { id: 1 name: 'a' \"b\"\n  # of two lines\n  'c' }\nitem { id: 2 name: 'it''s\\303' '\\251' }",
      classes: 2,
      ["abc", "itsé"], .labelMap),
    Case(
      "a label map with bytes that are no text in another field",
      #"item { id: 1 blob: "\377" "\376" list: ['\377', 'b'] name: 'a' }"#, classes: 1, ["a"], .labelMap),
    Case(
      "a label map for a model without gaps", "item { id: 1 name: 'a' } item { id: 90 name: 'b' }",
      classes: 2, ["a", "b"], .labelMap),
    Case("a JSON list", #"["a", "b, c"]"#, classes: 2, ["a", "b, c"], .json),
    Case("a JSON map", #"{"0": "a", "2": "c", "1": "b"}"#, classes: 3, ["a", "b", "c"], .json),
    Case("a JSON map the other way round", #"{"b": 1, "a": 0}"#, classes: 2, ["a", "b"], .json),
    Case(
      "objects", #"[{"id": 1, "name": "a"}, {"id": 3, "name": "c"}]"#, classes: 3, ["a", "???", "c"], .json),
    Case(
      "COCO's categories",
      #"{"images": [], "categories": [{"supercategory": "x", "id": 1, "name": "a"}, {"id": 2, "name": "b"}]}"#,
      classes: 2, ["a", "b"], .json),
    Case("pairs that end with their number", #"[["b", 1], ["a", 0]]"#, classes: 2, ["a", "b"], .json),
    Case("pairs of Python", "[('b', 2), ('a', 1)]", classes: 2, ["a", "b"], .json),
    Case("one pair", #"[["a", 0]]"#, classes: 1, ["a"], .json),
    Case("ImageNet's map", #"{"0": ["n01", "a"], "1": ["n02", "b"]}"#, classes: 2, ["a", "b"], .json),
    Case(
      "Hugging Face", #"{"architectures": ["x"], "id2label": {"0": "a", "1": "b"}, "label2id": {"a": 0}}"#,
      classes: 2, ["a", "b"], .json),
    Case(
      "Hugging Face's labels the other way round", #"{"model_type": "vit", "label2id": {"b": 1, "a": "0"}}"#,
      classes: 2, ["a", "b"], .json),
    Case("PyTorch's folders", #"{"class_to_idx": {"a": 0, "b": 1}}"#, classes: 2, ["a", "b"], .json),
    Case("Python", "{0: 'a, b',\n 1: \"c's\"}", classes: 2, ["a, b", "c's"], .json),
    Case("Python's list", "['a', 'b',]", classes: 2, ["a", "b"], .json),
    Case("Python's assignment", "CLASSES = [\"a\", 'b']\n", classes: 2, ["a", "b"], .json),
    Case("Python's assignment on lines", "CLASSES = [\n  'a',\n  'b',\n]\n", classes: 2, ["a", "b"], .json),
    Case(
      "Python's comments",
      "# ours\nimport os\n\nNAMES: list[str] = [  # two\n  'a',  # 0\n  u'b'  # 1\n]  # end",
      classes: 2, ["a", "b"], .json),
    Case("Python's map", "LABELS = {\n  0: 'a',\n  1: 'b',\n}", classes: 2, ["a", "b"], .json),
    Case("Python's tuple", "('a', \"b\")", classes: 2, ["a", "b"], .json),
    Case("Python's tuple on lines", "(\n  'a',\n  'b',\n)\n", classes: 2, ["a", "b"], .json),
    Case("Python's tuple without brackets", "CLASSES = 'a', 'b'", classes: 2, ["a", "b"], .json),
    Case("only strings", "'a', \"b\"\n", classes: 2, ["a", "b"], .json),
    Case("a commented list", "# ours\n[\n'a',\n'b'\n]", classes: 2, ["a", "b"], .json),
    Case("JavaScript", "export const labels = [\n  'a', // 0\n  'b',\n];\n", classes: 2, ["a", "b"], .json),
    Case("JavaScript's module", "module.exports = ['a', 'b'];", classes: 2, ["a", "b"], .json),
    Case("JavaScript's default", "export default [\"a\", \"b\"];", classes: 2, ["a", "b"], .json),
    Case("TOML", "names = [\"a\", \"b\"]", classes: 2, ["a", "b"], .json),
    Case("Python's inverse map", "IDS = {'b': 1, 'a': 0}\n", classes: 2, ["a", "b"], .json),
    Case("Python's raw strings", #"A = [r'a\d', "b\"c", 'é']"#, classes: 3, [#"a\d"#, "b\"c", "é"], .json),
    Case(
      "labels with brackets and equal signs", "a = [16]\nb = (x)\nc = d", classes: 3,
      ["a = [16]", "b = (x)", "c = d"]),
    Case("JSON with hexadecimal classes", #"{"0x0": "a", "0x1": "b"}"#, classes: 2, ["a", "b"], .json),
    Case("a YAML list", "nc: 2\nnames:\n  - a\n  - b # the second\n", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML map", "# data\npath: ../x\nnames:\n  0: a\n  1: \"b\"\n\ndownload: |\n  x\n", classes: 2,
      ["a", "b"], .yaml),
    Case(
      "a YAML list in brackets", "train: x\nnames: ['a', b,\n  'c d']\nnc: 3", classes: 3, ["a", "b", "c d"],
      .yaml),
    Case("a YAML map in braces", "names: {0: a, 1: 'b'}", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML list in brackets on the next line",
      "nc: 3\nnames: # all\n\n  ['a',\n   b, # the second\n   'c d']\nx: 1",
      classes: 3, ["a", "b", "c d"], .yaml),
    Case(
      "a YAML list in brackets on lines of their own", "names:\n  [\n    a,\n    b,\n  ]\n", classes: 2,
      ["a", "b"], .yaml),
    Case("a YAML map in braces on the next line", "names:\n  {0: a, 1: b}\n", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML list with an anchor", "names: &n\n  - a\n  - b\nval: *n\n", classes: 2, ["a", "b"], .yaml),
    Case("a YAML list with a tag and an anchor", "names: !!seq &n [a, b]", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML list in brackets after an anchor", "names: &n\n  [a, b]\n", classes: 2, ["a", "b"], .yaml),
    Case("a YAML list at the margin", "names:\n- a\n- 'it''s'\nnc: 2", classes: 2, ["a", "it's"], .yaml),
    Case(
      "a YAML list of numbers and labels", "- 1: dog\n- 0: cat\n- 2: b", classes: 3, ["cat", "dog", "b"],
      .yaml),
    Case(
      "such a list with a gap", "names:\n  - 0: cat\n  - 1: dog\n  - 3: b", classes: 3, ["cat", "dog", "b"],
      .yaml),
    Case(
      "a JSON list of numbers and labels", "[{\"1\": \"dog\"}, {\"0\": \"cat\"}]", classes: 2,
      ["cat", "dog"], .json),
    Case(
      "a YAML list of labels and numbers", "- b: 2\n- cat: 0\n- dog: 1", classes: 3, ["cat", "dog", "b"],
      .yaml),
    Case(
      "a YAML list of labels in quotes and numbers", "- \"b\": 2\n- 'cat': 0\n- dog: 1", classes: 3,
      ["cat", "dog", "b"], .yaml),
    Case(
      "labels in quotes and numbers below names", "names:\n  - \"b\": 1\n  - \"cat\": 0", classes: 2,
      ["cat", "b"], .yaml),
    Case(
      "a YAML list of labels and objects", "- b: {id: 1}\n- cat: {id: 0}", classes: 2, ["cat", "b"], .yaml),
    Case(
      "a YAML list of labels with numbers in quotes", "- \"2 cat\"\n- \"0 dog\"\n- '1 owl'", classes: 3,
      ["2 cat", "0 dog", "1 owl"], .yaml),
    Case(
      "a YAML list of labels with numbers", "- class 1\n- class 10\n- class 2", classes: 3,
      ["class 1", "class 10", "class 2"], .yaml),
    Case("an indented YAML list", "  - a\n  - b", classes: 2, ["a", "b"], .yaml),
    Case("labels and numbers below names", "names:\n  - b: 1\n  - cat: 0", classes: 2, ["cat", "b"], .yaml),
    Case("objects of a label and its number", #"[{"b": 2}, {"a": 1}]"#, classes: 2, ["a", "b"], .json),
    Case("a YAML list of ids and labels", "- [n01, a]\n- [n02, b]", classes: 2, ["a", "b"], .yaml),
    Case("a list of ratios", "- 1: 1\n- 1: 2", classes: 2, ["- 1: 1", "- 1: 2"], .lines),
    Case("only a YAML list", "- a\n- b\n", classes: 2, ["a", "b"], .yaml),
    Case("apostrophes in YAML", "names: [d'or, 'l''eau', b]", classes: 3, ["d'or", "l'eau", "b"], .yaml),
    Case("apostrophes and blanks in YAML", "names: [l'eau, d'or]", classes: 2, ["l'eau", "d'or"], .yaml),
    Case("apostrophes in a YAML map", "names: {d'or: 0, 'l''eau': 1}", classes: 2, ["d'or", "l'eau"], .yaml),
    Case("only apostrophes in YAML", "names: ['''', '', b]", classes: 3, ["'", "", "b"], .yaml),
    Case("no comment after an apostrophe", "- 'it''s # 1'\n- b", classes: 2, ["it's # 1", "b"], .yaml),
    Case("Python's prefixes", "[u'a', b'b', R\"c\"]", classes: 3, ["a", "b", "c"], .json),
    Case(
      "Python's numbers of characters",
      #"['caf\351', "caf\xe9", 'ni\u00f1o', b'caf\303\251', b'caf\xc3\xa9', 'a\0019']"#,
      classes: 6, ["café", "café", "niño", "café", "café", "a\u{1}9"], .json),
    Case(
      "an id in a list of one", "- id: [1]\n  name: b\n- id: [0]\n  name: a", classes: 2, ["a", "b"], .yaml),
    Case(
      "numbers in comments, in order", "A = [  # 3 pets\n  'a',  # 0\n  'b',  # 1\n  'c',  # 2\n]",
      classes: 3,
      ["a", "b", "c"], .json),
    Case(
      "a map and other comments", "names:\n  2: c # 0\n  0: a # 1\n  1: b # 2", classes: 3, ["a", "b", "c"],
      .yaml),
    Case(
      "numbers in names of JSON", #"["boeing 737", "route 66", "1 cent"]"#, classes: 3,
      ["boeing 737", "route 66", "1 cent"], .json),
    Case("digits in JSON", "[0, 1, 2]", classes: 3, ["0", "1", "2"], .json),
    Case(
      "display names that are null",
      #"[{"display_name": null, "name": "a"}, {"display_name": "x", "name": "b"}]"#, classes: 2, ["a", "b"],
      .json),
    Case("names that are null in quotes", #"["a", "null", "~"]"#, classes: 3, ["a", "null", "~"], .json),
    Case("names that are empty", #"["a", "", "b"]"#, classes: 3, ["a", "", "b"], .json),
    Case("digits in YAML", "names: [0, 1, 2]", classes: 3, ["0", "1", "2"], .yaml),
    Case(
      "objects in YAML", "names:\n  - id: 1\n    name: b\n  - id: 0\n    name: a\n", classes: 2, ["a", "b"],
      .yaml),
    Case(
      "objects in YAML with lists and texts of their own",
      "names:\n  - id: 0\n    name: a\n    tags:\n    - x\n    note: |\n      y\n  - id: 1\n    name: b\n",
      classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML map of objects", "names:\n  1:\n    name: b\n    color: red\n  0:\n    name: a\n", classes: 2,
      ["a", "b"], .yaml),
    Case(
      "a YAML map of texts and objects", "names:\n  0: a\n  1:\n    name: b\n", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML map of objects in braces", "names: {0: {name: a}, 1: {name: b}}", classes: 2, ["a", "b"], .yaml),
    Case(
      "a YAML map of objects alone", "# x\n0:\n  name: a\n1:\n  name: b\n", classes: 2, ["a", "b"], .yaml),
    Case(
      "COCO's categories in YAML", "categories:\n  - id: 1\n    name: a\n  - id: 2\n    name: b\n",
      classes: 2,
      ["a", "b"], .yaml),
    Case("a YAML map the other way round", "a: 0\nb: 1\n", classes: 2, ["a", "b"], .yaml),
    Case(
      "names that differ by their number alone", "Grade: 0\nGrade: 1\n", classes: 2, ["Grade: 0", "Grade: 1"]),
    Case("the same in another order", "# x\nb: 2\na b: 1\n", classes: 2, ["a b", "b"], .yaml),
    Case("quoted names of a member", "nc: 2\n\"names\":\n  - a\n  - b\n", classes: 2, ["a", "b"], .yaml),
    Case("CSV", "id,name\n0,a\n1,\"b, c\"\n", classes: 2, ["a", "b, c"], .table),
    Case("CSV in any order, with gaps", "name,id\nc,3\na,1", classes: 3, ["a", "???", "c"], .table),
    Case("CSV without numbers", "name,supercategory\na,x\nb,x", classes: 2, ["a", "b"], .table),
    Case("CSV with an index of pandas", ",label\n0,a\n1,b", classes: 2, ["a", "b"], .table),
    Case(
      "CSV without a header, and a class that could head a column",
      "text,0\ntitle,1\nlist,2\ntable,3\nfigure,4", classes: 5, ["text", "title", "list", "table", "figure"],
      .table),
    Case("CSV without a header", "a,0\nb,1", classes: 2, ["a", "b"], .table),
    Case("CSV with semicolons", "id;label\n1;a\n2;b", classes: 2, ["a", "b"], .table),
    Case("columns between tabs", "index\tclass\n0\ta\n1\tb", classes: 2, ["a", "b"], .table),
    Case("CSV whose labels are digits", "id,label\n0,0\n1,1", classes: 2, ["0", "1"], .table),
  ]

  @Test(arguments: lines + numbered + structured)
  func `a label file is read according to its form`(_ row: Case) throws {
    for text in [row.text, row.text.replacing("\n", with: "\r\n"), "\u{FEFF}" + row.text] {
      let map = try LabelMap(parsing: Array(text.utf8), source: "labels").fitted(to: row.classes, of: "'m'")
      #expect(map.names == row.names)
      #expect(map.form == row.form)
    }
  }

  static let misfits: [(String, Int, String)] = [
    ("a\nb\nc\n", 2, "labels has 3 labels, but 'm' has 2 classes; the extra one is line 3 'c'"),
    ("a\nb\n", 3, "labels has 2 labels, but 'm' has 3 classes; the last is line 2 'b'"),
    (
      "a\nb\nc\nd\ne\n", 1,
      "labels has 5 labels, but 'm' has 1 class; the extra ones are line 2 'b', line 3 'c', line 4 'd'"
    ),
    (
      "0 a\n1 b\n2 c", 2,
      "labels has 3 labels (numbered lines), but 'm' has 2 classes; the extra one is line 3 'c'"
    ),
    (
      "item {\n id: 1\n name: 'a'\n}\nitem {\n id: 2\n name: 'b'\n}\n", 5,
      "labels has 2 labels (a label map (pbtxt)), but 'm' has 5 classes; the last is line 5 'b'"
    ),
    ("[\"a\"]", 2, "labels has 1 label (JSON), but 'm' has 2 classes"),
    (
      "class1\nclass2\nclass3", 2,
      "labels has 3 labels, but 'm' has 2 classes; the extra one is line 3 'class3'"
    ),
    (
      "label_0\nlabel_1\nlabel_2", 2,
      "labels has 3 labels, but 'm' has 2 classes; the extra one is line 3 'label_2'"
    ),
    ("class_0\nclass_1", 1, "labels has 2 labels, but 'm' has 1 class; the extra one is line 2 'class_1'"),
    (
      "1 cent\n2 cent\n1 euro\n2 euro", 3,
      "labels has 4 labels, but 'm' has 3 classes; the extra one is line 4 '2 euro'"
    ),
    ("item\na\nb", 2, "labels has 3 labels, but 'm' has 2 classes; the extra one is line 3 'b'"),
  ]

  @Test(arguments: misfits)
  func `labels that cannot fit are an error with the first lines that disagree`(
    _ text: String, _ classes: Int, _ message: String
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: classes, of: "'m'") }
    #expect(error?.message == message)
    #expect(error?.code == .countMismatch)
  }

  @Test func `a background that is class 0 stays, and an extra line shifts no name`() throws {
    func fitted(_ names: [String], _ own: Int?, classes: Int = 3) -> Result<[String], MetadataError> {
      Result { () throws(MetadataError) in
        var map = try LabelMap(parsing: Array(names.joined(separator: "\n").utf8), source: "labels")
        map.ownNames = own.map { ["background"] + (1..<$0).map { "own \($0)" } }
        return try map.fitted(to: classes, of: "'m'").names
      }
    }
    func message(_ result: Result<[String], MetadataError>) -> String? {
      if case .failure(let error) = result { error.message } else { nil }
    }
    // The model's own labels show that class 0 is the background; those for another number of classes do not.
    let stray = ["background", "a", "b", "stray"]
    #expect(
      message(fitted(stray, 3))
        == "labels has 4 labels, but 'm' has 3 classes; the extra one is line 4 'stray'")
    for own in [nil, 4] { #expect(try fitted(stray, own).get() == ["a", "b", "stray"]) }
    #expect(
      message(fitted(["a", "b", "c", "background"], 3))
        == "labels has 4 labels, but 'm' has 3 classes; the extra one is line 4 'background'")
    #expect(try fitted(["none", "background", "a", "b"], 3).get() == ["background", "a", "b"])
    #expect(try fitted(["background", "a", "b", "none"], 3).get() == ["background", "a", "b"])
    // This applies to ImageNet's 1,001 classes.
    let names = (1...1000).map { "n\($0)" }
    #expect(
      message(fitted(["background"] + names + ["stray"], nil, classes: 1001))
        == "labels has 1002 labels, but 'm' has 1001 classes; the extra one is line 1002 'stray'")
    #expect(try fitted(["background"] + names, nil, classes: 1001).get() == ["background"] + names)
    #expect(try fitted(["background"] + names, nil, classes: 1000).get() == names)
  }

  static let ends: [([String], [String]?, String?)] = [
    (
      ["a", "b", "background"], ["background", "x", "y"],
      """
      labels has the background as class 2, line 3 'background', but 'm' has it as class 0, by the model's own \
      labels; there the file has line 1 'a'
      """
    ),
    (
      ["Hintergrund", "a", "b"], ["x", "y", "__background__"],
      """
      labels has the background as class 0, line 1 'Hintergrund', but 'm' has it as class 2, by the model's own \
      labels; there the file has line 3 'b'
      """
    ),
    (
      ["a", "b", "bg", "???"], ["???", "x", "y"],
      """
      labels has the background as class 2, 'bg', but 'm' has it as class 0, by the model's own labels; there \
      the file has 'a'
      """
    ),
    (["Hintergrund", "a", "b"], ["background", "x", "y"], nil),
    (["a", "b", "background"], ["x", "y", "background"], nil),
    (["a", "b", "background"], ["background", "x", "y", "z"], nil),
    (["a", "b", "background"], ["background", "x", "none"], nil),
    (["none", "a", "background"], ["background", "x", "y"], nil),
    (["a", "b", "empty"], ["background", "x", "y"], nil), (["a", "b", "background"], ["x", "y", "z"], nil),
    (["a", "b", "background"], nil, nil),
  ]

  @Test(arguments: ends)
  func `a background at another end than the model's is an error`(
    _ names: [String], _ own: [String]?, _ message: String?
  ) throws {
    var map = try LabelMap(parsing: Array(names.joined(separator: "\n").utf8), source: "labels")
    map.ownNames = own
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: 3, of: "'m'") }
    #expect(error?.message == message)
    #expect(map.canFit(3) == (message == nil))
  }

  @Test func `ImageNet's 1,001 classes start with the background`() throws {
    let names = (1...1000).map { "n\($0)" }
    func message(_ names: [String], own: [String]? = nil) throws -> String? {
      var map = try LabelMap(parsing: Array(names.joined(separator: "\n").utf8), source: "labels")
      map.ownNames = own
      return failure { () throws(MetadataError) in _ = try map.fitted(to: 1001, of: "'m'") }?.message
    }
    let last = names + ["background"]
    #expect(
      try message(last)
        == """
        labels has the background as class 1000, line 1001 'background', but 'm' has it as class 0, like ImageNet's \
        1,001 classes; there the file has line 1 'n1'
        """)
    #expect(try message(last, own: last) == nil)
    for first in ["background", "???"] { #expect(try message([first] + names) == nil) }
    #expect(try message(["none"] + names.dropLast() + ["background"]) == nil)
    #expect(try message(names + ["n1001"]) == nil)
  }

  static let counts: [(String, Int?, Int)] = [
    ("a\nb\nc", 3, 3), ("a\nb\nc", 2, 3), ("a\nb\nc", nil, 3), ("a\n\nb", 2, 2), ("background\na\nb", 2, 2),
    ("a\nb\nN/A", 2, 2), ("background\na\nb", 3, 3), ("background\na\nb", 1, 3), ("background\na", 1, 2),
    ("a\nb\n???\n???", 2, 2),
  ]

  @Test(arguments: counts)
  func `labels count if they fit the classes, without an extra background`(
    _ text: String, _ classes: Int?, _ count: Int
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.count(fitting: classes) == count)
  }

  static let firsts: [(String, String?)] = [
    ("background\na", "background"), ("__Background__\na", "__Background__"), ("???\na", "???"),
    ("0 Hintergrund\n1 a", "Hintergrund"), ("unlabeled\na", "unlabeled"), ("empty\nfull", nil),
    ("none\na", nil), ("a\nbackground", nil), ("+\nx", nil), ("id,name\n2,a\n3,b", nil),
    (#"{"2": "a", "3": "b"}"#, nil),
  ]

  @Test(arguments: firsts)
  func `a first label that only names the background is known`(_ text: String, _ name: String?) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "labels").backgroundFirst == name)
  }

  /// Each has a label for 1 to 3 of the classes 1 to 4, or 0 to 3.
  static let unsettled: [(String, String)] = [
    ("1 a\n2 b\n3 c", "labels has 3 labels (numbered lines), but 'm' has 4 classes; the last is line 3 'c'"),
    (
      "3: c\n1: a\n2: b",
      "labels has 3 labels (numbered lines), but 'm' has 4 classes; the last is line 1 'c'"
    ),
    (
      "item { id: 1 name: 'a' }\nitem { id: 2 name: 'b' }\nitem { id: 3 name: 'c' }",
      "labels has 3 labels (a label map (pbtxt)), but 'm' has 4 classes; the last is line 3 'c'"
    ),
    (
      "id,name\n1,a\n2,b\n3,c",
      "labels has 3 labels (columns (CSV)), but 'm' has 4 classes; the last is line 4 'c'"
    ),
    (#"{"1": "a", "2": "b", "3": "c"}"#, "labels has 3 labels (JSON), but 'm' has 4 classes"),
    (
      #"{"categories": [{"id": 1, "name": "a"}, {"id": 3, "name": "c"}]}"#,
      "labels has 3 labels (JSON), but 'm' has 4 classes"
    ),
    ("names:\n  1: a\n  2: b\n  3: c\n", "labels has 3 labels (YAML), but 'm' has 4 classes"),
  ]

  @Test(arguments: unsettled)
  func `numbers from 1 that lack the last class, or a background, shift no name`(
    _ text: String, _ message: String
  ) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    let error = failure { () throws(MetadataError) in _ = try map.fitted(to: 4, of: "'m'") }
    #expect(
      error?.message
        == message + "; as its numbers start above 0, either the first or the last class has no label")
    #expect(
      error?.remedy.description
        == "Add the missing label with its number: 4 for the last class, 0 for a background")
    #expect(!map.canFit(4) && map.canFit(3))
    // With the background's column there is one score more than classes.
    #expect(map.read(as: 4)?.names.first == "???")
  }

  static let broken: [(String, String)] = [
    ("item {\n  id: 1\n  name: 'a'\n", "labels begins as a label map (pbtxt), but its line 4 is invalid"),
    (
      "item { id: 1 name: 'a' } item { id: 1 name: 'b' }",
      "labels has two items with the id 1, in line 1"
    ),
    (
      "item { id: 1 name: 'a' }\nitem { id: 2 name: 'b' }\nitem { id: 2 name: 'c' }",
      "labels has two items with the id 2, in lines 2 and 3"
    ),
    ("item { name: 'a' }\nitem { name: 'b' }", "labels has an item without an id in line 1"),
    ("item { id: 1 name: 'a' }\nitem { name: 'b' }", "labels has an item without an id in line 2"),
    (
      "item { id: 1 name: 'a' }\nitem { id: -1 name: 'b' }",
      "labels has the id -1 in line 2, which is not a class number"
    ),
    (
      "item { id: 1 name: 'a' }\nitem { id: 2 id: 3 name: 'b' }",
      "labels begins as a label map (pbtxt), but its line 2 is invalid"
    ),
    (
      "item { id: 1 name: 'a' }\nitem { id: 2 name: 'b' name: 'c' }",
      "labels begins as a label map (pbtxt), but its line 2 is invalid"
    ),
    // A number of a class that two lines have.
    ("0 cat\n3 dog\n3 owl", "labels has the class number 3 twice, in lines 2 and 3"),
    ("0: cat\n1: dog\n\n1: owl", "labels has the class number 1 twice, in lines 2 and 4"),
    ("# pets\n1) cat\n# x\n2) dog\n2) dog", "labels has the class number 2 twice, in lines 4 and 5"),
    ("id label\n0 cat\n0 dog\n1 owl", "labels has the class number 0 twice, in lines 2 and 3"),
    ("cat 0\ndog 0\nowl 1", "labels has the class number 0 twice, in lines 1 and 2"),
    ("n01440764 0\nn01443537 0\nn01484850 1", "labels has the class number 0 twice, in lines 1 and 2"),
    // One number of all lines.
    ("3 cat\n3 dog", "labels has the class number 3 twice, in lines 1 and 2"),
    ("0: cat\n\n0: dog\n0: owl", "labels has the class number 0 twice, in lines 1 and 3"),
    ("7,cat\r\n7,dog\r\n", "labels has the class number 7 twice, in lines 1 and 2"),
    ("cat (1)\ndog (1)", "labels has the class number 1 twice, in lines 1 and 2"),
    // Columns without a header.
    ("cat,0\ndog,0", "labels has the class number 0 twice, in lines 1 and 2"),
    ("cat,0\ndog,1\n# x\nowl,1", "labels has the class number 1 twice, in lines 2 and 4"),
    ("cat;1\ndog;2\nowl;2", "labels has the class number 2 twice, in lines 2 and 3"),
    ("\"0\",\"cat\"\n\"1\",\"dog\"\n\"1\",\"owl\"", "labels has the class number 1 twice, in lines 2 and 3"),
    ("cat=0\ndog=1\nowl=1", "labels has the class number 1 twice, in lines 2 and 3"),
    (
      (0..<20).map { "\($0 == 12 ? 11 : $0) n\($0)\n" }.joined(),
      "labels has the class number 11 twice, in lines 12 and 13"
    ),
    (
      (0..<20).reversed().map { "\($0 == 12 ? 11 : $0) n\($0)\n" }.joined(),
      "labels has the class number 11 twice, in lines 8 and 9"
    ),
    (
      (0..<20).map { "n\($0)x \($0 == 12 ? 11 : $0)\n" }.joined(),
      "labels has the class number 11 twice, in lines 12 and 13"
    ),
    // A key that an object has twice, or a number that two keys mean.
    ("{\"0\": \"a\",\n\"1\": \"b\",\n\"1\": \"c\"}", "labels has the key '1' twice, in lines 2 and 3"),
    (#"{"a": 0, "b": 1, "a": 2}"#, "labels has the key 'a' twice, in line 1"),
    ("{0: 'a', 1: 'b', 1: 'c'}", "labels has the key '1' twice, in line 1"),
    ("{\"names\": [\"a\"],\n\"names\": [\"b\"]}", "labels has the key 'names' twice, in lines 1 and 2"),
    (#"[{"name": "a", "name": "b"}]"#, "labels has the key 'name' twice, in line 1"),
    (#"{"0": "a", "1": "b", "01": "c"}"#, "labels has the class number 1 twice, for 'b' and 'c'"),
    (#"{"a": 0, "b": 1, "c": 1}"#, "labels has the class number 1 twice, for 'b' and 'c'"),
    (#"[[0, "a"], [0, "b"]]"#, "labels has the class number 0 twice, for 'a' and 'b'"),
    ("names:\n  0: a\n  1: b\n  1: c\n", "labels has the class number 1 twice, for 'b' and 'c'"),
    // Values that are not names.
    (#"["a", null, "b"]"#, "labels has null instead of a name at index 1"),
    (#"["a", 3, "b"]"#, "labels has 3 instead of a name at index 1"),
    (#"["a", "b", True]"#, "labels has True instead of a name at index 2"),
    (#"["a", ["x"]]"#, "labels has a list instead of a name at index 1"),
    (#"["a", {"name": "x"}]"#, "labels has an object instead of a name at index 1"),
    (##"["a", ["x", "#ff0000"]]"##, "labels has a list instead of a name at index 1"),
    (#"[["a", "x"], ["b", "x"]]"#, "labels begins as JSON, but is not a list or map of labels"),
    (#"[["a", 0], [1, "b"]]"#, "labels begins as JSON, but is not a list or map of labels"),
    (#"[["a", 0], ["b", 0]]"#, "labels has the class number 0 twice, for 'a' and 'b'"),
    (#"{"0": ["a", 0.5], "1": ["b", 0.5]}"#, "labels begins as JSON, but is not a list or map of labels"),
    (#"["a", {"x": 3}]"#, "labels has an object without a name at index 1"),
    ("['a', None]", "labels has None instead of a name at index 1"),
    (#"{"0": "a", "7": null}"#, "labels has null instead of a name for class 7"),
    (#"{"id2label": {"0": "a", "1": 5}}"#, "labels has 5 instead of a name for class 1"),
    (#"{"0": "a", "1": {"x": 3}}"#, "labels has an object without a name for class 1"),
    (#"[{"id": 1, "name": "a"}, {"id": 2, "name": null}]"#, "labels has an object without a name at index 1"),
    (#"[{"id": 1, "name": "a"}, {"id": 2}]"#, "labels has an object without a name at index 1"),
    ("names: [a, null, b]", "labels has null instead of a name at index 1"),
    ("names:\n  - a\n  - ~\n", "labels has ~ instead of a name at index 1"),
    (
      "item {\n  id: 1\n  name: 'a'\n  display_name: \"caf\\303\"\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 4 is not UTF-8"
    ),
    (
      "item {\n  id: 1\n  name: '\\q'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 3 has the unknown escape '\\q'"
    ),
    (
      "item {\n  id: 1 name: 'a\\777'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 2 has the unknown escape '\\777'"
    ),
    (
      "item {\n  id: 1 name: '\\xg'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 2 has the unknown escape '\\x'"
    ),
    (
      "item {\n  id: 1 name: 'a'\n 'b\\u12'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 3 has the unknown escape '\\u12'"
    ),
    (
      "item {\n  id: 1 name: 'a\\ud83d'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 2 has the unknown escape '\\ud83d'"
    ),
    (
      "item {\n  id: 1\n  name: 'a\n}\nitem {\n  id: 2\n  name: 'b'\n}\n",
      "labels begins as a label map (pbtxt), but a string in its line 3 has no closing quote"
    ),
    ("{\"0\": \"a\"", "labels begins as JSON, but is not a list or map of labels"),
    ("[\n\"a\"\n\"b\"", "labels begins as JSON, but is not a list or map of labels"),
    ("{\"model\": 3}", "labels begins as JSON, but is not a list or map of labels"),
    ("names: other.names\n", "labels is YAML, but its 'names' (line 1) is not a list or map of labels"),
    ("nc: 2\nnames:\n", "labels is YAML, but its 'names' (line 2) is not a list or map of labels"),
    ("names:\n  [a, b\nnc: 2\n", "labels is YAML, but its 'names' (line 1) is not a list or map of labels"),
    ("names: &n\n", "labels is YAML, but its 'names' (line 1) is not a list or map of labels"),
    ("names: *n\n", "labels is YAML, but its 'names' (line 1) is not a list or map of labels"),
    ("- a\n- \"b\n- c\n", "labels is a YAML list, but its line 2 is not a label"),
    ("---\n\n- a\n- [b\n", "labels is a YAML list, but its line 4 is not a label"),
    (
      "names:\n  - a\n  - name: b\n",
      "labels is YAML, but its 'names' (line 1) is not a list or map of labels"
    ),
    ("\n<!DOCTYPE html><html><body>a\nb\n", "labels is an HTML page, not a list of labels"),
    ("<HTML lang=\"en\">\na\n", "labels is an HTML page, not a list of labels"),
    ("404\n<html>\n</html>", "labels is an HTML page, not a list of labels"),
    ("<?xml version='1.0'?>\n<a>\n</a>\n", "labels is XML, not a list of labels"),
    ("<annotation>\n<name>a</name>\n</annotation>\n", "labels is XML, not a list of labels"),
    ("<ul>\n<li>a</li>\n</ul>\n", "labels is XML, not a list of labels"),
    ("<item name=\"a\"/>\n<item name=\"b\"/>\n", "labels is XML, not a list of labels"),
    ("A = ['a', 'b']\nB = [1, 2]\n", "labels is source code, but not just a list of labels"),
    ("x = 1\nA = [\n 'a',\n]\n", "labels is source code, but not just a list of labels"),
    ("A = np.array(['a', 'b'])\n", "labels is source code, but not just a list of labels"),
    ("val a = listOf(\n  \"a\",\n)\n", "labels is source code, but not just a list of labels"),
    (
      "const char* labels[2] = {\n  \"a\",\n  \"b\"\n};\n",
      "labels is source code, but not just a list of labels"
    ),
    ("labels := []string{\n\"a\",\n}\n", "labels is source code, but not just a list of labels"),
    (
      "String[] labels = new String[] {\n\"a\"\n};\n", "labels is source code, but not just a list of labels"
    ),
    ("class A:\n    names = ['a', 'b']\n", "labels is source code, but not just a list of labels"),
    ("A = [cat, dog]\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', dog]\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', 1]\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', None]\n", "labels is source code, but not just a list of labels"),
    ("A = [f'a', f'b']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a' 'b', 'c']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a' + x, 'b']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', 'b'] + OTHERS\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', 'b'][1:]\n", "labels is source code, but not just a list of labels"),
    ("A = [['a', 'b'], ['c']]\n", "labels is source code, but not just a list of labels"),
    ("A = [{'name': 'a'}, {'name': 'b'}]\n", "labels is source code, but not just a list of labels"),
    ("A = {'names': ['a', 'b']}\n", "labels is source code, but not just a list of labels"),
    ("A = {0: 'a', 1: b}\n", "labels is source code, but not just a list of labels"),
    ("A = ['it''s', 'b']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a\nb', 'c']\n", "labels is source code, but not just a list of labels"),
    ("A = [`a`, `b`]\n", "labels is source code, but not just a list of labels"),
    ("A = []\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', 'b']\nprint(A)\n", "labels is source code, but not just a list of labels"),
    ("A = ['a', *B]\n", "labels is source code, but not just a list of labels"),
    ("A = [\"\"\"a\"\"\", 'b']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a\\N{DOG}', 'b']\n", "labels is source code, but not just a list of labels"),
    ("A = ['a' for _ in x]\n", "labels is source code, but not just a list of labels"),
    ("A = {\n 0: 'a',\n 0: 'b',\n}\n", "labels has the key '0' twice, in lines 2 and 3"),
    ("[labels]\nnames = ['a', 'b']\n", "labels is source code, but not just a list of labels"),
    ("('a',\n'b'\n", "labels is source code, but not just a list of labels"),
    (
      "0xf a\nb\n",
      "labels has the label '0xf a' in line 1, which begins with a hexadecimal number, but not all lines have a"
        + " class number of their own"
    ),
    (
      "0xff0000 red\n0x00ff00 green\n",
      "labels has the label '0xff0000 red' in line 1, which begins with a hexadecimal number, but not all lines"
        + " have a class number of their own"
    ),
    (
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
      "labels is a Git LFS pointer, not the labels themselves"
    ),
    ("[0, a\n[1] b\n", "labels begins as JSON, but is not a list or map of labels"),
    ("[]", "labels begins as JSON, but is not a list or map of labels"),
    ("[\"a\"]\n[\"b\"]\n", "labels begins as JSON, but is not a list or map of labels"),
    (
      "{\"id\": 0, \"name\": \"a\"}\n{\"id\": 1, \"name\": \"b\"}\n",
      "labels begins as JSON, but is not a list or map of labels"
    ),
    (
      "names:\n  0:\n    id: 5\n  1:\n    id: 6\n",
      "labels is YAML, but its 'names' (line 1) is not a list or map of labels"
    ),
    (
      "names:\n  0:\n    - a\n  1:\n    - b\n",
      "labels is YAML, but its 'names' (line 1) is not a list or map of labels"
    ),
    ("a:\n  color: red\nb:\n  color: blue\n", "labels is YAML, but not a list or map of labels"),
    ("data:\n  names:\n    0: a\n    1: b\n", "labels is YAML, but not a list or map of labels"),
    ("things:\n  - a\n  - b\n", "labels is YAML, but not a list or map of labels"),
    ("- [a, animal]\n- [b, animal]\n", "labels is YAML, but not a list or map of labels"),
    ("- a\n- [b, animal]\n", "labels has a list instead of a name at index 1"),
    // Class numbers in items without a colon.
    (
      "- 2 cat\n- 0 dog\n- 1 owl",
      "labels is a YAML list with a number in each item, like those of classes, but not in their order: '2 cat', '0 dog'"
    ),
    (
      "- 2,cat\n- 0,dog\n- 1,???",
      "labels is a YAML list with a number in each item, like those of classes, but not in their order: '2,cat', '0,dog'"
    ),
    (
      "- cat - 2\n- dog - 0\n- owl - 1",
      "labels is a YAML list with a number in each item, like those of classes, but not in their order: 'cat - 2', 'dog - 0'"
    ),
    (
      "names:\n  - 2-cat\n  - 0-dog\n  - 1-owl\n",
      "labels is a YAML list with a number in each item, like those of classes, but not in their order: '2-cat', '0-dog'"
    ),
    (
      "names: [2 cat, 0 dog, 1 owl]",
      "labels is a YAML list with a number in each item, like those of classes, but not in their order: '2 cat', '0 dog'"
    ),
    (
      #"["2: cat", "0: dog", "1: owl"]"#,
      "labels is a list with a number in each item, like those of classes, but not in their order: '2: cat', '0: dog'"
    ),
    (
      "A = ['cat (2)', 'dog (0)', 'owl (1)']",
      "labels is a list with a number in each item, like those of classes, but not in their order: 'cat (2)', 'dog (0)'"
    ),
    (
      #"[["n2", "cat"], ["n0", "dog"], ["n1", "owl"]]"#,
      "labels is a list with a number in each item, like those of classes, but not in their order: 'n2 cat', 'n0 dog'"
    ),
    (
      #"{"names": [{"name": "2 cat"}, {"name": "0 dog"}, {"name": "1 owl"}]}"#,
      "labels is a list with a number in each item, like those of classes, but not in their order: '2 cat', '0 dog'"
    ),
    // Class numbers in comments.
    (
      "- cat # 2\n- dog # 0\n- owl # 1",
      "labels has a number in the comment of each label, like those of classes, but not in their order: '# 2 - cat', '# 0 - dog'"
    ),
    (
      "[\n\"cat\", // 2\n\"dog\", // 0\n\"owl\" // 1\n]",
      "labels has a number in the comment of each label, like those of classes, but not in their order: '// 2 \"cat\",', '// 0 \"dog\",'"
    ),
    (
      "A = [  # 3 pets\n  # class 2\n  'cat',\n  # class 0\n  'dog',\n  # class 1\n  'owl',\n]",
      "labels has a number in the comment of each label, like those of classes, but not in their order: '# class 2 'cat',', '# class 0 'dog','"
    ),
    // The numbers of no classes, and other values.
    ("- cat: 9\n- dog: 3\n- bird: 7", "labels is YAML, but not a list or map of labels"),
    ("- {cat: 9}\n- {dog: 3}", "labels is YAML, but not a list or map of labels"),
    ("- cat: -1\n- dog: 0\n- bird: 1", "labels is YAML, but not a list or map of labels"),
    ("- cat: x\n- dog: y", "labels is YAML, but not a list or map of labels"),
    ("- cat:\n- dog:", "labels is YAML, but not a list or map of labels"),
    ("- cat: 2,\n- dog: 0,\n- bird: 1,", "labels is YAML, but not a list or map of labels"),
    ("- cat: [9, 0, 0]\n- dog: [0, 9, 0]", "labels is YAML, but not a list or map of labels"),
    ("- a: 0\n- b: 0\n", "labels has the class number 0 twice, for 'a' and 'b'"),
  ]

  @Test(arguments: broken)
  func `a file that only starts in a form is an error`(_ text: String, _ message: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.message == message)
    #expect(error?.code == .badLabels)
  }

  @Test func `lines may end with CR only, and UTF-16 is an error`() throws {
    for (text, names) in [
      ("a\rb\r", ["a", "b"]), ("names:\r  - a\r  - b\r", ["a", "b"]), ("a\r", ["a"]),
      ("a\rb\rc\n", ["a", "b", "c"]), ("a\rb\r\n", ["a", "b"]), ("a\r\n", ["a"]), ("a\rb", ["a", "b"]),
      ("names:\r  - a\r  - b\n", ["a", "b"]),
    ] {
      #expect(try LabelMap(parsing: Array(text.utf8), source: "labels").names == names)
    }
    for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF], []] {
      let isBig = mark.first == 0xFE
      let wide = mark + "a\nb\n".utf8.flatMap { (byte: UInt8) -> [UInt8] in isBig ? [0, byte] : [byte, 0] }
      let error = failure { () throws(MetadataError) in _ = try LabelMap(parsing: wide, source: "labels") }
      #expect(error?.code == .badLabels)
      #expect(
        error?.remedy.description == "Save the file as UTF-8 text"
          + (mark.isEmpty ? "" : ", or convert it with iconv -f UTF-16 -t UTF-8"))
      #expect(error?.message.hasPrefix("labels is UTF-16 text") == !mark.isEmpty)
    }
  }

  /// An archive of entries with the same content.
  private static func archive(_ entries: [String], content: String = "") -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      bytes += [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 22)
      bytes += [UInt8(entry.utf8.count), 0, 0, 0]
      bytes += Array((entry + content).utf8)
    }
    return bytes
  }

  static let foreign: [(bytes: [UInt8], what: String, remedy: String)] = [
    (
      Array("{\\rtf1\\ansi{\\fonttbl}\ncat\\par\ndog}".utf8), "an RTF document",
      "Save it as plain text (UTF-8), one label per line"
    ),
    (
      Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 10], "a PDF document",
      "Copy its labels into a text file (UTF-8), one label per line"
    ),
    (
      archive(["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"]), "a spreadsheet",
      "Save its sheet as CSV (UTF-8), and give that file"
    ),
    (
      archive(["mimetype"], content: "application/vnd.oasis.opendocument.spreadsheet"), "a spreadsheet",
      "Save its sheet as CSV (UTF-8), and give that file"
    ),
    (
      archive(["_rels/.rels", "x/x", "word/document.xml"]), "a text document",
      "Save it as plain text (UTF-8), one label per line"
    ),
    (
      archive(["mimetype"], content: "application/vnd.oasis.opendocument.text"), "a text document",
      "Save it as plain text (UTF-8), one label per line"
    ),
    (
      archive(["labels.txt", "xl/workbook.xml"]), "a ZIP archive",
      "Unpack it, and give the label file in it"
    ),
    (archive([]) + [0x50, 0x4B, 3, 4], "a ZIP archive", "Unpack it, and give the label file in it"),
    (
      [0x1F, 0x8B, 8, 0], "a gzip file", "Unpack it with gunzip or tar xzf, and give the label file in it"
    ),
    (
      Array("BZh91AY&SY".utf8) + [0], "a bzip2 file", "Unpack it with bunzip2, and give the label file in it"
    ),
    (
      [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], "a document of Microsoft Office",
      "Save a sheet as CSV (UTF-8), or text as plain text (UTF-8)"
    ),
    (
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], "a PNG image",
      "Give a text file (UTF-8) with one label per line"
    ),
    (
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a JPEG image",
      "Give a text file (UTF-8) with one label per line"
    ),
    (
      [0x1C, 0, 0, 0] + Array("TFL3".utf8), "a TFLite model",
      "Leave it out: labels in a model's own metadata are used without a label file"
    ),
  ]

  @Test(arguments: foreign)
  func `a file of another kind is named, with the way to a label file`(
    _ bytes: [UInt8], _ what: String, _ remedy: String
  ) {
    let error = failure { () throws(MetadataError) in _ = try LabelMap(parsing: bytes, source: "l") }
    #expect(error?.code == .badLabels)
    #expect(error?.message == "l is \(what), not a list of labels")
    #expect(error?.remedy.description == remedy)
  }

  @Test(arguments: ["PK", "GIF89a", "BZh", "RIFF", "%PDF", "abcdTFL3", "PNG"])
  func `labels that begin like a file of another kind are labels`(_ label: String) throws {
    #expect(try LabelMap(parsing: Array("\(label)\ndog\n".utf8), source: "l").names == [label, "dog"])
  }

  static let publicIDs: [(text: String, names: [String])] = [
    ("n01440764 tench, Tinca tinca\nn01443537 goldfish\n", ["tench, Tinca tinca", "goldfish"]),
    ("n01440764\ttench\nn01443537\tgoldfish", ["tench", "goldfish"]),
    ("/m/011k07,Tortoise\n/m/011q46kg,Container\n", ["Tortoise", "Container"]),
    ("/m/011k07,\"Tool, hand\"\n/g/11_a,Container\n", ["Tool, hand", "Container"]),
    // Without labels, in one line of two, twice, of another length, and in a single line.
    ("n01440764\nn01443537\n", ["n01440764", "n01443537"]),
    ("n01440764 tench\ngoldfish\n", ["n01440764 tench", "goldfish"]),
    ("n01440764 tench\nn01440764 goldfish\n", ["n01440764 tench", "n01440764 goldfish"]),
    ("n0144076 tench\nn0144353 goldfish\n", ["n0144076 tench", "n0144353 goldfish"]),
    ("/x/a b\n/x/b c\n", ["/x/a b", "/x/b c"]),
    ("/m/ a\n/m/ b\n", ["/m/ a", "/m/ b"]),
    ("n01440764 tench\n", ["n01440764 tench"]),
    // A background at one end.
    (
      "background\nn01440764 tench, Tinca tinca\nn01443537 goldfish",
      ["background", "tench, Tinca tinca", "goldfish"]
    ),
    ("n01440764\ttench\nn01443537\tgoldfish\nbackground", ["tench", "goldfish", "background"]),
    ("dummy\nn01440764,\"tench, big\"\nn01443537,\"goldfish\"", ["dummy", "tench, big", "goldfish"]),
    (
      "n01440764 tench\nbackground\nn01443537 goldfish",
      ["n01440764 tench", "background", "n01443537 goldfish"]
    ),
    // In quotes.
    ("\"n01440764 tench\"\n\"n01443537 goldfish\"", ["n01440764 tench", "n01443537 goldfish"]),
  ]

  @Test(arguments: publicIDs)
  func `the ids of WordNet and Freebase are not part of labels`(_ text: String, _ names: [String]) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "labels").names == names)
  }

  static let colored: [(text: String, names: [String])] = [
    (
      "# label:color_rgb:parts:actions\nbackground:0,0,0::\ntraffic light:128,0,0:a,b:\n",
      ["background", "traffic light"]
    ),
    ("64 128 64\tAnimal\n192 0 128\t\tArchway\r\n0 0 0 Void", ["Animal", "Archway", "Void"]),
    // Colours that count, not numbers of classes.
    ("0 0 0 void\n1 1 1 dog\n2 2 2 bird", ["void", "dog", "bird"]),
    // Behind spaces, sizes belong to the labels; in quotes, all numbers do, and so does what makes labels
    // differ.
    ("void 0 0 0\ntraffic light 128 0 0\n", ["void", "traffic light"]),
    ("tile 10 20 5\ntile 20 20 5\ntile 30 30 5", ["tile 10 20 5", "tile 20 20 5", "tile 30 30 5"]),
    ("\"brick 2 4 1\"\n\"plate 1 2 3\"", ["brick 2 4 1", "plate 1 2 3"]),
    ("\"2 4 1 brick\"\n\"1 2 3 plate\"", ["2 4 1 brick", "1 2 3 plate"]),
    ("\"cat:128,0,0::\"\n\"dog:0,0,1::\"", ["cat:128,0,0::", "dog:0,0,1::"]),
    ("10 20 5 tile\n20 20 5 tile", ["10 20 5 tile", "20 20 5 tile"]),
    // Columns and brackets.
    ("0,0,0,void\n1,1,1,dog", ["void", "dog"]), ("0;0;0;void\n1;1;1;dog", ["void", "dog"]),
    ("0\t0\t0\tvoid\n1\t1\t1\tdog", ["void", "dog"]), ("0 0 0, void\n1 1 1, dog", ["void", "dog"]),
    ("(0, 0, 0) void\n[1, 1, 1] dog", ["void", "dog"]),
    ("#000000 void\n#ff0000 dog", ["void", "dog"]),
    ("128,0,0,cat\n0,128,0,\"dog, wild\"", ["cat", "dog, wild"]),
    ("cat,128,0,0\nopus 1,0,128,0", ["cat", "opus 1"]),
    ("\"128\",\"0\",\"0\",\"cat\"\n\"0\",\"9\",\"0\",\"dog\"", ["cat", "dog"]),
    // With alpha, with class numbers, and with more columns behind them.
    ("128 0 0 255 cat\n0 128 0 255 dog", ["cat", "dog"]),
    ("0 128 0 0 cat\n1 0 128 0 dog", ["cat", "dog"]), ("1,9,9,9,wall\n2,8,8,8,sky", ["wall", "sky"]),
    ("0: 128 0 0 cat\n1: 0 128 0 dog", ["cat", "dog"]), ("0: 128,0,0,cat\n1: 0,128,0,dog", ["cat", "dog"]),
    ("1=>128 0 0 cat\n2=>0 128 0 dog", ["cat", "dog"]), ("0 -> 9;9;9;cat\n1 -> 8;8;8;dog", ["cat", "dog"]),
    ("0 = 128 0 0 cat\n1 = 0 128 0 dog", ["cat", "dog"]), ("1. 128 0 0 cat\n2. 0 128 0 dog", ["cat", "dog"]),
    ("0 - 128 0 0 cat\n1 - 0 128 0 dog", ["cat", "dog"]),
    ("\"0\": (128, 0, 0) cat\n\"1\": (0, 128, 0) dog", ["cat", "dog"]),
    ("0: 128 0 0 cat,\n1: 0 128 0 dog", ["cat", "dog"]),
    ("0: 128 0 0 a\n1: 0 128 0 b\n2: 9 9 0 c", ["a", "b", "c"]),
    ("0: 128 0 0 cat\n1: 0 128 0 ???\n2: 9 9 9 ???", ["cat", "???", "???"]),
    ("0: tile 10 20 5\n1: brick 20 20 5", ["tile 10 20 5", "brick 20 20 5"]),
    ("0: 10 20 5 tile\n1: 20 20 5 tile", ["10 20 5 tile", "20 20 5 tile"]),
    ("0: \"2 4 1 brick\"\n1: \"1 2 3 plate\"", ["2 4 1 brick", "1 2 3 plate"]),
    ("0 0 0 0 0 0 0 \"Clear Label\"\n1 255 0 0 1 1 1 \"dog\"", ["Clear Label", "dog"]),
    ("0,cat,128,0,0\n1,dog,0,128,0", ["cat", "dog"]), ("cat,0,128,0,0\ndog,1,0,128,0", ["cat", "dog"]),
    ("cat;128;0;0;0\ndog;0;128;0;1", ["cat", "dog"]),
    // A header, a comment and a blank line.
    ("r g b name\n128 0 0 cat\n0 128 0 dog", ["cat", "dog"]),
    ("#colours\n128 0 0 cat\n0 128 0 dog\n\n", ["cat", "dog"]),
    // A single line, a number above 255, two numbers, a text without a label or a colour.
    ("cat:128,0,0::", ["cat:128,0,0::"]), ("a:1,2,256::\nb:1,2,3::", ["a:1,2,256::", "b:1,2,3::"]),
    ("a:1,2::\nb:1,2::", ["a:1,2::", "b:1,2::"]), (":1,2,3::\nb:1,2,3::", [":1,2,3::", "b:1,2,3::"]),
    ("64 128 64 a\nb", ["64 128 64 a", "b"]), ("1 2 3 4\n5 6 7 8", ["1 2 3 4", "5 6 7 8"]),
    ("300 2 3 cat\n2 3 4 dog", ["300 2 3 cat", "2 3 4 dog"]),
    ("1,2,3-trichlorobenzene\n1,2,4-trimethylbenzene", ["1,2,3-trichlorobenzene", "1,2,4-trimethylbenzene"]),
  ]

  @Test(arguments: colored)
  func `the colours of labels are not part of them`(_ text: String, _ names: [String]) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "labels").names == names)
  }

  @Test(arguments: [
    "1 Left-Cerebral 70 130 180 0\n2 Brain-Stem 245 245 245 0", "0 wall 120 120 120\n1 sky 6 230 230",
    "wall 0 120 120 120\nsky 1 6 230 230", "void 0 0 0\ndog 1 1 1\nbird 2 2 2",
    "7 0 road 128 64 128\n8 1 sidewalk 244 35 232", "2,1,9,9,wall\n0,5,8,8,sky\n1,6,8,8,sea",
    "road 128 64 128\nsidewalk 244 35 232", "0: box 200 150 100\n1: crate 120 80 60",
    "7,cat,128,0,0\n9,dog,64,128,0", "192-168-0-1 cat\n10-0-0-1 dog", "0.5 0 0 cat\n0 0.5 0 dog",
    "128,0,0,cat,1\n0,128,0,dog,2", "128,0,0,cat,Katze\n0,128,0,dog,Hund",
    "2,0,1,cat\n0,1,5,dog\n1,2,9,bird", "1: 10 20 30 40 litres\n2: 20 30 40 50 gallons",
    "0: 128 0 0 7 up\n1: 0 128 0 5 star",
  ])
  func `colours in columns whose meaning is open are an error`(_ text: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "l")
    }
    #expect(error?.code == .badLabels)
    let first = text.split(separator: "\n")[0]
    #expect(error?.message == "l looks like a table of colours: line 1 is '\(first)'")
    #expect(
      error?.remedy.description
        == "Give the names without the numbers, one per line, or in quotes if the numbers belong to them")
  }

  @Test func `colours do not hide the number of classes`() throws {
    let map = try LabelMap(parsing: Array("1 9 9 9 wall\n2 8 8 8 sky".utf8), source: "l")
    #expect(map.names == ["wall", "sky"] && map.read(as: 3)?.names == ["???", "wall", "sky"])
    // A sign marks the numbers, whatever they are.
    let marked = try LabelMap(parsing: Array("0: 9 0 0 a\n2: 0 9 0 b\n3: 9 9 0 c".utf8), source: "l")
    #expect(try marked.fitted(to: 4, of: "'m'").names == ["a", "???", "b", "c"])
    let blank = try LabelMap(parsing: Array("128 0 0 cat\n\n0 128 0 dog".utf8), source: "l")
    #expect(try blank.fitted(to: 3, of: "'m'").names == ["cat", "", "dog"])
    #expect(try blank.fitted(to: 2, of: "'m'").names == ["cat", "dog"])
  }

  static let nameless: [(text: String, names: [String])] = [
    ("0: cat\n1:\n2: bird", ["cat", "???", "bird"]), ("0 cat\n1\n2 bird", ["cat", "???", "bird"]),
    ("0) cat\n1)\n2) bird", ["cat", "???", "bird"]), ("0\tcat\n1\t\n2\tbird", ["cat", "???", "bird"]),
    ("1: cat\n2:\n3: bird", ["cat", "???", "bird"]), ("0,cat\n1,\n2,bird", ["cat", "???", "bird"]),
    ("0: cat\n1:\n2:", ["cat", "???", "???"]),
    ("id,name\n0,cat\n1,\n2,bird", ["cat", "???", "bird"]),
    ("id,name\n0,cat\n1\n2,bird", ["cat", "???", "bird"]),
    ("id,name\n0,cat\n1,dog\n2", ["cat", "dog", "???"]),
    ("ID;Klasse\n0;Katze\n1;\n2;Vogel", ["Katze", "???", "Vogel"]),
    ("name,id\ncat,0\n,1\nbird,2", ["cat", "???", "bird"]), ("cat,0\n,1\nbird,2", ["cat", "???", "bird"]),
    ("name,colour\ncat,red\n,blue\nbird,grey", ["cat", "", "bird"]),
    // Numbers that are labels.
    ("0\n1\n2 or more", ["0", "1", "2 or more"]), ("1\n2\n3", ["1", "2", "3"]),
    ("0 cars\n1\n2 cars", ["0 cars", "1", "2 cars"]), ("16) x\n17)\ny", ["16) x", "17)", "y"]),
  ]

  @Test(arguments: nameless)
  func `a number without a label is a class without a name`(_ text: String, _ names: [String]) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "l")
    #expect(try map.fitted(to: names.count, of: "'m'").names == names)
  }

  @Test func `the marks of a merge conflict are an error`() {
    let text = "cat\n<<<<<<< HEAD\ndog\n=======\nwolf\n>>>>>>> main\nbird"
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "l")
    }
    #expect(error?.message == "l has the marks of a merge conflict in git, the first in line 2")
  }

  @Test func `a line for Excel and a second byte order mark are not labels`() throws {
    #expect(
      try LabelMap(parsing: Array("sep=;\nid;name\n0;cat\n1;dog".utf8), source: "l").names == ["cat", "dog"])
    #expect(
      try LabelMap(parsing: Array("\u{FEFF}\u{FEFF}cat\ndog".utf8), source: "l").names == ["cat", "dog"])
  }

  @Test func `changes to a file are known`() throws {
    func remarks(_ text: String, _ classes: Int) throws -> [String] {
      try LabelMap(parsing: Array(text.utf8), source: "labels").fitted(to: classes, of: "'m'").remarks
    }
    #expect(try remarks("a\nb", 2) == [])
    #expect(try remarks("# x\nlabel\na\n\nb\n", 2) == ["without a header, a comment, a blank line"])
    #expect(try remarks("0 a\n3 d\n1 b", 4) == ["numbered from 0", "1 class without a label"])
    #expect(try remarks("n00000001 a\nn00000002 b", 2) == ["without the ids before the labels"])
    #expect(try remarks("a:1,2,3::\nb:4,5,6::", 2) == ["without the colours of the labels"])
  }

  @Test func `labels of a file that counts to a hundred million are its lines`() throws {
    let map = try LabelMap(parsing: Array("0 a\n99999999 b".utf8), source: "labels")
    #expect(map.names == ["0 a", "99999999 b"])
  }

  @Test func `display names follow the class names`() throws {
    var output = TensorMetadata(name: "score")
    output.files = [
      AssociatedFile(name: "l.txt", kind: .axisLabels),
      AssociatedFile(name: "e.txt", kind: .axisLabels, locale: "en"),
    ]
    var metadata = ModelMetadata()
    metadata.files = output.files
    let model = try MetadataWriter.write(
      metadata,
      files: [
        SyntheticModel.file("l.txt", "background\na\n\nb\n"), SyntheticModel.file("e.txt", "None\nA\n\nB\n"),
      ], to: SyntheticModel.make())
    let map = try #require(try LabelMap.read(for: output, locale: "en", model: model))
    let whole = try map.fitted(to: 4, of: "'m'")
    #expect(whole.names == ["background", "a", "", "b"] && whole.displayNames == ["None", "A", "", "B"])
    let closed = try map.fitted(to: 2, of: "'m'")
    #expect(closed.names == ["a", "b"] && closed.displayNames == ["A", "B"])
  }
}
