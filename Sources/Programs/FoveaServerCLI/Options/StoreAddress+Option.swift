// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

extension PostgresAddress {
  /// Reads an option.
  /// - Throws: `ValidationError` with the part that is wrong and the format.
  init(option text: String) throws {
    do throws(HostError) { try self.init(text) } catch {
      throw ValidationError("\(error.message.sentence) \(error.remedy.description.sentence)")
    }
  }
}

extension S3Address {
  /// Reads an option.
  /// - Throws: `ValidationError` with the part that is wrong and the format.
  init(option text: String) throws {
    do throws(HostError) { try self.init(text) } catch {
      throw ValidationError("\(error.message.sentence) \(error.remedy.description.sentence)")
    }
  }
}
#endif
