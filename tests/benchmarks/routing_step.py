#!/usr/bin/python3
"""The training step of the lab routing that bench_learn times, in PyTorch (Debian: python3-torch): an Attention Model (Kool et al. 2019) of three
layers, 128 wide, draws 20 tours of each of 64 instances, tours starting at cities of their own, and goes down the gradient of REINFORCE
with the baseline that the tours of an instance share (Kwon et al. 2020).
Float32, every core.

    routing_step.py [CITIES]     as routingStep/50 without an argument

Prints the median of 5 steps, ms, and the library that computed the products; refuses the reference BLAS.
"""
import statistics
import sys
import time

import torch
from torch import nn

from max_retrieval_step import blas_on_every_core

cities = int(sys.argv[1]) if len(sys.argv) > 1 else 50
instances, tours, width, heads, inner, layers, clipping = 64, 20, 128, 8, 512, 3, 10.0


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        self.feed = nn.Sequential(nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, width))
        self.norms = nn.ModuleList([nn.BatchNorm1d(width), nn.BatchNorm1d(width)])

    def normed(self, norm, h):
        return norm(h.reshape(-1, width)).reshape(h.shape)

    def forward(self, h):
        q, k, v = [part.reshape(h.shape[0], -1, heads, width // heads).transpose(1, 2) for part in self.project(h).chunk(3, -1)]
        weights = torch.softmax(q @ k.transpose(2, 3) / (width // heads) ** 0.5, -1)
        h = self.normed(self.norms[0], h + self.out((weights @ v).transpose(1, 2).reshape(h.shape)))
        return self.normed(self.norms[1], h + self.feed(h))


def split_tours(x):
    return x.reshape(instances, tours, heads, width // heads).transpose(1, 2)


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, width)
        self.encoder = nn.Sequential(*[Layer() for _ in range(layers)])
        self.nodes = nn.Linear(width, 3 * width, bias=False)
        self.fixed, self.step = nn.Linear(width, width, bias=False), nn.Linear(2 * width, width, bias=False)
        self.glimpse = nn.Linear(width, width, bias=False)
        self.placeholder = nn.Parameter(torch.rand(2 * width))

    def forward(self, places):
        """Tours (instances, tours, cities) that are drawn, and their ln p."""
        h = self.encoder(self.embed(places))
        keys, values, pointers = self.nodes(h).chunk(3, -1)
        split = lambda x: x.reshape(instances, cities, heads, width // heads).transpose(1, 2)
        keys, values, fixed = split(keys), split(values), self.fixed(h.mean(1, keepdim=True))
        rows, columns = torch.arange(instances)[:, None], torch.arange(tours)[None, :]
        visited = torch.zeros(instances, tours, cities, dtype=torch.bool)
        chosen, likelihood = [], torch.zeros(instances, tours)
        for step in range(cities):
            context = self.step(torch.cat([h[rows, chosen[0]], h[rows, chosen[-1]]], -1) if chosen else self.placeholder.expand(instances, tours, 2 * width))
            query = split_tours(fixed + context)
            scores = (query @ keys.transpose(2, 3) / (width // heads) ** 0.5).masked_fill(visited[:, None], -float("inf"))
            seen = self.glimpse((torch.softmax(scores, -1) @ values).transpose(1, 2).reshape(instances, tours, width))
            logits = (clipping * torch.tanh(seen @ pointers.transpose(1, 2) / width ** 0.5)).masked_fill(visited, -float("inf"))
            logarithms = torch.log_softmax(logits, -1)
            city = torch.multinomial(logarithms.exp().reshape(-1, cities), 1).reshape(instances, tours)
            if step == 0:
                city = torch.cat([city[:, :1], columns[:, : tours - 1].expand(instances, -1) % cities], 1)  # one starts where it likes
            taken = logarithms.gather(2, city[..., None])[..., 0]
            likelihood = likelihood + (torch.where(columns == 0, taken, torch.zeros(())) if step == 0 else taken)
            visited = visited.scatter(2, city[..., None], True)
            chosen.append(city)
        return torch.stack(chosen, 2), likelihood


def train(network, adam):
    places = torch.rand(instances, cities, 2)
    order, likelihood = network(places)
    path = places[torch.arange(instances)[:, None, None], order]
    lengths = (path - path.roll(1, 2)).norm(dim=-1).sum(-1)
    loss = ((lengths - lengths.mean(1, keepdim=True)).detach() * likelihood).mean()
    adam.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 1)
    adam.step()


def main():
    blas = blas_on_every_core()
    torch.manual_seed(1)
    network = Router()
    adam = torch.optim.Adam(network.parameters(), 3e-4)
    train(network, adam)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        train(network, adam)
        seconds.append(time.perf_counter() - start)
    print(f"{cities} cities: {1e3 * statistics.median(seconds):.0f} ms a step with {blas}")


if __name__ == "__main__":
    main()
