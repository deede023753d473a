# SPDX-License-Identifier: Apache-2.0
"""The training loop: one seed, warm-up and cosine, an average of the weights, checkpoints, and Ctrl-C."""

import math
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class LoopSettings:
    """Steps and learning rates; `backbone_rate` is a share of `rate`."""

    steps: int = 5400
    batch: int = 32
    rate: float = 2e-3
    backbone_rate: float = 0.15
    decay: float = 2e-3
    backbone_decay: float = 1e-4
    warmup: int = 300
    average: float = 0.998
    clip: float = 5.0
    seed: int = 0
    save_every: int = 200
    report_every: int = 20


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def seed_all(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class Average:
    """The exponential moving average of weights and statistics, which is exported."""

    def __init__(self, network: nn.Module, rate: float) -> None:
        self.rate = rate
        self.steps = 0
        self.state = {name: value.detach().clone() for name, value in network.state_dict().items()}

    def update(self, network: nn.Module) -> None:
        self.steps += 1
        rate = min(self.rate, self.steps / (self.steps + 10))
        for name, value in network.state_dict().items():
            if value.is_floating_point():
                self.state[name].lerp_(value.detach(), 1 - rate)
            else:
                self.state[name].copy_(value)


class Loop:
    """Trains `network` (and `helpers`, which are discarded) with `loss(step, share done)`."""

    def __init__(
        self,
        network: nn.Module,
        settings: LoopSettings,
        folder: str | Path,
        *,
        helpers: nn.Module | None = None,
        about: dict | None = None,
    ) -> None:
        self.network, self.settings, self.about = network, settings, about or {}
        self.helpers = helpers or nn.Identity()
        self.file = Path(folder) / "checkpoint.pt"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        slow = list(network.backbone.parameters()) if hasattr(network, "backbone") else []
        ids = {id(parameter) for parameter in slow}
        fast = [p for p in (*network.parameters(), *self.helpers.parameters()) if id(p) not in ids]
        s = settings
        self.shares = [1.0, s.backbone_rate]
        groups = [
            {"params": fast, "weight_decay": s.decay},
            {"params": slow, "weight_decay": s.backbone_decay},
        ]
        self.optimizer = torch.optim.AdamW([group for group in groups if group["params"]], lr=s.rate)
        self.average = Average(network, s.average)
        self.step = 0
        self._stop = False

    def resume(self) -> None:
        """Resumes from the checkpoint; the next images are those of that step."""
        if not self.file.exists():
            return
        saved = torch.load(self.file, map_location=device(), weights_only=True)
        if saved["about"] != self.about:
            raise ValueError(
                f"{self.file} has other settings: {saved['about']}, now {self.about}; use another folder"
            )
        self.network.load_state_dict(saved["network"])
        self.helpers.load_state_dict(saved["helpers"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.average.state, self.average.steps = saved["average"], saved["step"]
        self.step = saved["step"]
        print(f"resuming at step {self.step} of {self.settings.steps}", flush=True)

    def save(self) -> None:
        """Writes next to the file and renames, so that a checkpoint is always complete."""
        state = {
            "network": self.network.state_dict(),
            "helpers": self.helpers.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average.state,
            "step": self.step,
            "about": self.about,
            "settings": asdict(self.settings),
        }
        part = self.file.with_suffix(".part")
        torch.save(state, part)
        os.replace(part, self.file)

    def run(self, loss: Callable[[int, float], Tensor]) -> bool:
        """Returns whether all steps are done; False after Ctrl-C, with a checkpoint."""
        previous = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self._steps(loss)
        finally:
            signal.signal(signal.SIGINT, previous)
        self.save()
        if self._stop:
            print(
                f"stopped at step {self.step} of {self.settings.steps}; the same command resumes", flush=True
            )
        return not self._stop

    def _interrupt(self, *_: object) -> None:
        if self._stop:
            raise KeyboardInterrupt
        self._stop = True

    def _steps(self, loss: Callable[[int, float], Tensor]) -> None:
        s, start, first, sums = self.settings, time.monotonic(), self.step, []
        self.network.train()
        while self.step < s.steps and not self._stop:
            done = self.step / s.steps
            for group, share in zip(self.optimizer.param_groups, self.shares, strict=False):
                group["lr"] = (
                    s.rate
                    * share
                    * min(1, (self.step + 1) / max(1, s.warmup))
                    * (0.5 + 0.5 * math.cos(math.pi * done))
                )
            value = loss(self.step, done)
            if not torch.isfinite(value):
                raise ValueError(f"the loss is {value.item()} at step {self.step}: lower --rate")
            self.optimizer.zero_grad(set_to_none=True)
            value.backward()
            nn.utils.clip_grad_norm_([p for g in self.optimizer.param_groups for p in g["params"]], s.clip)
            self.optimizer.step()
            self.average.update(self.network)
            self.step += 1
            sums.append(value.item())
            if self.step % s.report_every == 0 or self.step == s.steps:
                each = (time.monotonic() - start) / (self.step - first)
                mean = sum(sums) / len(sums)
                left = duration(each * (s.steps - self.step))
                print(
                    f"step {self.step}/{s.steps}  loss {mean:.4f}  {each:.2f} s a step  {left} left",
                    flush=True,
                )
                sums.clear()
            if self.step % s.save_every == 0:
                self.save()


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def batches(count: int, batch: int, seed: int, step: int) -> Iterator[list[int]]:
    """Yields endless batches of numbers below `count`, in a fixed order for a seed, from a step on."""
    per_pass = max(1, count // batch)
    while True:
        order = np.random.default_rng((seed, step // per_pass)).permutation(count)
        at = step % per_pass * batch
        yield [int(i) for i in order[at : at + batch]] if count >= batch else [int(i) for i in order]
        step += 1


def averaged(folder: str | Path, network: nn.Module) -> nn.Module:
    """Returns the network with the averaged weights of a checkpoint, ready to export."""
    saved = torch.load(Path(folder) / "checkpoint.pt", map_location="cpu", weights_only=True)
    network.load_state_dict(saved["average"])
    return network.eval()


def about(folder: str | Path) -> dict:
    return torch.load(Path(folder) / "checkpoint.pt", map_location="cpu", weights_only=True)["about"]
