// SPDX-License-Identifier: Apache-2.0

import AppleCapture

func sample(_ buffer: CMSampleBuffer) -> CMTime { buffer.presentationTimeStamp }
func session() -> AVCaptureSession { AVCaptureSession() }
