// SPDX-License-Identifier: Apache-2.0

import Firebase

func detector() -> VisionObjectDetector { Vision.vision().objectDetector() }
