# SPDX-License-Identifier: Apache-2.0
"""Writes what the runtimes need of a model: exports.py MODEL.tflite|mobilenet_v2 FOLDER

NAME.tflite without the post-processing of SSDs, which OpenVINO lacks, and NAME.onnx. `mobilenet_v2` is Keras's float
network at 224 × 224 with random weights: the time of a run does not depend on them.
"""

import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow
import tf2onnx
from tensorflow.lite.tools import flatbuffer_utils


def mobilenet():
    keras = tensorflow.keras
    keras.utils.set_random_seed(1)
    network = keras.applications.MobileNetV2(weights=None, input_tensor=keras.Input((224, 224, 3), batch_size=1))
    return tensorflow.lite.TFLiteConverter.from_keras_model(network).convert()


def without_post_processing(model):
    """Returns a model that ends in boxes and scores."""
    graph = model.subgraphs[0]
    last = graph.operators[-1]
    if model.operatorCodes[last.opcodeIndex].customCode:
        graph.operators.pop()
        graph.outputs = list(last.inputs[:2])
        model.signatureDefs = None
    return model


source, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
target = folder / f"{pathlib.Path(source).stem}.tflite"
if source == "mobilenet_v2":
    target.write_bytes(mobilenet())
else:
    flatbuffer_utils.write_model(without_post_processing(flatbuffer_utils.read_model(source)), str(target))
# It fails on a product with a bias of one number; ONNX Runtime fuses products itself.
tf2onnx.tfonnx.rewrite_gemm = lambda _, nodes: nodes
tf2onnx.convert.from_tflite(str(target), opset=17, output_path=str(target.with_suffix(".onnx")))
