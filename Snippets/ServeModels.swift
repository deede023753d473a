// SPDX-License-Identifier: Apache-2.0
//
// Serves models over HTTP; with "stay" until Ctrl-C, else only until it listens:
//
//     swift run --traits Server,Video ServeModels stay

#if Server
import Fovea
import FoveaInference

var options: InferenceServer.Options = InferenceServer.Options()
options.port = 0
options.deadline = .seconds(5)
let origin: InferenceServer.ModelOrigin = .embedded(.detector)
let server: InferenceServer = try await InferenceServer(models: ["objects": origin], options: options)

let (ports, found) = AsyncStream.makeStream(of: Int.self)
let running = Task { try await server.run { port in found.yield(port) } }
for await port in ports {
  print("Open http://127.0.0.1:\(port)/, or send images to http://127.0.0.1:\(port)/v1/detect")
  break
}
if !CommandLine.arguments.contains("stay") { running.cancel() }
try await running.value
#else
print("Build with the trait Server.")
#endif
