// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaCore
import FoveaModelFile

/// The layers of a float model that can be quantised.
package struct ModelLayers: Sendable {
  /// A layer.
  package struct Layer: Sendable, Hashable {
    /// The name of its output.
    package let name: String
    /// Its operator, such as `CONV_2D`.
    package let kind: String
    /// The shape of its weights.
    package let weights: [Int]
  }

  /// The layers in the order of the graph.
  package let layers: [Layer]

  /// Reads the layers of a model.
  /// - Parameter source: The model.
  /// - Throws: `metadata-already-quantized` or `metadata-not-quantizable` for a model without float layers;
  ///   the errors of models.
  package init(_ source: ModelSource) throws(FoveaError) {
    let (bytes, name) = try Quantizer.read(source)
    do throws(MetadataError) {
      let graph = try FloatGraph(bytes)
      layers = try LayerPlan(graph).layers.map { place in
        Layer(
          name: graph.layerName(place), kind: "\(graph.nodes[place].kind)",
          weights: graph.tensors[graph.weights(ofLayer: place)].shape)
      }
    } catch {
      // A model that no command can use has a better reason than its graph.
      if error.code == .damagedModel { _ = try ComparedModel(source) }
      throw FoveaError(error.ofModel(name))
    }
  }

  /// A table for people.
  package var text: String {
    let rows = layers.map { layer in
      [layer.kind, layer.weights.map(String.init).joined(separator: " × "), layer.name]
    }
    return TextTable.text([["layer", "weights", "output"]] + rows, leftAligned: [0, 1, 2])
  }

  /// One line of JSON.
  package var json: String {
    JSONText.line(capacity: 1024) { json in
      json.member("schema", "layers/1")
      json.objects("layers", layers) { json, layer in
        json.member("name", layer.name)
        json.member("kind", layer.kind)
        json.key("weights")
        json.array(layer.weights) { $0.integer($1) }
      }
    }
  }
}
