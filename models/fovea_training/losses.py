# SPDX-License-Identifier: Apache-2.0
"""The losses of localizer, detector and classifier."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .anchors import CODE_SCALES


def boxes_of(codes: Tensor, anchors: Tensor) -> Tensor:
    """Decodes boxes (ymin, xmin, ymax, xmax)."""
    values = codes / torch.as_tensor(CODE_SCALES, device=codes.device)
    centre = values[..., :2] * anchors[:, 2:] + anchors[:, :2]
    half = values[..., 2:].clamp(-6, 6).exp() * anchors[:, 2:] / 2
    return torch.cat((centre - half, centre + half), -1)


def giou(a: Tensor, b: Tensor) -> Tensor:
    """Computes the generalised IoU of pairs of boxes. Source: Rezatofighi et al. 2019."""
    shared = (
        (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(min=0).prod(-1)
    )
    hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1)
    union = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1) - shared
    return shared / (union + 1e-9) - (hull - union) / (hull + 1e-9)


def box_loss(codes: Tensor, wanted: Tensor, weight: Tensor, anchors: Tensor) -> Tensor:
    """1.5 x Huber of the codes + 5 x (1 - GIoU), a mean over the weights of each image."""
    total = weight.sum(1).clamp(min=1e-6)
    huber = F.huber_loss(codes, wanted, reduction="none").sum(-1)
    overlap = 1 - giou(boxes_of(codes, anchors), boxes_of(wanted, anchors))
    return (((1.5 * huber + 5 * overlap) * weight).sum(1) / total).mean()


def soft_scores(logits: Tensor, target: Tensor) -> Tensor:
    """Sum over anchors of BCE(q, t) |q - t|^1.5."""
    gap = (logits.sigmoid() - target).abs().detach() ** 1.5
    return (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * gap).sum(1).mean()


def localizer_loss(codes: Tensor, logits: Tensor, teacher: tuple[Tensor, Tensor], anchors: Tensor) -> Tensor:
    """Scores and boxes against the teacher's; boxes weighted by its squared score, above 0.1."""
    wanted, scores = teacher
    weight = torch.where(scores > 0.1, scores**2, torch.zeros_like(scores))
    return soft_scores(logits[..., 0], scores) + box_loss(codes, wanted, weight, anchors)


class Hints(nn.Module):
    """Projections of two maps onto the teacher's, each channel normalised; discarded after training."""

    def __init__(self, channels: tuple[int, int] = (72, 240)) -> None:
        super().__init__()
        self.projections = nn.ModuleList((nn.Conv2d(96, channels[0], 1), nn.Conv2d(320, channels[1], 1)))
        self.norms = nn.ModuleList(nn.BatchNorm2d(count, affine=False, momentum=0.02) for count in channels)

    def forward(self, maps: tuple[Tensor, Tensor], wanted: tuple[Tensor, Tensor]) -> Tensor:
        pairs = zip(self.projections, self.norms, maps, wanted, strict=True)
        return sum(
            (F.mse_loss(project(own), norm(target)) for project, norm, own, target in pairs),
            start=torch.zeros(()).to(maps[0]),
        )


def detector_loss(codes: Tensor, logits: Tensor, wanted: Tensor, classes: Tensor, anchors: Tensor) -> Tensor:
    """Focal loss over all anchors and box loss over the matched ones. Source of the former: Lin et al. 2017.

    `classes` is -1 for background, -2 for ignored anchors.
    """
    matched = classes >= 0
    target = F.one_hot(classes.clamp(min=0), logits.shape[-1]).to(logits) * matched[..., None]
    probability = logits.sigmoid()
    gap = (probability - target).abs().detach() ** 2
    balance = 0.25 * target + 0.75 * (1 - target)
    focal = F.binary_cross_entropy_with_logits(logits, target, reduction="none") * gap * balance
    count = matched.sum().clamp(min=1)
    score = (focal * (classes != -2)[..., None]).sum() / count
    return 4 * score + 0.2 * box_loss(codes, wanted, matched.to(codes), anchors)


def classifier_loss(
    logits: Tensor, target: Tensor, weight: Tensor, second: tuple[Tensor, Tensor] | None
) -> Tensor:
    """BCE against mixed targets, and 0.15 x the BCE of the teacher's labels."""
    loss = (F.binary_cross_entropy_with_logits(logits, target, reduction="none").sum(1) * weight).mean()
    if second is not None:
        loss = loss + 0.15 * F.binary_cross_entropy_with_logits(*second, reduction="none").sum(1).mean()
    return loss
