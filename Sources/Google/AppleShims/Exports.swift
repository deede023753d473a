// SPDX-License-Identifier: Apache-2.0

// Re-exports Foundation with its usual types, as on iOS: `NSNumber`, `Bundle`, `CGRect`, `DispatchQueue`.
@_exported public import Foundation
