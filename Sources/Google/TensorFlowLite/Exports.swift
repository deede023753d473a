// SPDX-License-Identifier: Apache-2.0

// Code for iOS gets Foundation, whose `Data` the interpreter takes and gives. `UIImage` and its like are in AppleShims.
@_exported public import Foundation
