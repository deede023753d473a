// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// The colours next to labels, in every form of label files: they never are part of a label.
@Suite struct LabelColorTests {
  /// The labels are `dog` and `cat`.
  static let ofTwo = [
    // A class number with a sign, and separators without spaces.
    "0:128:0:0:dog\n1:0:128:0:cat", "0-128 0 0 dog\n1-0 128 0 cat", "0-128-0-0-dog\n1-0-128-0-cat",
    "0:128,0,0:dog\n1:0,128,0:cat", "0:(128,0,0):dog\n1:(0,128,0):cat", "1:128:0:0:dog\n2:0:128:0:cat",
    "128:0:0:dog\n0:128:0:cat", "128,0,0: dog\n0,128,0: cat", "128/0/0 dog\n0/128/0 cat",
    "(128,0,0): dog\n(0,128,0): cat", "128 0 0 = dog\n0 128 0 = cat", "128-0-0 dog\n0-128-0 cat",
    // Three numbers behind each label.
    "0: dog 128 0 0\n1: cat 0 128 0", "0 dog 128 0 0\n1 cat 0 128 0", "1) dog 128 0 0\n2) cat 0 128 0",
    "1: cat 0 128 0\n0: dog 128 0 0", "dog 128 0 0\ncat 0 128 0", "dog   128   0  0\ncat     0 128  0",
    "dog\t128 0 0\ncat\t0 128 0", "0\tdog\t128 0 0\n1\tcat\t0 128 0", "0,dog,128 0 0\n1,cat,0 128 0",
    "dog, 128, 0, 0\ncat, 0, 128, 0", "0, dog, 128, 0, 0\n1, cat, 0, 128, 0", "dog:128:0:0\ncat:0:128:0",
    "0:dog:128:0:0\n1:cat:0:128:0", "0: dog: 128,0,0\n1: cat: 0,128,0", "dog=128,0,0\ncat=0,128,0",
    "dog: [128, 0, 0]\ncat: [0, 128, 0]", "dog (128, 0, 0)\ncat (0, 128, 0)", "dog - 128 0 0\ncat - 0 128 0",
    "dog -> 128 0 0\ncat -> 0 128 0", "dog {128,0,0}\ncat {0,128,0}", "[0] dog 128 0 0\n[1] cat 0 128 0",
    "0 | dog | 128 0 0\n1 | cat | 0 128 0", "0: dog:128,0,0::\n1: cat:0,128,0::",
    "dog 128 0 0 255\ncat 0 128 0 255", "0: dog 128 0 0 255\n1: cat 0 128 0 255",
    // The colour in quotes.
    "0,dog,\"128,0,0\"\n1,cat,\"0,128,0\"", "dog,\"128, 0, 0\"\ncat,\"0, 128, 0\"",
    "\"128,0,0\",dog\n\"0,128,0\",cat", "\"dog\";\"128,0,0\"\n\"cat\";\"0,128,0\"",
    "dog\t\"(128, 0, 0)\"\ncat\t\"(0, 128, 0)\"", "\"dog\",\"128\",\"0\",\"0\"\n\"cat\",\"0\",\"128\",\"0\"",
    // Colours as CSS writes them, before and behind.
    "dog rgb(128,0,0)\ncat rgb(0,128,0)", "dog RGB(128, 0, 0)\ncat RGB(0, 128, 0)",
    "dog rgba(128,0,0,0.5)\ncat rgba(0,128,0,1)", "dog hsl(0, 100%, 50%)\ncat hsl(120, 100%, 50%)",
    "rgb(128,0,0) dog\nrgb(0,128,0) cat", "rgb(128, 0, 0), dog\nrgb(0, 128, 0), cat",
    "0 rgb(128,0,0) dog\n1 rgb(0,128,0) cat", "0: dog rgb(128,0,0)\n1: cat rgb(0,128,0)",
    "0,dog,\"rgb(128,0,0)\"\n1,cat,\"rgb(0,128,0)\"", "0\tdog\trgb(128,0,0)\n1\tcat\trgb(0,128,0)",
    "#800000 dog\n#008000 cat", "dog #800000\ncat #008000", "dog,#800000\ncat,#008000",
    "dog:#800000\ncat:#008000", "dog=#800000\ncat=#008000", "dog\t#800000\ncat\t#008000",
    "dog (#800000)\ncat (#008000)", "dog \"#800000\"\ncat \"#008000\"", "dog #F00\ncat #000",
    "dog #800000ff\ncat #008000ff", "#800000,dog\n#008000,cat", "#800000: dog\n#008000: cat",
    "0 #800000 dog\n1 #008000 cat", "0:#800000:dog\n1:#008000:cat", "0,#800000,dog\n1,#008000,cat",
    "#800000,0,dog\n#008000,1,cat", "0 dog #800000\n1 cat #008000", "0;dog;#800000\n1;cat;#008000",
    "1: cat #008000\n0: dog #800000", "dog 0x800000\ncat 0x008000", "0 0x800000 dog\n1 0x008000 cat",
    "dog color=#800000\ncat color=#008000", "id=0 name=dog color=#800000\nid=1 name=cat color=#008000",
    // Ids of WordNet and Freebase, with and without class numbers.
    "/m/01 dog 128 0 0\n/m/02 cat 0 128 0", "n01440764 dog 128 0 0\nn01443537 cat 0 128 0",
    "n01440764,dog,128,0,0\nn01443537,cat,0,128,0", "/m/01,\"dog\",128,0,0\n/m/02,\"cat\",0,128,0",
    "128 0 0 n01440764 dog\n0 128 0 n01443537 cat", "128,0,0,n01440764,dog\n0,128,0,n01443537,cat",
    "128/0/0 /m/01 dog\n0/128/0 /m/02 cat", "n01440764: dog (128, 0, 0)\nn01443537: cat (0, 128, 0)",
    "n01440764 128 0 0 dog\nn01443537 0 128 0 cat", "/m/01\tdog\t128 0 0\n/m/02\tcat\t0 128 0",
    "0 /m/01 dog 128 0 0\n1 /m/02 cat 0 128 0", "0,n01440764,dog,128,0,0\n1,n01443537,cat,0,128,0",
    "n01440764 0 dog 128 0 0\nn01443537 1 cat 0 128 0", "0 128 0 0 /m/01 dog\n1 0 128 0 /m/02 cat",
    "1: /m/02 cat 0 128 0\n0: /m/01 dog 128 0 0",
    "[0] n01440764 dog (128, 0, 0)\n[1] n01443537 cat (0, 128, 0)",
    "n01440764 #800000 dog\nn01443537 #008000 cat", "/m/01 dog:128,0,0::\n/m/02 cat:0,128,0::",
    "id name r g b\nn01440764 dog 128 0 0\nn01443537 cat 0 128 0",
    // Headers, comments, ends of lines, and a byte order mark.
    "class_id,name,r,g,b\n0,dog,128,0,0\n1,cat,0,128,0", "class_id name r g b\n0 dog 128 0 0\n1 cat 0 128 0",
    "\u{FEFF}class_id,name,r,g,b\r\n0,dog,128,0,0\r\n1,cat,0,128,0\r\n",
    "class_id\tname\tr\tg\tb\r\n0\tdog\t128\t0\t0\r\n1\tcat\t0\t128\t0\r\n",
    "name r g b\ndog 128 0 0\ncat 0 128 0", "id name color\n0 dog #800000\n1 cat #008000",
    "name,color\ndog,#800000\ncat,#008000", "id,name,rgb\n0,dog,\"128,0,0\"\n1,cat,\"0,128,0\"",
    "# label colour\n#800000 dog\n#008000 cat", "\u{FEFF}dog 128 0 0\r\ncat 0 128 0\r\n",
    "\u{FEFF}dog\t#800000\r\ncat\t#008000\r\n",
    // YAML.
    "names:\n  0: {name: dog, color: [128,0,0]}\n  1: {name: cat, color: [0,128,0]}",
    "names:\n  - {id: 0, name: dog, color: '#800000'}\n  - {id: 1, name: cat, color: '#008000'}",
    "- {id: 0, name: dog, color: '#800000'}\n- {id: 1, name: cat, color: '#008000'}",
    "- id: 0\n  name: dog\n  color: [128, 0, 0]\n- id: 1\n  name: cat\n  color: [0, 128, 0]",
    "0: {name: dog, color: [128,0,0]}\n1: {name: cat, color: [0,128,0]}",
    "dog: {id: 0, color: [128,0,0]}\ncat: {id: 1, color: [0,128,0]}",
    "names:\n  dog: {id: 0, color: '#800000'}\n  cat: {id: 1, color: '#008000'}",
    "names:\n  0: [dog, [128,0,0]]\n  1: [cat, [0,128,0]]",
    "names:\n  - [dog, 128, 0, 0]\n  - [cat, 0, 128, 0]",
    "names:\n  - dog #800000\n  - cat #008000", "names: [dog, cat]\ncolors: [[128,0,0],[0,128,0]]",
    // JSON, also of annotation tools.
    #"[{"id":0,"name":"dog","color":[128,0,0]},{"id":1,"name":"cat","color":[0,128,0]}]"#,
    ##"[{"name":"dog","color":"#f00","attributes":[]},{"name":"cat","color":"#0f0","attributes":[]}]"##,
    ##"{"classes":[{"title":"dog","color":"#F00"},{"title":"cat","color":"#0F0"}],"tags":[{"name":"x"}]}"##,
    ##"{"labels":[{"value":"dog","background":"#FFA39E"},{"value":"cat","background":"#D4380D"}]}"##,
    #"{"dog":{"id":0,"color":[128,0,0]},"cat":{"id":1,"color":[0,128,0]}}"#,
    #"{"0":["dog",[128,0,0]],"1":["cat",[0,128,0]]}"#, ##"[["dog","#800000"],["cat","#008000"]]"##,
    #"[[0,"dog",[128,0,0]],[1,"cat",[0,128,0]]]"#, #"[["dog",128,0,0],["cat",0,128,0]]"#,
  ]

  @Test(arguments: ofTwo)
  func `a colour is no part of a label in any form of file`(_ text: String) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "l").names == ["dog", "cat"])
  }

  static let others: [(text: String, names: [String])] = [
    // Labels that begin with a number, or with a sign.
    ("128 0 0 dog\n0 128 0 3d printer", ["dog", "3d printer"]),
    ("128,0,0,dog\n0,128,0,2 wheeler", ["dog", "2 wheeler"]),
    ("0 128 0 0 dog\n1 0 128 0 2 wheeler", ["dog", "2 wheeler"]),
    ("0: 128 0 0 dog\n1: 0 128 0 4x4", ["dog", "4x4"]),
    ("dog,128,0,0\n2 wheeler,0,128,0", ["dog", "2 wheeler"]),
    ("0,dog,128,0,0\n1,2 wheeler,0,128,0", ["dog", "2 wheeler"]),
    ("dog:128,0,0::\n2 wheeler:0,128,0::", ["dog", "2 wheeler"]),
    ("#800000 dog\n#008000 2 wheeler", ["dog", "2 wheeler"]),
    ("128 0 0 (other)\n0 128 0 dog", ["(other)", "dog"]),
    ("128,0,0,5 mm\n0,128,0,2 wheeler\n0,0,128,cat", ["5 mm", "2 wheeler", "cat"]),
    ("128 0 0 2 wheeler\n0 128 0 3 wheeler", ["2 wheeler", "3 wheeler"]),
    ("0: 128 0 0 5 mm\n1: 0 128 0 😀\n2: 0 0 128 .net", ["5 mm", "😀", ".net"]),
    ("(128, 0, 0) 0.5 mm\n(0, 128, 0) (cat)\n(0, 0, 128) +", ["0.5 mm", "(cat)", "+"]),
    ("dog,128,0,0\n7,0,128,0\ncat,0,0,128", ["dog", "7", "cat"]),
    ("0,5 mm,128,0,0\n1,7,0,128,0\n2,cat,0,0,128", ["5 mm", "7", "cat"]),
    ("[128, 0, 0] dog\n[0, 128, 0] cat", ["dog", "cat"]),
    // Labels in quotes, also with a separator in them, and names for no object.
    ("\"dog, big\",128,0,0\n\"cat\",0,128,0", ["dog, big", "cat"]),
    ("'dog';128;0;0\n'cat';0;128;0", ["dog", "cat"]),
    ("dog,128,0,0\n???,0,128,0\n???,0,0,128", ["dog", "???", "???"]),
    ("0\tdog\t128\t0\t0\n1\t???\t0\t128\t0", ["dog", "???"]),
    // CVAT's files without colours.
    ("# label:color_rgb:parts:actions\nbackground:::\ndog:::", ["background", "dog"]),
    ("dog:128,0,0::\ncat:::", ["dog", "cat"]), ("dog::head,leg:walk\ncat:::", ["dog", "cat"]),
    ("dog:128,0,0:head:walk\ncat::leg:", ["dog", "cat"]),
    ("std::vector:x\ncat", ["std::vector:x", "cat"]), ("0::a:b\n1::c:d", ["a:b", "c:d"]),
    // Labels that end with a number, or with a bracket.
    ("route 66 128 0 0\ncat 0 128 0", ["route 66", "cat"]),
    ("covid-19 128 0 0\nflu 0 128 0", ["covid-19", "flu"]),
    ("dog (big) 128 0 0\ncat 0 128 0", ["dog (big)", "cat"]),
    ("dog (big) #800000\ncat #008000", ["dog (big)", "cat"]),
    // Few of the colours of a palette have a zero, and one suffices.
    ("road 128 64 128\nsidewalk 244 35 232\ncar 0 0 142", ["road", "sidewalk", "car"]),
    ("0: a 128 0 0\n1: b 0 128 0\n2: c 9 9 9", ["a", "b", "c"]), ("犬 128 0 0\n猫 0 128 0", ["犬", "猫"]),
    ("犬：128,0,0\n猫：0,128,0", ["犬", "猫"]), ("dog #800000\n\ncat #008000", ["dog", "", "cat"]),
    // One line.
    ("0:128:0:0:dog", ["dog"]), ("128 0 0 dog", ["dog"]), ("dog #800000", ["dog"]),
    ("0: {name: dog, color: [128,0,0]}", ["dog"]), ("route 66 0 200", ["route 66 0 200"]),
    // Three numbers on one line among several, sizes, and labels that do not differ without them.
    ("cat\ndog\nroute 66 1 2", ["cat", "dog", "route 66 1 2"]),
    ("0: cat\n1: route 66 1 2\n2: dog", ["cat", "route 66 1 2", "dog"]),
    ("0 cat\n1 route 66 0 128\n2 dog", ["cat", "route 66 0 128", "dog"]),
    ("tile 10 20 5\nbrick 20 20 5", ["tile 10 20 5", "brick 20 20 5"]),
    ("/m/01 tile 10 20 5\n/m/02 brick 20 20 5", ["tile 10 20 5", "brick 20 20 5"]),
    ("/m/01 tile 128 0 0\n/m/01 brick 0 128 0", ["/m/01 tile", "/m/01 brick"]),
    ("0: tile 0 20 5\n1: brick 20 20 5", ["tile 0 20 5", "brick 20 20 5"]),
    ("tile 128 0 0\ntile 0 128 0", ["tile 128 0 0", "tile 0 128 0"]),
    ("tile 128 0 0\ntile 0 128 0\ndog", ["tile 128 0 0", "tile 0 128 0", "dog"]),
    ("1-2-3 block\n4-5-6 stone", ["1-2-3 block", "4-5-6 stone"]),
    ("10:30:00 show\n11:30:00 game", ["10:30:00 show", "11:30:00 game"]),
    ("bolt 1.5 2.5 3.5\nnut 1 2 3.5", ["bolt 1.5 2.5 3.5", "nut 1 2 3.5"]),
    // Labels that are colours, that may be numbers, and labels in quotes.
    ("#ff0000\n#00ff00", ["#ff0000", "#00ff00"]), ("0 #ff0000\n1 #00ff00", ["#ff0000", "#00ff00"]),
    ("hall #101\nroom #102", ["hall #101", "room #102"]),
    ("bug #12345\nfix #12346", ["bug #12345", "fix #12346"]),
    ("part #100200\npart #100300", ["part #100200", "part #100300"]),
    ("\"dog #800000\"\n\"cat #008000\"", ["dog #800000", "cat #008000"]),
    ("\"dog 128 0 0\"\n\"cat 0 128 0\"", ["dog 128 0 0", "cat 0 128 0"]),
    ("[\"dog 128 0 0\", \"cat 0 128 0\"]", ["dog 128 0 0", "cat 0 128 0"]),
    ("#facade\n#decade", ["#facade", "#decade"]),
  ]

  @Test(arguments: others)
  func `what is part of a label stays`(_ text: String, _ names: [String]) throws {
    #expect(try LabelMap(parsing: Array(text.utf8), source: "l").names == names)
  }

  static let open: [(text: String, message: String)] = [
    ("box 200 150 100\ncrate 120 80 60", "looks like a table of colours: line 1 is 'box 200 150 100'"),
    ("7 dog 128 0 0\n9 cat 64 128 0", "looks like a table of colours: line 1 is '7 dog 128 0 0'"),
    ("0.5 0 0 dog\n1 0 0 cat", "looks like a table of colours: line 1 is '0.5 0 0 dog'"),
    ("dog 0.5 0 0\ncat 0 0.5 0", "looks like a table of colours: line 1 is 'dog 0.5 0 0'"),
    ("0.128 0 0 dog\n1.0 128 0 cat", "looks like a table of colours: line 1 is '0.128 0 0 dog'"),
    (
      "dog,#800000,animal\ncat,#008000,animal",
      "looks like a table of colours: line 1 is 'dog,#800000,animal'"
    ),
    (
      "animal,dog,#800000\nanimal,cat,#008000",
      "looks like a table of colours: line 1 is 'animal,dog,#800000'"
    ),
    (
      "#800000,dog,animal\n#008000,cat,animal",
      "looks like a table of colours: line 1 is '#800000,dog,animal'"
    ),
    ("dog #800000\n#008000\ncat #000080", "looks like a table of colours: line 2 is '#008000'"),
    ("dog 128 0 0\ncat 0 128 0\nroad", "has a colour next to other labels, but none in line 3: 'road'"),
    ("road\n128 0 0 dog\n0 128 0 cat", "has a colour next to other labels, but none in line 1: 'road'"),
    ("#800000 dog\nroad\n#008000 cat", "has a colour next to other labels, but none in line 2: 'road'"),
    (
      "animal,hex\ndog,#800000\ncat,#008000",
      "has a colour next to other labels, but none in line 1: 'animal,hex'"
    ),
    // Forms that are not known.
    ("<128,0,0> dog\n<0,128,0> cat", "looks like a table of colours: line 1 is '<128,0,0> dog'"),
    ("128.0.0 dog\n0.128.0 cat", "looks like a table of colours: line 1 is '128.0.0 dog'"),
    ("r=128 g=0 b=0 dog\nr=0 g=128 b=0 cat", "looks like a table of colours: line 1 is 'r=128 g=0 b=0 dog'"),
    (
      "class 0: 128 0 0 dog\nclass 1: 0 128 0 cat",
      "looks like a table of colours: line 1 is 'class 0: 128 0 0 dog'"
    ),
    ("0: 128 0 0 dog\n1: 0 128 1\n2: 3 0 128", "looks like a table of colours: line 1 is '0: 128 0 0 dog'"),
    ("dog,128,0,0\n,0,128,1\n,3,0,128", "looks like a table of colours: line 1 is 'dog,128,0,0'"),
    // One label twice, and a number that is none of a colour.
    ("128 0 0 dog\n0 128 0 dog\n0 0 128 cat", "has the label 'dog' behind two colours, in lines 1 and 2"),
    (
      "300 0 0 cat\n0 128 0 dog\n0 0 128 bird",
      "has a colour next to other labels, but none in line 1: '300 0 0 cat'"
    ),
    (
      "- a: dog\n  color: red\n- a: cat\n  color: blue",
      "is a YAML list, but not one of labels: line 1 begins an object"
    ),
    ("a: {color: red}\nb: {color: blue}", "is YAML, but not a list or map of labels"),
    (#"{"(128, 0, 0)": 0, "(0, 128, 0)": 1}"#, "begins as JSON, but is not a list or map of labels"),
    (##"{"#800000": 0, "#008000": 1}"##, "begins as JSON, but is not a list or map of labels"),
  ]

  @Test(arguments: open)
  func `what may be a colour or part of a label is an error with its line`(_ text: String, _ message: String)
  {
    let error = failure { () throws(MetadataError) in
      try LabelMap(parsing: Array(text.utf8), source: "l")
    }
    #expect(error?.code == .badLabels)
    #expect(error?.message == "l \(message)")
  }

  @Test func `colours leave the numbers of classes as they are`() throws {
    let gap = try LabelMap(parsing: Array("0: a #800000\n3: b #008000".utf8), source: "l")
    #expect(try gap.fitted(to: 4, of: "'m'").names == ["a", "???", "???", "b"])
    #expect(gap.remarks.last == "without the colours of the labels")
    let background = try LabelMap(parsing: Array("bg 0 0 0\ndog 128 0 0\ncat 0 128 0".utf8), source: "l")
    #expect(try background.fitted(to: 2, of: "'m'").names == ["dog", "cat"])
    #expect(try background.fitted(to: 3, of: "'m'").names == ["bg", "dog", "cat"])
  }

  @Test func `colours of very many lines are read in linear time`() throws {
    let lines = (0..<30_000).map { "\($0): \($0 % 256) \($0 * 7 % 256) \($0 / 256) x\($0)\n" }.joined()
    #expect(try LabelMap(parsing: Array(lines.utf8), source: "l").names == (0..<30_000).map { "x\($0)" })
  }

  @Test(arguments: ["0 ", "#80", "rgb(", "128 0 0 ", "0: ", "\"", "- {", "((((", "#800000 "])
  func `a long line does no harm`(_ part: String) throws {
    let line = String(repeating: part, count: 20_000)
    _ = try? LabelMap(parsing: Array("\(line)\n\(line)dog".utf8), source: "l")
  }
}
