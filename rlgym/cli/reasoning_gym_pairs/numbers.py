"""Pairs of arithmetic, algebra, probability and geometry."""

from __future__ import annotations

from rlgym.cli.reasoning_gym_pairs.pair import Pair

ARITHMETIC = (
    Pair("chain_sum", {"terms": 5, "digits": 3}, "chain_sum", {"min_terms": 5, "max_terms": 5, "min_digits": 3, "max_digits": 3}),
    Pair("chain_sum", {"terms": 20, "digits": 6}, "chain_sum", {"min_terms": 20, "max_terms": 20, "min_digits": 6, "max_digits": 6}),
    Pair(
        "random_calculation",
        {"steps": 4, "largest": 99, "operators": "divisions"},
        "basic_arithmetic",
        {"min_terms": 5, "max_terms": 5, "min_digits": 1, "max_digits": 2},
    ),
    Pair(
        "random_calculation",
        {"steps": 11, "largest": 99, "operators": "products"},
        "basic_arithmetic",
        {"min_terms": 12, "max_terms": 12, "min_digits": 1, "max_digits": 2, "operators": ["+", "-", "*"]},
    ),
    Pair("base_conversion", {"digits": 3, "largest": 16, "kind": "any"}, "base_conversion", {}),
    Pair("bitwise_expression", {"operations": 3, "width": 16, "kinds": "shifts"}, "bitwise_arithmetic", {"difficulty": 2}),
    Pair(
        "calendar_arithmetic",
        {"moves": 1, "days": 100, "kinds": "months"},
        "calendar_arithmetic",
        {},
        difference="theirs has several kinds of question, as short as one on leap years",
        reason="our calendar is a table of rules, which the shifted family changes; theirs uses datetime",
    ),
    Pair(
        "complex_arithmetic",
        {"operations": 1, "largest": 10},
        "complex_arithmetic",
        {},
        difference="ours may hold a power",
        reason="ours computes with exact fractions and draws again where the value is 0 or long",
    ),
    Pair("countdown", {"numbers": 5, "largest": 100, "target": 999, "use": "all"}, "countdown", {"min_numbers": 5, "max_numbers": 5}),
    Pair(
        "countdown",
        {"numbers": 4, "largest": 10, "target": 30, "use": "all"},
        "puzzle24",
        {},
        difference="our target goes up to 30, theirs is 24",
    ),
    Pair("gcd_lcm", {"count": 2, "common": 2, "own": 2, "largest": 6}, "gcd", {}),
    Pair("gcd_lcm", {"count": 2, "common": 1, "own": 1, "largest": 4}, "lcm", {}),
    Pair(
        "leg_counting",
        {"kinds": 6, "direct": 100, "question": "legs"},
        "leg_counting",
        {"min_animals": 6, "max_animals": 6},
        reason="ours builds equations from the sentences, checks their solution and varies the phrases",
    ),
    Pair(
        "prime_factorization",
        {"factors": 3, "largest": 23},
        "prime_factorization",
        {"min_value": 2, "max_value": 1000},
        reason="the factors are drawn as primes, so that the size of the largest factor is controlled",
    ),
    Pair("prime_factorization", {"factors": 5, "largest": 50}, "prime_factorization", {"min_value": 2, "max_value": 10_000_000}),
    Pair(
        "word_problem_chain",
        {"quantities": 4, "relations": "mixed", "backwards": 0},
        "gsm_symbolic",
        {},
        difference="ours draws the structure, theirs fills one of 100 templates",
        reason="ours draws the relations and checks that every number follows; theirs fills a stored template",
    ),
)

ALGEBRA = (
    Pair("integral", {"terms": 3, "largest": 10, "method": "powers"}, "simple_integration", {"min_terms": 3, "max_terms": 3}),
    Pair(
        "integral",
        {"terms": 1, "largest": 10, "method": "parts"},
        "intermediate_integration",
        {},
        difference="ours has substitutions, products and logarithms",
    ),
    Pair("polynomial_roots", {"roots": 2}, "polynomial_equations", {"min_degree": 2, "max_degree": 2}),
    Pair("polynomial_roots", {"roots": 3}, "polynomial_equations", {"min_degree": 3, "max_degree": 3}),
    Pair(
        "dice_sum_exact",
        {"dice": 4, "sides": 10, "condition": "none"},
        "dice",
        {"max_dice_size": 10},
        reason="ours counts the outcomes by two routes, for several kinds of event",
    ),
    Pair(
        "dice_sum_exact",
        {"dice": 2, "sides": 6, "condition": "none"},
        "dice",
        {"num_dice": 2, "max_dice_size": 6},
        reason="ours counts the outcomes by two routes, for several kinds of event",
    ),
    Pair(
        "hypothesis_test_exact",
        {"trials": 9, "parts": 3, "side": "at least"},
        "coin_flip",
        {"min_trials": 9, "max_trials": 9},
        difference="theirs has fair coins, ours stated chances and stories",
        reason="ours computes an exact fraction for three kinds of story; theirs is one binomial term",
    ),
    Pair(
        "triangle_solve",
        {"size": 14, "given_parts": "corners", "question": "lines"},
        "advanced_geometry",
        {},
        difference="ours asks for two quantities",
    ),
    Pair("number_sequence_rule", {"kind": "two before", "reach": 3, "terms_asked": 1}, "number_sequence", {}),
)
