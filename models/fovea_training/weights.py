# SPDX-License-Identifier: Apache-2.0
"""Initial weights from .tflite files: MobileNetV2 from ImageNet, the current localizer and classifier."""

from collections.abc import Iterable
from pathlib import Path

import torch
from torch import nn

from .tflite import Graph, Layer, layers


def assign(modules: Iterable[nn.Module], source: list[Layer]) -> None:
    """Copies layers into convolutions and dense layers, both in the order of execution."""
    modules = list(modules)
    if len(modules) != len(source):
        raise ValueError(f"{len(source)} layers do not match a network of {len(modules)}")
    for module, layer in zip(modules, source, strict=True):
        kernel = torch.from_numpy(layer.kernel.copy()).reshape(module.weight.shape)
        if module.bias is None:
            raise ValueError(
                f"'{layer.name}' has a bias, the network's layer has none: build it without norm"
            )
        with torch.no_grad():
            module.weight.copy_(kernel)
            module.bias.copy_(torch.from_numpy(layer.bias.copy()))


def load_backbone(backbone: nn.Module, path: str | Path) -> None:
    """Returns ImageNet weights of a MobileNetV2 1.0 file, dequantised; its batch norm is already folded."""
    found = list(layers(Graph.load(path)))
    assign(backbone.convolutions(), found[: len(backbone.convolutions())])


def load_network(network: nn.Module, path: str | Path) -> None:
    """Returns every layer of a file in the network's form, such as the float16 localizer and classifier."""
    assign(network.convolutions(), list(layers(Graph.load(path))))
