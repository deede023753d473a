// SPDX-License-Identifier: Apache-2.0

// Code for iOS gets Foundation with the frameworks that it imports: `NSNumber`, `Bundle`, `CGRect`, `DispatchQueue`.
@_exported public import Foundation
