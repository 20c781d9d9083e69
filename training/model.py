"""all-MiniLM-L6-v2, whose last layers can be trained: thin pairs of matrices are added to theirs (LoRA)."""

import math

import torch
import torch.nn.functional as functional

LAYERS, HEADS, SIZE = 6, 12, 384
INNER = 4 * SIZE
MATRICES = {
    "attention.self.query": (SIZE, SIZE),
    "attention.self.key": (SIZE, SIZE),
    "attention.self.value": (SIZE, SIZE),
    "attention.output.dense": (SIZE, SIZE),
    "intermediate.dense": (SIZE, INNER),
    "output.dense": (INNER, SIZE),
}


def name_of(layer, matrix):
    return f"encoder.layer.{layer}.{matrix}"


class Tuning:
    """`up` times `down` is what is added to a matrix. It begins as nothing."""

    def __init__(self, rank, first_layer, dropout):
        self.first_layer, self.dropout = first_layer, dropout
        self.pairs = {}
        for layer in range(first_layer, LAYERS):
            for matrix, (inputs, outputs) in MATRICES.items():
                down = (torch.randn(rank, inputs) / math.sqrt(inputs)).requires_grad_()
                up = torch.zeros(outputs, rank).requires_grad_()
                self.pairs[name_of(layer, matrix)] = (up, down)

    def parameters(self):
        return [part for pair in self.pairs.values() for part in pair]

    def added(self, name, values):
        up, down = self.pairs[name]
        # Left out of the thin matrix, not of the values: those are many times as many.
        return values @ functional.dropout(down, self.dropout).T @ up.T

    def arrays(self, strength):
        """What is written: a part of what was found, so that more of what the model knew before is kept."""
        scaled = {name: (up * strength, down) for name, (up, down) in self.pairs.items()}
        return {
            f"{name}.weight.{part}": matrix.detach().numpy()
            for name, pair in scaled.items()
            for part, matrix in zip(("up", "down"), pair)
        }


class Model:
    def __init__(self, arrays):
        self.weights = {name: torch.from_numpy(values.astype("float32")) for name, values in arrays.items()}

    def _linear(self, name, values, tuning):
        result = functional.linear(values, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])
        return result if tuning is None else result + tuning.added(name, values)

    def _norm(self, name, values):
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(values, (SIZE,), weight, bias, 1e-12)

    def embedded(self, tokens, mask):
        """What the first layer is given: tokens (texts x length), 1 in the mask where there is one."""
        part = "embeddings."
        values = (
            self.weights[f"{part}word_embeddings.weight"][tokens]
            + self.weights[f"{part}position_embeddings.weight"][: tokens.shape[1]]
            + self.weights[f"{part}token_type_embeddings.weight"][0]
        )
        return self._norm(f"{part}LayerNorm", values)

    def layers(self, values, mask, first, last, tuning=None):
        texts, length = values.shape[:2]
        hidden = (1 - mask)[:, None, None, :] * -1e9

        def heads(matrix):
            return matrix.view(texts, length, HEADS, SIZE // HEADS).transpose(1, 2)

        for layer in range(first, last):
            name = name_of(layer, "")
            query, key, value = (
                heads(self._linear(f"{name}attention.self.{part}", values, tuning)) for part in ("query", "key", "value")
            )
            weights = (query @ key.transpose(-1, -2) / math.sqrt(SIZE // HEADS) + hidden).softmax(-1)
            mixed = (weights @ value).transpose(1, 2).reshape(texts, length, SIZE)
            attended = self._linear(f"{name}attention.output.dense", mixed, tuning)
            values = self._norm(f"{name}attention.output.LayerNorm", attended + values)
            inner = functional.gelu(self._linear(f"{name}intermediate.dense", values, tuning))
            values = self._norm(f"{name}output.LayerNorm", self._linear(f"{name}output.dense", inner, tuning) + values)
        return values

    @staticmethod
    def vectors(values, mask):
        """One vector of length 1 for each text: the mean of its tokens."""
        counted = mask[:, :, None]
        return functional.normalize((values * counted).sum(1) / counted.sum(1), dim=-1)
