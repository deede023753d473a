// SPDX-License-Identifier: Apache-2.0

// Re-exports Foundation, whose `Data` the interpreter reads and returns. `UIImage` and related types are in
// AppleShims.
@_exported public import Foundation
