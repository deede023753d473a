// SPDX-License-Identifier: Apache-2.0

/// The rows of an answer that stand for all where each would cost too much: all of 256, and at most 511 of more.
func sampledRows(of count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: max(1, count / 256)) }
