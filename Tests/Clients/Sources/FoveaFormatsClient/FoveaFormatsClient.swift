// SPDX-License-Identifier: Apache-2.0

import FoveaFormats

func header() -> String {
  var writer = CSVWriter(kind: .objects)
  return writer.header()
}
