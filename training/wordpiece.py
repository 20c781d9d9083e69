"""Texts as the model's tokens: lower case, without accents, words cut into the longest pieces that the vocabulary has."""

import json
import unicodedata


def is_punctuation(sign):
    return 33 <= ord(sign) <= 126 and not sign.isalnum() or unicodedata.category(sign).startswith("P")


def words_in(text):
    plain = unicodedata.normalize("NFD", text.lower())
    spaced = ""
    for sign in plain:
        category = unicodedata.category(sign)
        if sign.isspace():
            spaced += " "
        elif is_punctuation(sign):
            spaced += f" {sign} "
        elif category != "Mn" and not category.startswith("C"):
            spaced += sign
    return spaced.split()


class Tokenizer:
    def __init__(self, path):
        with open(path) as file:
            self.vocabulary = json.load(file)["model"]["vocab"]

    def pieces_of(self, word):
        pieces, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start > 0 else "") + word[start:end]
                if piece in self.vocabulary:
                    break
            else:
                return [self.vocabulary["[UNK]"]]
            pieces.append(self.vocabulary[piece])
            start = end
        return pieces

    def encode(self, text, most=128):
        """The tokens of a text, at most so many, with those that begin and end one."""
        pieces = [piece for word in words_in(text) for piece in self.pieces_of(word)]
        return [self.vocabulary["[CLS]"], *pieces[: most - 2], self.vocabulary["[SEP]"]]
