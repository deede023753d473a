// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_result_columns(
  _ result: OpaquePointer?, _ out: UnsafeMutablePointer<fovea_columns>?
) {
  guard let out = unsafe out, let result = unsafe Handle.find(ResultObject.self, result) else { return }
  unsafe result.write(into: out)
}

@c @implementation package func fovea_result_error(_ result: OpaquePointer?, _ image: Int) -> OpaquePointer? {
  unsafe Handle.find(ResultObject.self, result)?.error(image)
}

@c @implementation package func fovea_result_free(_ result: OpaquePointer?) {
  unsafe Handle.release(ResultObject.self, result)
}

extension ResultObject {
  /// Creates the result of a call.
  convenience init(_ found: [Result<BlockingFindings, FoveaError>], _ content: ResultColumns.Content) {
    var columns = ResultColumns(content)
    for image in found {
      switch image {
      case .success(.objects(let result)):
        columns.add(
          result.objects, size: result.size, orientation: result.orientation, timings: result.timings)
      case .success(.labels(let result)): columns.add(result)
      case .success(.map(let result)): columns.add(result)
      case .success(.features(let result)): columns.add(result)
      case .failure(let error): columns.add(error)
      }
    }
    columns.finish()
    self.init(columns)
  }
}
