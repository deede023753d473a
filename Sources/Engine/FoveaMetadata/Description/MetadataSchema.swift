// SPDX-License-Identifier: Apache-2.0

/// The field numbers of TFLite's metadata, used by the reader and the writer.
///
/// Source: `metadata_schema.fbs` of TFLite Support, schema 1.5.0. A union has two numbers: type, then value.
enum MetadataSchema {
  enum Model {
    static let name = FlatField(0, "name")
    static let description = FlatField(1, "description")
    static let version = FlatField(2, "version")
    static let subgraphs = FlatField(3, "subgraph_metadata")
    static let author = FlatField(4, "author")
    static let license = FlatField(5, "license")
    static let files = FlatField(6, "associated_files")
    static let minParserVersion = FlatField(7, "min_parser_version")
  }

  enum Subgraph {
    static let name = FlatField(0, "subgraph_metadata.name")
    static let description = FlatField(1, "subgraph_metadata.description")
    static let inputs = FlatField(2, "input_tensor_metadata")
    static let outputs = FlatField(3, "output_tensor_metadata")
    static let files = FlatField(4, "subgraph_metadata.associated_files")
    static let inputGroups = FlatField(7, "input_tensor_groups")
    static let outputGroups = FlatField(8, "output_tensor_groups")
    static let customMetadata = FlatField(9, "custom_metadata")
  }

  enum Custom {
    static let name = FlatField(0, "custom_metadata.name")
    static let data = FlatField(1, "custom_metadata.data")
  }

  enum Group {
    static let name = FlatField(0, "tensor_groups.name")
    static let tensorNames = FlatField(1, "tensor_names")
  }

  enum Tensor {
    static let name = FlatField(0, "tensor_metadata.name")
    static let description = FlatField(1, "tensor_metadata.description")
    static let dimensionNames = FlatField(2, "dimension_names")
    static let content = FlatField(3, "content")
    static let processUnits = FlatField(4, "process_units")
    static let stats = FlatField(5, "stats")
    static let files = FlatField(6, "tensor_metadata.associated_files")
  }

  enum Content {
    static let propertiesType = FlatField(0, "content_properties_type")
    static let properties = FlatField(1, "content_properties")
    static let range = FlatField(2, "range")
    static let rangeMin = FlatField(0, "range.min")
    static let rangeMax = FlatField(1, "range.max")
    static let colorSpace = FlatField(0, "color_space")
    static let defaultSize = FlatField(1, "default_size")
    static let width = FlatField(0, "default_size.width")
    static let height = FlatField(1, "default_size.height")
    static let boxIndex = FlatField(0, "bounding_box.index")
    static let boxType = FlatField(1, "bounding_box.type")
    static let boxCoordinates = FlatField(2, "bounding_box.coordinate_type")
  }

  enum Unit {
    static let optionsType = FlatField(0, "process_units.options_type")
    static let options = FlatField(1, "process_units.options")
    static let mean = FlatField(0, "mean")
    static let std = FlatField(1, "std")
    static let transformation = FlatField(0, "score_transformation")
    static let defaultScore = FlatField(1, "default_score")
    static let threshold = FlatField(0, "global_score_threshold")
  }

  enum Stats {
    static let max = FlatField(0, "stats.max")
    static let min = FlatField(1, "stats.min")
  }

  enum File {
    static let name = FlatField(0, "associated_files.name")
    static let description = FlatField(1, "associated_files.description")
    static let type = FlatField(2, "associated_files.type")
    static let locale = FlatField(3, "associated_files.locale")
    static let version = FlatField(4, "associated_files.version")
  }
}
