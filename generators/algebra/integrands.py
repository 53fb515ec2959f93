"""Terms whose antiderivatives are elementary, as books write them."""

from rlgym.answers import trees
from rlgym.answers.trees import Name, Tree, build
from rlgym.core.rng import Rng

X = Name("x")


def sample_term(rng: Rng, kind: str, largest: int) -> Tree:
    """A term with an elementary antiderivative, as books write it."""
    factor, shift = trees.number(rng.integer(1, largest)), trees.number(rng.integer(1, largest))
    scaled = build.times(trees.number(rng.integer(1, largest)), X)
    wave = rng.choice(("sin", "cos", "exp"))
    match kind:
        case "power":
            return build.times(factor, build.power(X, rng.integer(1, 7)))
        case "scaled":
            return rng.choice(
                (
                    build.times(factor, build.call(wave, scaled)),
                    build.over(factor, X),
                    build.over(factor, build.power(X, rng.integer(2, 4))),
                )
            )
        case "linear":
            line = build.add(scaled, shift)
            integrands = (
                build.over(factor, line),
                build.times(factor, build.call("sqrt", line)),
                build.times(factor, build.call(wave, line)),
            )
            return rng.choice((*integrands, build.times(factor, build.power(line, rng.integer(2, 5)))))
        case "inner":
            power = rng.integer(2, 3)
            inner = build.add(build.power(X, power), shift)
            outer = build.times(factor, build.power(X, power - 1))
            tried = (
                build.times(outer, build.call(wave, inner)),
                build.over(outer, inner),
                build.times(outer, build.power(inner, rng.integer(2, 4))),
            )
            other = build.times(factor, build.times(build.call("cos", X), build.power(build.call("sin", X), rng.integer(2, 4))))
            return rng.choice((*tried, other, build.over(build.times(factor, build.call("ln", X)), X)))
        case "parts":
            return build.times(factor, build.times(build.power(X, rng.integer(1, 3)), build.call(wave, scaled)))
        case "logarithm":
            return build.times(factor, build.times(build.power(X, rng.integer(0, 4)), build.call("ln", X)))
        case "poles":
            near, distant = rng.sample(range(1, largest + 1), 2)
            below = build.of_coefficients((near * distant, near + distant, 1))
            return build.over(build.add(scaled, shift), below)
        case _:
            return build.over(factor, build.add(build.power(X, 2), trees.number(rng.integer(1, 5) ** 2)))
