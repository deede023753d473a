// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension Advice.Term {
  /// The words of the C interface, which those of other languages are made from.
  var c: String {
    switch self {
    case .activation(let value): "the option 'activation'" + (value.map { " = '\($0)'" } ?? "")
    case .background(let value):
      "the option 'background'" + (value.map { $0 ? " = 'first'" : " = 'none'" } ?? "")
    case .family(let value): "the option 'family'" + (value.map { " = '\($0)'" } ?? "")
    case .labels(let isFile): "the option 'labels'" + (isFile ? " = 'FILE'" : "")
    case .normalization(let isValue): "the option 'normalize'" + (isValue ? " = 'MEAN,STD'" : "")
    case .pixelLimit: "the option 'max-pixels'"
    case .raisedLimit, .otherModels: ""
    case .runtimeSetup: "Name libLiteRt.so with fovea_runtime_set"
    case .benchmark: "the benchmark"
    case .sequences: "the names of the sequences"
    case .unknownIDs: "unknown ids"
    case .uprightBoxes: "boxes of the rotated image"
    case .modelHost: "the host"
    case .detector: "fovea_detector_open"
    case .labeler: "fovea_labeler_open"
    case .inspect: "fovea_inspect"
    case .check: "'fovea model check'"
    case .addMetadata(let arguments): "'fovea model add-metadata\(arguments.isEmpty ? "" : " \(arguments)")'"
    case .modelList: "'fovea model list'"
    case .replacing: ""
    case .download(let name): "'fovea model pull \(name)'"
    }
  }
}
