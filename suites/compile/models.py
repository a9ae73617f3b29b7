# SPDX-License-Identifier: Apache-2.0
"""The models that packages.py compiles, with seeded weights, and their inputs."""

import torch

SEED = 17
FEATURES = 128


class Gated(torch.nn.Module):
    """Two products with a chain of pointwise operators and a normalisation between them: what Inductor fuses."""

    def __init__(self, features=FEATURES, hidden=512):
        super().__init__()
        self.up = torch.nn.Linear(features, hidden)
        self.down = torch.nn.Linear(hidden, features)

    def forward(self, x):
        h = self.up(x)
        h = torch.nn.functional.gelu(h) * torch.sigmoid(h) * 1.5 + torch.tanh(h) * 0.5
        h = h - h.mean(-1, keepdim=True)
        h = h / ((h * h).mean(-1, keepdim=True) + 1e-5).sqrt()
        return torch.softmax(self.down(h), -1)


class Branching(Gated):
    """The same with a branch on a value, where torch.compile ends a graph and begins another."""

    def forward(self, x):
        if x.sum() > 1e9:
            return x
        return super().forward(x)


class Twice(Gated):
    """The same outputs for twice the work, which nothing can optimise away: what tests plant as a slow-down."""

    def forward(self, x):
        return (super().forward(x) + super().forward(x.flip(0)).flip(0)) / 2


class Feedforward(torch.nn.Module):
    """A product whose only consumer is pointwise: an epilogue. (In Gated the consumer is also read by a reduction, which takes it.)"""

    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(FEATURES, 512)
        self.down = torch.nn.Linear(512, FEATURES)

    def forward(self, x):
        return self.down(torch.nn.functional.silu(self.up(x)))


class Towers(torch.nn.Module):
    """Two chains of one size that share no data: what only aggressive fusion puts into one loop."""

    def forward(self, left, right):
        return torch.nn.functional.gelu(left) * torch.sigmoid(left), torch.tanh(right) * right


class Convolutions(torch.nn.Module):
    """Convolutions with batch norm and ReLU, of images that come as rows: what freezing folds."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(8, 32, 3, padding=1)
        self.first_norm = torch.nn.BatchNorm2d(32)
        self.second = torch.nn.Conv2d(32, 32, 3, padding=1)
        self.second_norm = torch.nn.BatchNorm2d(32)
        # With the statistics of a new layer (0 and 1) the outputs would be right without them, too.
        for norm in (self.first_norm, self.second_norm):
            torch.nn.init.normal_(norm.running_mean)
            torch.nn.init.uniform_(norm.running_var, 0.5, 2.0)
            torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
            torch.nn.init.normal_(norm.bias)

    def forward(self, x):
        h = x.reshape(-1, 8, 4, 4)
        h = torch.relu(self.first_norm(self.first(h)))
        h = torch.relu(self.second_norm(self.second(h)))
        return h.flatten(1)


def model(kind=Gated, **sizes):
    torch.manual_seed(SEED)
    return kind(**sizes).eval()


def rows(batch, features=FEATURES):
    generator = torch.Generator().manual_seed(SEED)
    return torch.randn(batch, features, generator=generator)
