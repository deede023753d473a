// SPDX-License-Identifier: Apache-2.0

import FoveaRender

func text(_ error: RenderError) -> String { error.message }
