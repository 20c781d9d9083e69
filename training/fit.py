"""
Fits to what evidence.ts prints by what the built-in model chooses a sentence (src/language-model/local/judged.ts), and by what it reckons how likely
that one answers (certainty.ts), and says what it would have answered of businesses that it was not fitted to. See README.md.
"""

import json
import sys

import numpy as np

FOLDS = 10
BOUNDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
# How much it counts that the weights stay small, each for evidence of the same spread.
STAY_SMALL = 1.0
# What a sentence is chosen by.
CHOICE = ["found", "meaning", "words"]


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


def fit_choice(questions):
    """Weights of CHOICE by which the sentences that answer stand before the others of their question (a conditional logit)."""
    weights = np.zeros(len(CHOICE))
    for _ in range(100):
        slope, bend = -STAY_SMALL * weights, np.eye(len(CHOICE)) * STAY_SMALL
        for values, answers in questions:
            if not answers.any():
                continue
            sums = values @ weights
            likely = np.exp(sums - sums.max())
            likely /= likely.sum()
            right = likely * answers
            mean = values.T @ likely
            slope += values.T @ (right / right.sum() - likely)
            bend += (values * likely[:, None]).T @ values - np.outer(mean, mean)
        weights += np.linalg.solve(bend, slope)
    return weights


def area(answers, likely):
    """The area under the curve: how often an answer is held more likely than what is none."""
    places = np.empty(len(likely))
    places[np.argsort(likely)] = np.arange(1, len(likely) + 1)
    right = answers.sum()
    return (places[answers == 1].sum() - right * (right + 1) / 2) / (right * (len(answers) - right))


def fitted_to(questions):
    """The weights of the choice, and those of the sum for what is chosen by them."""
    choice = fit_choice([(question["choice"], question["answers"]) for question in questions])
    best = [np.argmax(question["choice"] @ choice) for question in questions]
    evidence = np.array([question["evidence"][at] for question, at in zip(questions, best)])
    return choice, fit(evidence, np.array([question["answers"][at] for question, at in zip(questions, best)]))


def main():
    with open(sys.argv[1]) as file:
        lines = [json.loads(line) for line in file]
    names = list(lines[0]["sentences"][0]["evidence"])
    questions = []
    for line in lines:
        evidence = np.array([[one["evidence"][name] for name in names] for one in line["sentences"]])
        answers = np.array([float(one["answers"]) for one in line["sentences"]])
        of_choice = evidence[:, [names.index(name) for name in CHOICE]]
        questions.append({"business": line["business"], "evidence": evidence, "choice": of_choice, "answers": answers})
    fold_of = {name: at % FOLDS for at, name in enumerate(sorted({line["business"] for line in lines}))}
    answered = np.array([line["answered"] for line in lines])
    answers, likely = np.zeros(len(lines)), np.zeros(len(lines))
    for fold in range(FOLDS):
        choice, (base, *weights) = fitted_to([question for question in questions if fold_of[question["business"]] != fold])
        for at, question in enumerate(questions):
            if fold_of[question["business"]] == fold:
                best = np.argmax(question["choice"] @ choice)
                answers[at] = question["answers"][best]
                likely[at] = logistic(base + question["evidence"][best] @ np.array(weights))
    can = sum(question["answers"].any() for question in questions)
    print(f"{len(lines)} questions, {answered.sum()} answered, {can} by a sentence that was found, {int(answers.sum())} by the one that is chosen; area {area(answers, likely):.3f}")
    for bound in BOUNDS:
        said = likely >= bound
        wrong, beside = (said & answered & (answers == 0)).sum(), (said & ~answered).sum()
        print(f"from {bound} on: {(said & (answers == 1)).sum()} right, {wrong} wrong, {beside} where nothing answers")
    choice, (base, *weights) = fitted_to(questions)
    print("  chosen by:", ", ".join(f"{name} {share:.2f}" for name, share in zip(CHOICE, choice / choice.sum())))
    print("  base:", round(base, 2))
    for name, weight in zip(names, weights):
        print(f"  {name}: {weight:.2f}")


main()
