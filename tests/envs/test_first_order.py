"""Two ways to judge entailment over a finite domain agree."""

from rlgym.core.rng import Rng
from rlgym.generators.logic import first_order


def test_building_a_structure_atom_by_atom_finds_one_exactly_where_the_tables_have_one() -> None:
    predicates = {"P": 1, "R": 2}
    spots = {atom: i for i, atom in enumerate(first_order.atoms(predicates, 2))}
    for seed in range(200):
        rng = Rng("first order", seed)
        sentences = [first_order.sample(rng, predicates, rng.integer(1, 3)) for _ in range(3)]
        table = (1 << (1 << len(spots))) - 1
        for sentence in sentences:
            assert first_order.read(first_order.write(sentence)) == sentence
            table &= first_order.table(sentence, spots, 2)
        found = first_order.structure(sentences, predicates, 2)
        assert (found is not None) == bool(table)
        if found is not None:
            assert table >> sum(1 << spots[atom] for atom, kept in found.items() if kept) & 1
