# SPDX-License-Identifier: Apache-2.0
"""The networks: MobileNetV2 1.0, the SSD on it (localizer, detector), and the classifier."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .anchors import PER_CELL

# expansion, channels, repeats, stride of MobileNetV2's stages
STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
EXTRA = ((96, 192), (64, 128), (64, 128), (32, 64))  # narrow and wide channels of the four smaller maps


class Conv(nn.Module):
    """Convolution padded as TensorFlow's SAME, optional batch norm, optional ReLU6."""

    def __init__(
        self,
        inner: int,
        outer: int,
        kernel: int = 1,
        stride: int = 1,
        *,
        groups: int = 1,
        norm: bool = False,
        act: bool = True,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inner, outer, kernel, stride, groups=groups, bias=not norm)
        self.norm = nn.BatchNorm2d(outer, eps=1e-3, momentum=0.02) if norm else nn.Identity()
        self.act, self.kernel, self.stride = act, kernel, stride

    def forward(self, x: Tensor) -> Tensor:
        if self.kernel > 1:
            down, right = (self._padding(side) for side in x.shape[2:])
            x = F.pad(x, (right // 2, right - right // 2, down // 2, down - down // 2))
        x = self.norm(self.conv(x))
        return F.relu6(x) if self.act else x

    def _padding(self, side: int) -> int:
        outputs = -(-side // self.stride)
        return max(0, (outputs - 1) * self.stride + self.kernel - side)


def depthwise(channels: int, stride: int = 1, norm: bool = False) -> Conv:
    return Conv(channels, channels, 3, stride, groups=channels, norm=norm)


class Block(nn.Module):
    """An inverted residual: expand, depthwise, project."""

    def __init__(self, inner: int, outer: int, expansion: int, stride: int) -> None:
        super().__init__()
        wide = inner * expansion
        self.expand = Conv(inner, wide) if expansion > 1 else nn.Identity()
        self.depth = depthwise(wide, stride)
        self.project = Conv(wide, outer, act=False)
        self.residual = stride == 1 and inner == outer

    def forward(self, x: Tensor) -> Tensor:
        y = self.project(self.depth(self.expand(x)))
        return x + y if self.residual else y


class Network(nn.Module):
    """The base class of all networks: their layers in the order in which a .tflite file runs them."""

    def convolutions(self) -> list[nn.Module]:
        return [module for module in self.modules() if isinstance(module, (nn.Conv2d, nn.Linear))]


class Backbone(Network):
    """MobileNetV2 1.0 up to block 16, with batch norm folded as in the file of its initial weights."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = Conv(3, 32, 3, 2)
        blocks, inner = [], 32
        for expansion, outer, repeats, stride in STAGES:
            for at in range(repeats):
                blocks.append(Block(inner, outer, expansion, stride if at == 0 else 1))
                inner = outer
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the maps of stride 16 (96 channels, block 12) and of stride 32 (320 channels, block 16)."""
        x = self.stem(x)
        middle = x
        for at, block in enumerate(self.blocks):
            x = block(x)
            if at == 12:
                middle = x
        return middle, x


class Head(nn.Module):
    """Box codes and class scores of one map, each after a depthwise convolution."""

    def __init__(self, channels: int, per_cell: int, classes: int, norm: bool) -> None:
        super().__init__()
        self.box_depth, self.box = depthwise(channels, norm=norm), nn.Conv2d(channels, 4 * per_cell, 1)
        self.score_depth = depthwise(channels, norm=norm)
        self.score = nn.Conv2d(channels, classes * per_cell, 1)
        self.classes = classes
        nn.init.normal_(self.box.weight, std=0.01)
        nn.init.normal_(self.score.weight, std=0.01)
        nn.init.zeros_(self.box.bias)
        nn.init.constant_(self.score.bias, -3.0)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        box = self.box(self.box_depth(x)).permute(0, 2, 3, 1)
        score = self.score(self.score_depth(x)).permute(0, 2, 3, 1)
        return box.reshape(x.shape[0], -1, 4), score.reshape(x.shape[0], -1, self.classes)


class Detector(Network):
    """The SSD: [n, 3, 192, 192] normalised images to codes [n, 738, 4] and logits [n, 738, classes].

    With `norm`, layers without initial weights have batch norm; a network initialized from a file has none.
    """

    side = 192

    def __init__(self, classes: int = 1, norm: bool = False) -> None:
        super().__init__()
        self.backbone = Backbone()
        self.enter6 = Conv(320, 320, norm=norm)
        self.extra = nn.ModuleList()
        inner = 320
        for level, (narrow, wide) in enumerate(EXTRA):
            stride = 2 if level < 3 else 1
            self.extra.append(
                nn.Sequential(
                    Conv(inner, narrow, norm=norm),
                    depthwise(narrow, stride, norm),
                    Conv(narrow, wide, norm=norm),
                )
            )
            inner = wide
        channels = (216, 320, *(wide for _, wide in EXTRA))
        self.heads = nn.ModuleList(Head(c, a, classes, norm) for c, a in zip(channels, PER_CELL, strict=True))
        self.lateral = Conv(320, 96, norm=norm, act=False)
        self.enter12 = Conv(192, 216, norm=norm)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        codes, logits, _, _ = self.with_maps(x)
        return codes, logits

    def with_maps(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Returns the outputs, and the two inner maps to compare with the teacher's."""
        middle, last = self.backbone(x)
        enter6 = self.enter6(last)
        raised = F.interpolate(self.lateral(last), scale_factor=2.0, mode="nearest")
        maps = [self.enter12(torch.cat((middle, raised), 1)), enter6]
        for extra in self.extra:
            maps.append(extra(maps[-1]))
        pairs = [head(level) for head, level in zip(self.heads, maps, strict=True)]
        return torch.cat([p[0] for p in pairs], 1), torch.cat([p[1] for p in pairs], 1), middle, last

    def convolutions(self) -> list[nn.Module]:
        """Returns the order of the localizer's float16 file: the large map and its head come last."""
        parts = [
            self.backbone,
            self.enter6,
            *self.extra,
            *reversed(self.heads[1:]),
            self.lateral,
            self.enter12,
            self.heads[0],
        ]
        return [layer for part in parts for layer in part.modules() if isinstance(layer, nn.Conv2d)]


class Classifier(Network):
    """Five sigmoids on a 160 x 160 crop; with `teacher_labels`, a second output that is not exported."""

    side = 160

    def __init__(self, classes: int = 5, teacher_labels: int = 0) -> None:
        super().__init__()
        self.backbone = Backbone()
        self.last = Conv(320, 1280)
        self.hidden = nn.Linear(1280, 128)
        self.out = nn.Linear(128, classes)
        self.second = nn.Linear(128, teacher_labels) if teacher_labels else None

    def features(self, x: Tensor) -> Tensor:
        mean = self.last(self.backbone(x)[1]).mean((2, 3))
        return F.relu(self.hidden(F.dropout(mean, 0.2, self.training)))

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.features(x))

    def with_second(self, x: Tensor) -> tuple[Tensor, Tensor | None]:
        hidden = F.dropout(self.features(x), 0.2, self.training)
        return self.out(hidden), None if self.second is None else self.second(hidden)

    def convolutions(self) -> list[nn.Module]:
        """Runs without the second output, which files do not have."""
        return [layer for layer in super().convolutions() if layer is not self.second]


def normalised(images: Tensor) -> Tensor:
    """Converts uint8 [n, h, w, 3] to float [n, 3, h, w] in -1...1."""
    return (images.permute(0, 3, 1, 2).float() - 127.5) / 127.5
