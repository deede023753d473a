// SPDX-License-Identifier: Apache-2.0

import FoveaTracking

func tracker() throws(TrackingError) -> FoveaTracker { try FoveaTracker(configuration: .init()) }
