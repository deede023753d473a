// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaMetadata

/// Tables whose header has columns that label files do not usually have.
@Suite struct LabelTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let names: [String]
    var form = LabelForm.table
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ names: [String], _ form: LabelForm = .table) {
      (self.text, self.names, self.form) = (text, names, form)
    }
  }

  /// The labels at the classes 0, 2 and 7.
  static let sparse = ["zero", "???", "two", "???", "???", "???", "???", "seven"]

  static let rows = [
    Row("id,label,count\n1,cat,10\n2,dog,20\n3,owl,5", ["cat", "dog", "owl"]),
    Row("id,label,n_images\n2,cat,10\n0,dog,10\n1,owl,10", ["dog", "owl", "cat"]),
    Row("label,count\ncat,10\ndog,20\nowl,10", ["cat", "dog", "owl"]),
    Row("count,label\n10,cat\n20,dog", ["cat", "dog"]),
    Row("ClassId,Name,Notes\n0,cat,\n1,dog,big", ["cat", "dog"]),
    Row("id\tlabel\tcount\n1\tcat\t9\n2\tdog\t9", ["cat", "dog"]),
    Row("id;class name;share\n1;cat;0.5\n2;dog;0.5", ["cat", "dog"]),
    Row("id, label, count\n1, cat, 10\n2, dog, 20", ["cat", "dog"]),
    Row("\"id\",\"label\",\"a, b\"\n\"0\",\"cat\",\"1\"\n\"1\",\"dog, big\",\"2\"", ["cat", "dog, big"]),
    Row("id,label,count\n0,0,5\n1,1,7", ["0", "1"]), Row("title,count\ncat,3\ndog,4", ["cat", "dog"]),
    Row("label,share\ncat,0.5\n7,0.5", ["cat", "7"]), Row("label,colour\ncat,red\ndog,red", ["cat", "dog"]),
    // The only column with texts has the labels.
    Row("ID,English\n1,cat\n2,dog", ["cat", "dog"]),
    Row("ID,English,source\n1,cat,x\n2,dog,x", ["cat", "dog"]),
    Row("ID,English,mid\n1,cat,/m/1\n2,dog,/m/2", ["cat", "dog"]),
    Row("ID,English,German,label\n1,cat,Katze,c\n2,dog,Hund,d", ["c", "d"]),
    // A column whose name is not that of class numbers, but has them.
    Row("coco_id,name\n3,d\n0,a\n2,c\n1,b", ["a", "b", "c", "d"]),
    Row("coco_id,name\n2,c\n0,a\n4,e", ["a", "???", "c", "???", "e"]),
    Row("name,trainId,category\nroad,2,flat\nsky,0,sky\ncar,1,vehicle", ["sky", "car", "road"]),
    Row("output\tlabel\n2\tc\n0\ta\n1\tb", ["a", "b", "c"]),
    Row("class_idx\tlabel\n1\tb\n0\ta", ["a", "b"]),
    Row("label,output,count\nc,3,7\na,1,9\nb,2,8", ["a", "b", "c"]),
    Row("lfd,Klasse\n2,c\n0,a\n1,b", ["a", "b", "c"]), Row("lfd,Klasse\n1,a\n2,b", ["a", "b"]),
    Row("class,English\n2,c\n0,a\n1,b", ["a", "b", "c"]),
    Row("n,class_name\n2,c\n0,a\n1,b", ["a", "b", "c"]), Row("N;Klasse\n3;c\n1;a\n2;b", ["a", "b", "c"]),
    Row("class_name,n\nc,2\na,0\nb,1", ["c", "a", "b"]), Row("n,name\n8,c\n9,a\n12,b", ["c", "a", "b"]),
    Row("id,class,notes\n2,c\n0,a\n1,b", ["a", "b", "c"]),
    Row(",label,coco_id\n0,c,2\n1,a,0\n2,b,1", ["a", "b", "c"]), Row(",label\n1,b\n0,a", ["a", "b"]),
    // Whole numbers with a fraction of zeros.
    Row("id,name\n2.0,c\n0.0,a\n1.0,b", ["a", "b", "c"]), Row("name,key_id\nb,1.0\na,0.00", ["a", "b"]),
    Row("b,1.0\na,0.0", ["a", "b"]), Row("2.0,c\n0.0,a\n1.0,b", ["a", "b", "c"]),
    Row("2.5,c\n0.5,a", ["2.5,c", "0.5,a"], .lines),
    // Columns that count the rows, or something else.
    Row("rank,name\n1,a\n2,b\n3,c", ["a", "b", "c"]), Row("trainId,name\n0,a\n1,b", ["a", "b"]),
    Row("name,n_images\na,2\nb,0\nc,1", ["a", "b", "c"]), Row("name,area\na,5\nb,3", ["a", "b"]),
    Row("name,parent_id\na,1\nb,0\nc,2", ["a", "b", "c"]), Row("name,legs\na,4\nb,4", ["a", "b"]),
    Row("name,offset\na,-1\nb,-1", ["a", "b"]), Row("id,name,rank\n0,a,2\n1,b,1", ["a", "b"]),
    // A line without a number above numbered lines.
    Row("Klasse\n2 c\n0 a\n1 b", ["a", "b", "c"], .numberedLines),
    Row("car\n2 wheeler\n3 axle", ["car", "2 wheeler", "3 axle"], .lines),
    Row("Klasse\n0 a", ["Klasse", "0 a"], .lines), Row("Klasse\n0 a\nb", ["Klasse", "0 a", "b"], .lines),
    Row("Klasse\n0 zero\n2 two\n7 seven", sparse, .numberedLines),
    Row("Klasse\n1: one\n4: four", ["one", "???", "???", "four"], .numberedLines),
    Row("car\n1 wheeler\n4 seater", ["car", "1 wheeler", "4 seater"], .lines),
    // No header: labels with commas, and rows with another number of columns.
    Row("label, white\ntag, red", ["label, white", "tag, red"], .lines),
    Row("class,a\nclass,b\nclass,c", ["class,a", "class,b", "class,c"], .lines),
    Row("text,printed\nlist,long", ["text,printed", "list,long"], .lines),
    Row("label,count\ncat,10\ndog,20,5", ["label,count", "cat,10", "dog,20,5"], .lines),
    Row("English,German\ncat,Katze", ["English,German", "cat,Katze"], .lines),
    Row("image,label\n1.jpg,cat\n2.jpg,cat", ["image,label", "1.jpg,cat", "2.jpg,cat"], .lines),
    Row("id,name\nn02119789,kit fox\nn02100735,dog\nn02096294,terrier", ["kit fox", "dog", "terrier"]),
    Row("id,name\ncls0,a\ncls1,b\ncls2,c", ["a", "b", "c"]),
    Row("name,kind\nclass_2,x\nclass_0,x\nclass_1,x", ["class_2", "class_0", "class_1"]),
    Row("label,0\ntag,1", ["label", "tag"]), Row("0,label\n1,tag", ["label", "tag"], .numberedLines),
  ]

  @Test(arguments: rows)
  func `a header may have other columns if one has the name of labels`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
  }

  static let objects = [
    #"[{"id":2.0,"name":"c"},{"id":0.0,"name":"a"},{"id":1.0,"name":"b"}]"#,
    #"[{"trainId":2,"name":"c"},{"trainId":0,"name":"a"},{"trainId":1,"name":"b"}]"#,
    #"[{"cls":2,"name":"c"},{"cls":0,"name":"a"},{"cls":1,"name":"b"}]"#,
    #"[{"value":2,"label":"c"},{"value":0,"label":"a"},{"value":1,"label":"b"}]"#,
    #"[{"label":2,"class_name":"c"},{"label":0,"class_name":"a"},{"label":1,"class_name":"b"}]"#,
    #"[{"Class ID":"2","name":"c"},{"Class ID":"0","name":"a"},{"Class ID":"1","name":"b"}]"#,
    #"{"labels":[{"coco_id":2,"name":"c"},{"coco_id":0,"name":"a"},{"coco_id":1,"name":"b"}]}"#,
    #"[[2.0,"c"],[0.0,"a"],[1.0,"b"]]"#, #"{"2.0":"c","0.0":"a","1.0":"b"}"#,
    #"{"c":2.0,"a":0.0,"b":1.0}"#,
    "names:\n  - trainId: 2\n    name: c\n  - trainId: 0\n    name: a\n"
      + "  - trainId: 1\n    name: b\n",
    "c: 2.0\na: 0.0\nb: 1.0",
  ]

  @Test(arguments: objects)
  func `class numbers of objects are read as those of columns`(_ text: String) throws {
    let map = try LabelMap(parsing: Array(text.utf8), source: "labels")
    #expect(map.names == ["a", "b", "c"])
    #expect(map.form == (text.contains("\"") ? .json : .yaml))
  }

  static let unclear = [
    ("ID,English,German\n1,cat,Katze\n2,dog,Hund", "2 columns that may have the labels: 'English', 'German'"),
    ("id;one;two;three\n1;x;y;z\n2;u;v;w", "3 columns that may have the labels: 'one', 'two', 'three'"),
  ]

  @Test(arguments: unclear)
  func `several columns that may have the labels are an error`(_ text: String, _ columns: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    #expect(error?.message == "labels has " + columns)
    #expect(
      error?.remedy.description
        == "Write 'label' in the first line as the name of the column with the labels")
  }

  static let doubtfulNumbers = [
    (
      "name,legs\nbird,2\ncat,4\nfly,6",
      "labels has a column of numbers that may be the classes or not: 'legs'"
    ),
    ("name,rank\na,2\nb,0\nc,1", "labels has a column of numbers that may be the classes or not: 'rank'"),
    ("n,name\n1,a\n0,b", "labels has a column of numbers that may be the classes or not: 'n'"),
    ("n,name\n2,c\n0,a\n4,b", "labels has a column of numbers that may be the classes or not: 'n'"),
    ("n,name\n12,c\n8,a\n9,b", "labels has a column of numbers that may be the classes or not: 'n'"),
    ("name,isThing\na,1\nb,0", "labels has a column of numbers that may be the classes or not: 'isThing'"),
    ("name,out\na,-1\nb,-2", "labels has a column of numbers that may be the classes or not: 'out'"),
    (
      "cat_id,trainId,name\n1,0,a\n0,1,b",
      "labels has 2 columns that may have the class numbers: 'cat_id', 'trainId'"
    ),
    ("name,x,y\na,2,0\nb,1,2\nc,0,1", "labels has 2 columns that may have the class numbers: 'x', 'y'"),
    (
      "name,id,trainId\na,7,1\nb,11,0\nc,12,2",
      "labels has 2 columns that may have the class numbers: 'id', 'trainId'"
    ),
    (
      "name,trainId\na,0\nb,255\nc,255",
      "labels has numbers in the column 'trainId' that cannot be classes: 255 appears twice, in lines 3 and 4"
    ),
    (
      "# x\nid,name\n1,a\n\n2,b\n2,c",
      "labels has numbers in the column 'id' that cannot be classes: 2 appears twice, in lines 5 and 6"
    ),
    ("id,name\n-1,a\n0,b", "labels has numbers in the column 'id' that cannot be classes: -1 is not a class"),
    (
      "id,name,x\n0,a,b\n100000,b,c",
      "labels has numbers in the column 'id' that cannot be classes: 100000 is not a class"
    ),
    (
      "id,name\n2,a\nN/A,b\n0,c",
      "labels has 'N/A' in the column 'id' instead of a class number"
    ),
    (
      "coco_id,name\n1.5,a\n0,b", "labels has '1.5' in the column 'coco_id' instead of a class number"
    ),
    ("id,name\n- 2,a\n- 0,b\n- 1,c", "labels has '- 2' in the column 'id' instead of a class number"),
    ("name,id\na,1\nb,\nc,0", "labels has '' in the column 'id' instead of a class number"),
    // Numbers of classes in texts.
    ("id,name\ncls2,c\ncls0,a\ncls1,b", "labels has 'cls2' in the column 'id' instead of a class number"),
    ("name,index\nc,٢\na,٠\nb,١", "labels has '٢' in the column 'index' instead of a class number"),
    (
      ##"[{"id":"#2","name":"c"},{"id":"#0","name":"a"},{"id":"#1","name":"b"}]"##,
      "labels has '#2' in the member 'id' instead of a class number"
    ),
    (
      "- id: class_2\n  name: c\n- id: class_0\n  name: a\n- id: class_1\n  name: b",
      "labels has 'class_2' in the member 'id' instead of a class number"
    ),
    (
      "folder,name\ncls2,c\ncls0,a\ncls1,b",
      "labels has a column of numbers that may be the classes or not: 'folder'"
    ),
    (
      "name,group\n2-c,x\n0-a,x\n1-b,x",
      "labels has a number in each label, like those of classes, but not in their order: '2-c', '0-a'"
    ),
    (
      #"[{"id":2,"name":"a"},{"id":null,"name":"b"},{"id":0,"name":"c"}]"#,
      "labels has 'null' in the member 'id' instead of a class number"
    ),
    (
      #"[{"id":2,"name":"a"},{"name":"b"},{"name":"c"}]"#,
      "labels has '' in the member 'id' instead of a class number"
    ),
    (
      #"[{"id":2.5,"name":"a"},{"id":0,"name":"b"},{"id":1,"name":"c"}]"#,
      "labels has '2.5' in the member 'id' instead of a class number"
    ),
    (
      "names:\n  - id: 1\n    name: a\n  - name: b\n",
      "labels has '' in the member 'id' instead of a class number"
    ),
    (
      #"[{"id":1,"name":"a"},{"id":1,"name":"b"}]"#,
      "labels has numbers in the member 'id' that cannot be classes: 1 appears twice"
    ),
    (
      #"[{"key":"c","value":2},{"key":"a","value":0}]"#,
      "labels begins as JSON, but is not a list or map of labels"
    ),
    (
      "- key: c\n  value: 2\n- key: a\n  value: 0",
      "labels is a YAML list, but not one of labels: line 1 begins an object"
    ),
    (#"[[0,"a"],["x","b"]]"#, "labels begins as JSON, but is not a list or map of labels"),
  ]

  @Test(arguments: doubtfulNumbers)
  func `numbers that may be classes or something else are an error`(_ text: String, _ message: String) {
    let error = failure { () throws(MetadataError) in
      _ = try LabelMap(parsing: Array(text.utf8), source: "labels")
    }
    #expect(error?.code == .badLabels)
    #expect(error?.message == message)
  }
}
