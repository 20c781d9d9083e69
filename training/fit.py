"""
Fits the sum by which the built-in model reckons how likely a sentence answers (src/language-model/local/certainty.ts) to what
evidence.ts prints, and says what it would have answered of businesses that it was not fitted to. See README.md.
"""

import json
import sys

import numpy as np

FOLDS = 10
BOUNDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
# How much it counts that the weights stay small, each for evidence of the same spread.
STAY_SMALL = 1.0


def logistic(values):
    return 1 / (1 + np.exp(-values))


def fit(evidence, answers):
    """Weights of a logistic regression, that of the base first."""
    mean, spread = evidence.mean(0), evidence.std(0) + 1e-9
    inputs = np.c_[np.ones(len(evidence)), (evidence - mean) / spread]
    small = np.eye(inputs.shape[1]) * STAY_SMALL
    small[0, 0] = 0
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        likely = logistic(inputs @ weights)
        slope = inputs.T @ (likely - answers) + small @ weights
        weights -= np.linalg.solve(inputs.T @ (inputs * (likely * (1 - likely))[:, None]) + small, slope)
    own = weights[1:] / spread
    return np.r_[weights[0] - own @ mean, own]


def area(answers, likely):
    """The area under the curve: how often an answer is held more likely than what is none."""
    places = np.empty(len(likely))
    places[np.argsort(likely)] = np.arange(1, len(likely) + 1)
    right = answers.sum()
    return (places[answers == 1].sum() - right * (right + 1) / 2) / (right * (len(answers) - right))


def main():
    with open(sys.argv[1]) as file:
        lines = [json.loads(line) for line in file]
    names = list(lines[0]["evidence"])
    evidence = np.array([[line["evidence"][name] for name in names] for line in lines])
    answers = np.array([int(line["answers"]) for line in lines])
    answered = np.array([line["answered"] for line in lines])
    businesses = np.array([line["business"] for line in lines])
    fold_of = {name: at % FOLDS for at, name in enumerate(sorted(set(businesses)))}
    folds = np.array([fold_of[name] for name in businesses])
    likely = np.zeros(len(lines))
    for fold in range(FOLDS):
        asked = folds == fold
        base, *weights = fit(evidence[~asked], answers[~asked])
        likely[asked] = logistic(base + evidence[asked] @ np.array(weights))
    print(f"{len(lines)} questions, {answered.sum()} answered, {answers.sum()} by the best sentence; area {area(answers, likely):.3f}")
    for bound in BOUNDS:
        said = likely >= bound
        wrong, beside = (said & answered & (answers == 0)).sum(), (said & ~answered).sum()
        print(f"from {bound} on: {(said & (answers == 1)).sum()} right, {wrong} wrong, {beside} where nothing answers")
    base, *weights = fit(evidence, answers)
    print("  base:", round(base, 2))
    for name, weight in zip(names, weights):
        print(f"  {name}: {weight:.2f}")


main()
