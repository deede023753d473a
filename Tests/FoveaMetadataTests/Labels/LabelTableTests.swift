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
    // No header: labels with commas, and rows with another number of columns.
    Row("label, white\ntag, red", ["label, white", "tag, red"], .lines),
    Row("class,a\nclass,b\nclass,c", ["class,a", "class,b", "class,c"], .lines),
    Row("text,printed\nlist,long", ["text,printed", "list,long"], .lines),
    Row("label,count\ncat,10\ndog,20,5", ["label,count", "cat,10", "dog,20,5"], .lines),
    Row("English,German\ncat,Katze", ["English,German", "cat,Katze"], .lines),
    Row("image,label\n1.jpg,cat\n2.jpg,cat", ["image,label", "1.jpg,cat", "2.jpg,cat"], .lines),
    Row("label,0\ntag,1", ["label", "tag"]), Row("0,label\n1,tag", ["label", "tag"], .numberedLines),
  ]

  @Test(arguments: rows)
  func `a header may have other columns if one has the name of labels`(_ row: Row) throws {
    let map = try LabelMap(parsing: Array(row.text.utf8), source: "labels")
    #expect(map.names == row.names)
    #expect(map.form == row.form)
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
}
